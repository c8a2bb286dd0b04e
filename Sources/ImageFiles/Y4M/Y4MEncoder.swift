internal import ColorScience
public import Frames

/// Y'CbCr frames as YUV4MPEG2, which pipes between programs carry.
///
/// A file is `header(for:rate:sampleAspectRatio:fieldOrder:)` and any number of frames after it.
/// Source: yuv4mpeg(5) of mjpegtools; the names of depths above 8 bit and of ranges as FFmpeg and x265 have them.
public struct Y4MEncoder: ImageEncoder {
  private static let frameStart = Array("FRAME\n".utf8)

  /// The encoder has no settings: frames say what they are.
  public init() {}

  /// The line before the first frame.
  /// - Parameters:
  ///   - format: Planar Y'CbCr of 8, 10 or 12 bit, or Y' alone of one of `depths(of:)`.
  ///   - rate: Frames in a second; nil: unknown, which becomes the 25 that ffmpeg takes it for, as x265 refuses 0:0.
  ///   - sampleAspectRatio: nil: unknown.
  ///   - fieldOrder: Of interlaced frames.
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

  /// A frame with the line before it.
  /// - Parameter frame: In the format of the header.
  /// - Throws: Nothing: every frame of a layout that `header` takes can be written.
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

  /// Bits per sample that have a name.
  public static func depths(of layout: PixelLayout) -> [Int] {
    layout.components == .gray ? [8, 9, 10, 12, 16] : [8, 10, 12]
  }

  private static func check(_ layout: PixelLayout) {
    precondition(layout.components != .rgb && layout.packing == .planar && depths(of: layout).contains(layout.bitDepth))
  }

  /// Sampling, depth and, of 8-bit 4:2:0 alone, siting: there is no name for others.
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
