/// A picture in coded form: integer Y'CbCr or R'G'B' samples and their meaning.
///
/// The planes belong to `owner` and live as long as this object. One thread writes a frame, or several write
/// disjoint rows of it; after that it is only read.
@safe
public final class CodedFrame: @unchecked Sendable {
  // @unchecked: planes are written before the frame is handed on (see above); everything else is immutable.
  // @safe: planes are reachable only through scoped or bounds-checked access, and `owner` outlives them.

  /// One plane of samples.
  @unsafe
  public struct Plane {
    /// The first byte of the top row.
    public let base: UnsafeMutableRawPointer
    /// Bytes from one row to the next.
    public let stride: Int
    /// Samples in a row, and rows.
    public let size: Size

    /// A plane over memory that the caller keeps alive for as long as it is used.
    public init(base: UnsafeMutableRawPointer, stride: Int, size: Size) {
      unsafe self.base = unsafe base
      unsafe self.stride = stride
      unsafe self.size = size
    }

    /// The first byte of row `y`.
    public func row(_ y: Int) -> UnsafeMutableRawPointer { unsafe base + y * stride }
  }

  /// The picture in luma samples, before any rotation that its metadata specifies.
  public let size: Size
  /// Components, bit depth and packing of the planes.
  public let layout: PixelLayout
  /// The meaning of the code values.
  public let color: ColorDescription
  /// When the frame is shown, and for how long.
  public let time: FrameTime
  /// The time in the source, before any shift, which determines the dither.
  public let sourceTime: FrameTime
  /// Metadata of this frame merged over its stream's.
  public let metadata: HDRMetadata
  /// Closed captions of this picture, CEA-608 and CEA-708: triplets of `cc_data` (ATSC A/53 part 4, 6.2.3).
  public let captions: [UInt8]
  /// Whether decoding found damage in this picture.
  public let isDamaged: Bool
  /// The field order if the frame holds two fields captured at different times; nil if it is progressive.
  public let fieldOrder: FieldOrder?

  private let planes: [Plane]
  /// The owner of the planes' memory.
  public let owner: AnyObject

  /// A frame over planes that were allocated elsewhere.
  /// - Parameters:
  ///   - size: The picture in luma samples.
  ///   - layout: Components, bit depth and packing of the planes.
  ///   - color: The meaning of the code values.
  ///   - time: When the frame is shown.
  ///   - metadata: Metadata of the frame merged over its stream's.
  ///   - captions: Closed captions: triplets of `cc_data`.
  ///   - isDamaged: Whether decoding found damage.
  ///   - fieldOrder: Field order of an interlaced frame.
  ///   - sourceTime: The time in the source; nil: `time`.
  ///   - planes: One per `layout.planeCount`, each at least `layout.planeSize(_:of:)` large.
  ///   - owner: The object that keeps the planes alive.
  @unsafe
  public init(
    size: Size, layout: PixelLayout, color: ColorDescription, time: FrameTime,
    metadata: HDRMetadata = HDRMetadata(), captions: [UInt8] = [], isDamaged: Bool = false,
    fieldOrder: FieldOrder? = nil, sourceTime: FrameTime? = nil, planes: [Plane], owner: AnyObject
  ) {
    precondition(unsafe planes.count == layout.planeCount)
    self.size = size
    self.layout = layout
    self.color = color
    self.time = time
    self.sourceTime = sourceTime ?? time
    self.metadata = metadata
    self.captions = captions
    self.isDamaged = isDamaged
    self.fieldOrder = fieldOrder
    unsafe self.planes = unsafe planes
    self.owner = owner
  }

  /// A frame with newly allocated planes, rows aligned to 64 bytes, samples all zero.
  public convenience init(
    size: Size, layout: PixelLayout, color: ColorDescription,
    time: FrameTime = FrameTime(presentation: 0, duration: 0, timeBase: Rational(1, 1)),
    metadata: HDRMetadata = HDRMetadata(), fieldOrder: FieldOrder? = nil
  ) {
    let storage = PlaneStorage(size: size, layout: layout)
    unsafe self.init(
      size: size, layout: layout, color: color, time: time, metadata: metadata, fieldOrder: fieldOrder,
      planes: storage.planes, owner: storage)
  }

