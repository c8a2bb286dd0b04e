/// A picture in coded form: integer Y'CbCr or R'G'B' samples and what they mean.
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

  /// The picture in luma samples, before any turn that its metadata ask for.
  public let size: Size
  /// Components, bit depth and packing of the planes.
  public let layout: PixelLayout
  /// What the code values mean.
  public let color: ColorDescription
  /// When the frame is shown, and for how long.
  public let time: FrameTime
  /// Metadata of this frame merged over that of its stream.
  public let metadata: HDRMetadata
  /// Decoding found damage in this picture.
  public let isDamaged: Bool
  /// The rows are those of two fields, taken at different times, and this was the first; nil: of one picture.
  public let fieldOrder: FieldOrder?

  private let planes: [Plane]
  /// What keeps the planes alive.
  public let owner: AnyObject

  /// A frame over planes that somebody else allocated.
  /// - Parameters:
  ///   - size: The picture in luma samples.
  ///   - layout: Components, bit depth and packing of the planes.
  ///   - color: What the code values mean.
  ///   - time: When the frame is shown.
  ///   - metadata: That of the frame, merged over that of its stream.
  ///   - isDamaged: Decoding found damage in it.
  ///   - fieldOrder: Of an interlaced frame.
  ///   - planes: One per `layout.planeCount`, each at least `layout.planeSize(_:of:)` large.
  ///   - owner: The object whose lifetime is that of the planes.
  @unsafe
  public init(
    size: Size, layout: PixelLayout, color: ColorDescription, time: FrameTime,
    metadata: HDRMetadata = HDRMetadata(), isDamaged: Bool = false, fieldOrder: FieldOrder? = nil, planes: [Plane],
    owner: AnyObject
  ) {
    precondition(unsafe planes.count == layout.planeCount)
    self.size = size
    self.layout = layout
    self.color = color
    self.time = time
    self.metadata = metadata
    self.isDamaged = isDamaged
    self.fieldOrder = fieldOrder
    unsafe self.planes = unsafe planes
    self.owner = owner
  }

  /// A frame with planes of its own, rows aligned to 64 bytes, samples all zero.
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

  /// The same picture with another time.
  public func at(_ time: FrameTime) -> CodedFrame {
    unsafe CodedFrame(
      size: size, layout: layout, color: color, time: time, metadata: metadata, isDamaged: isDamaged,
      fieldOrder: fieldOrder, planes: planes, owner: owner)
  }

  /// The same samples under another colour description (an override by the user), which may also say that they are
  /// R'G'B', or are not.
  public func described(as color: ColorDescription) -> CodedFrame {
    unsafe CodedFrame(
      size: size, layout: layout.read(by: color.matrix), color: color, time: time, metadata: metadata,
      isDamaged: isDamaged,
      fieldOrder: fieldOrder, planes: planes, owner: owner)
  }

  /// The same samples with other metadata, as where it was measured on them.
  public func with(_ metadata: HDRMetadata) -> CodedFrame {
    unsafe CodedFrame(
      size: size, layout: layout, color: color, time: time, metadata: metadata, isDamaged: isDamaged,
      fieldOrder: fieldOrder, planes: planes, owner: owner)
  }

  /// Calls `body` with plane `index`; the plane must not leave the call.
  @unsafe
  public func withPlane<Result, Failure: Error>(
    _ index: Int, _ body: (Plane) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try body(planes[index])
  }

  /// The stored sample at column `x` of row `y` of plane `index`, as it lies in memory.
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
  /// Whether a part of a picture that begins here has samples of its own: chroma sites are not split.
  public func begins(atX x: Int, y: Int) -> Bool { x % (1 << chromaShiftX) == 0 && y % (1 << chromaShiftY) == 0 }
}

extension CodedFrame {
  /// A part of the picture as a picture of its own over the same memory.
  /// - Parameter area: Inside of the picture; it begins where the layout lets it (`PixelLayout.begins`).
  public func part(_ area: PictureArea) -> CodedFrame {
    precondition(
      !area.isEmpty && area.intersection(PictureArea(size)) == area && layout.begins(atX: area.x, y: area.y))
    let size = Size(width: area.width, height: area.height)
    var parts: [Plane] = unsafe []
    for index in 0..<layout.planeCount {
      let isChroma = index > 0 && layout.components != .rgb
      let column = isChroma ? (area.x >> layout.chromaShiftX) * (layout.packing == .semiplanar ? 2 : 1) : area.x
      let row = isChroma ? area.y >> layout.chromaShiftY : area.y
      unsafe withPlane(index) { plane in
        unsafe parts.append(
          Plane(
            base: plane.row(row) + column * layout.bytesPerSample, stride: plane.stride,
            size: layout.planeSize(index, of: size)))
      }
    }
    return unsafe CodedFrame(
      size: size, layout: layout, color: color, time: time, metadata: metadata, isDamaged: isDamaged, planes: parts,
      owner: owner)
  }
}
