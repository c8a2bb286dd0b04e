internal import ColorScience
public import Frames

/// Writes Y'CbCr frames as YUV4MPEG2, a common pipe format.
///
/// A file is `header(for:rate:sampleAspectRatio:fieldOrder:)` followed by any number of frames.
/// Source: yuv4mpeg(5) of mjpegtools; names of depths above 8 bits and of ranges as in FFmpeg and x265.
public struct Y4MEncoder: ImageEncoder {
  private static let frameStart = Array("FRAME\n".utf8)

  /// The encoder has no settings: everything follows from the frames.
  public init() {}

  /// The line before the first frame.
  /// - Parameters:
  ///   - format: Planar Y'CbCr of 8, 10 or 12 bits, or Y' only with one of `depths(of:)`.
  ///   - rate: Frame rate; nil: unknown, written as 25, which ffmpeg assumes, because x265 rejects 0:0.
  ///   - sampleAspectRatio: nil: unknown.
  ///   - fieldOrder: Field order of interlaced frames.
  public static func header(
    for format: PixelFormat, rate: Rational?, sampleAspectRatio: Rational?, fieldOrder: FieldOrder? = nil
  ) -> [UInt8] {
    func ratio(_ value: Rational?) -> String { value.map { "\($0.numerator):\($0.denominator)" } ?? "0:0" }
    let interlacing =
      switch fieldOrder {
      case nil: "p"
      case .topFirst: "t"
      case .bottomFirst: "b"
      }
    let range = format.color.range == .full ? "FULL" : "LIMITED"
    let name = samplingName(of: format)
    return Array(
      """
      YUV4MPEG2 W\(format.size.width) H\(format.size.height) F\(ratio(rate ?? Rational(25, 1))) I\(interlacing) \
      A\(ratio(sampleAspectRatio)) C\(name) XYSCSS=\(name.uppercased()) XCOLORRANGE=\(range)

      """.utf8)
  }

  /// A frame with its header line.
  /// - Parameter frame: A frame in the format of the header.
  /// - Throws: Never, for layouts that `header` accepts.
  public func encode(_ frame: CodedFrame) throws(ImageFileError) -> [UInt8] {
    Self.check(frame.layout)
    let planes = (0..<frame.layout.planeCount).map { frame.layout.planeSize($0, of: frame.size) }
    let byteCount = planes.reduce(0) { $0 + $1.width * $1.height } * frame.layout.bytesPerSample
    return unsafe [UInt8](unsafeUninitializedCapacity: Self.frameStart.count + byteCount) { target, count in
      let bytes = UnsafeMutableRawBufferPointer(target)
      unsafe bytes.copyBytes(from: Self.frameStart)
      count = Self.frameStart.count
      for (index, extent) in planes.enumerated() {
        let rowByteCount = extent.width * frame.layout.bytesPerSample
        unsafe frame.withPlane(index) { plane in
          for y in 0..<extent.height {
            let row = unsafe UnsafeRawBufferPointer(start: plane.row(y), count: rowByteCount)
            unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[count..<count + rowByteCount]).copyMemory(from: row)
            count += rowByteCount
          }
        }
      }
    }
  }

  /// Bit depths that have a name.
  public static func depths(of layout: PixelLayout) -> [Int] {
    layout.components == .gray ? [8, 9, 10, 12, 16] : [8, 10, 12]
  }

  private static func check(_ layout: PixelLayout) {
    precondition(layout.components != .rgb && layout.packing == .planar && depths(of: layout).contains(layout.bitDepth))
  }

  /// Sampling, depth and, for 8-bit 4:2:0 only, siting: no other names exist.
  private static func samplingName(of format: PixelFormat) -> String {
    check(format.layout)
    let depth = format.layout.bitDepth > 8 ? "p\(format.layout.bitDepth)" : ""
    switch format.layout.components {
    case .gray: return "mono" + depth.dropFirst()
    case .ycbcr422: return "422" + depth
    case .ycbcr444, .rgb: return "444" + depth
    case .ycbcr420:
      if !depth.isEmpty { return "420" + depth }
      switch format.color.chromaLocation {
      case .left: return "420mpeg2"
      case .topLeft: return "420paldv"
      case .center, .top, .bottomLeft, .bottom: return "420jpeg"
      }
    }
  }
}