  /// The same picture with a different time.
  public func at(_ time: FrameTime) -> CodedFrame {
    unsafe CodedFrame(
      size: size, layout: layout, color: color, time: time, metadata: metadata, captions: captions,
      isDamaged: isDamaged, fieldOrder: fieldOrder, sourceTime: sourceTime, planes: planes, owner: owner)
  }

  /// The same samples with a different colour description (an override by the user), which may also change whether they
  /// are R'G'B'.
  public func described(as color: ColorDescription) -> CodedFrame {
    unsafe CodedFrame(
      size: size, layout: layout.read(by: color.matrix), color: color, time: time, metadata: metadata,
      captions: captions, isDamaged: isDamaged, fieldOrder: fieldOrder, sourceTime: sourceTime, planes: planes,
      owner: owner)
  }

  /// The same samples with different metadata, for example measured from them.
  public func with(_ metadata: HDRMetadata) -> CodedFrame {
    unsafe CodedFrame(
      size: size, layout: layout, color: color, time: time, metadata: metadata, captions: captions,
      isDamaged: isDamaged, fieldOrder: fieldOrder, sourceTime: sourceTime, planes: planes, owner: owner)
  }

  /// Calls `body` with plane `index`; the plane must not escape.
  @unsafe
  public func withPlane<Result, Failure: Error>(
    _ index: Int, _ body: (Plane) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try body(planes[index])
  }

  /// The sample at column `x` of row `y` of plane `index`, as stored in memory.
  public func sample(plane index: Int, x: Int, y: Int) -> Int {
    let plane = unsafe planes[index]
    precondition(unsafe x >= 0 && x < plane.size.width && y >= 0 && y < plane.size.height)
    let row = unsafe plane.row(y)
    return layout.bytesPerSample == 1
      ? Int(unsafe row.load(fromByteOffset: x, as: UInt8.self))
      : Int(unsafe row.load(fromByteOffset: 2 * x, as: UInt16.self))
  }

  /// Stores `value` at column `x` of row `y` of plane `index`; only before the frame is handed on.
  public func setSample(_ value: Int, plane index: Int, x: Int, y: Int) {
    let plane = unsafe planes[index]
    precondition(unsafe x >= 0 && x < plane.size.width && y >= 0 && y < plane.size.height)
    let row = unsafe plane.row(y)
    if layout.bytesPerSample == 1 {
      unsafe row.storeBytes(of: UInt8(value), toByteOffset: x, as: UInt8.self)
    } else {
      unsafe row.storeBytes(of: UInt16(value), toByteOffset: 2 * x, as: UInt16.self)
    }
  }
}

extension PixelLayout {
  /// Whether a cropped picture can begin here without splitting a chroma site.
  public func begins(atX x: Int, y: Int) -> Bool { x % (1 << chromaShiftX) == 0 && y % (1 << chromaShiftY) == 0 }
}

extension CodedFrame {
  /// An area of the picture as a picture over the same memory.
  /// - Parameter area: Inside the picture, with an origin that the layout allows (`PixelLayout.begins`).
  public func part(_ area: PictureArea) -> CodedFrame {
    precondition(
      !area.isEmpty && area.intersection(PictureArea(size)) == area && layout.begins(atX: area.x, y: area.y))
    let size = Size(width: area.width, height: area.height)
    var parts: [Plane] = unsafe []
    for index in 0..<layout.planeCount {
      let isChroma = index > 0 && layout.components != .rgb
      let column = (isChroma ? area.x >> layout.chromaShiftX : area.x) * layout.samplesPerColumn(plane: index)
      let row = isChroma ? area.y >> layout.chromaShiftY : area.y
      unsafe withPlane(index) { plane in
        unsafe parts.append(
          Plane(
            base: plane.row(row) + column * layout.bytesPerSample, stride: plane.stride,
            size: layout.planeSize(index, of: size)))
      }
    }
    return unsafe CodedFrame(
      size: size, layout: layout, color: color, time: time, metadata: metadata, captions: captions,
      isDamaged: isDamaged, sourceTime: sourceTime, planes: parts, owner: owner)
  }
}
