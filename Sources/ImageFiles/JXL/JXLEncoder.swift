internal import CJXL
internal import FFmpegIO
internal import ColorScience
public import Frames

/// Makes JPEG XL files of R'G'B' frames of 8 or 16 bit and of linear half float.
///
/// The colour space is written by its name, not as an ICC profile. `intensity_target` is MaxCLL where PQ comes with it,
/// and the luminance of 1.0 where light is linear; else libjxl's own, which is 10000, 1000 and 255 cd/m² for PQ, HLG and
/// standard range.
/// Source: ISO/IEC 18181-1; the headers of libjxl 0.7.
public struct JXLEncoder: ImageEncoder {
  /// Greatest butteraugli distance from the source, 0...15; 0 keeps every bit.
  public let distance: Float
  /// 1...9, from fast to small.
  public let effort: Int
  private let pointScale: Int?

  /// What libjxl calls visually lossless is 1.
  public static let defaultDistance: Float = 0.5

  /// An encoder of a visual quality.
  /// - Parameters:
  ///   - distance: 1 is what libjxl calls visually lossless.
  ///   - effort: nil: 5, or 3 where every bit is kept, with which 2 million pixels take a few seconds at most; 7 is
  ///     libjxl's own.
  ///   - pointScale: Pixels in a point: the picture is to be shown at its size in points; nil: nothing is known of it.
  public init(distance: Float = defaultDistance, effort: Int? = nil, pointScale: Int? = nil) {
    self.pointScale = pointScale
    self.distance = min(max(distance, 0), 15)
    self.effort = min(max(effort ?? (distance > 0 ? 5 : 3), 1), 9)
  }

  /// Layouts that are taken.
  public static let layouts = [PixelLayout(.rgb, bitDepth: 8), PixelLayout(.rgb, bitDepth: 16), .linearRGB]

  public func encode(_ frame: CodedFrame) throws(ImageFileError) -> [UInt8] {
    guard Self.layouts.contains(frame.layout) else {
      throw .notEncoded(format: Self.format, reason: "it takes R'G'B' of 8 and 16 bit and linear half float")
    }
    guard var color = JxlColorEncoding(frame.color) else {
      throw .notEncoded(format: Self.format, reason: "it has no name for the colours of the frame")
    }
    guard let encoder = unsafe JxlEncoderCreate(nil) else { throw .outOfMemory }
    defer { unsafe JxlEncoderDestroy(encoder) }
    guard let runner = JXLRunner() else { throw .outOfMemory }
    runner.resize(for: frame.size)
    var info = info(of: frame)
    try unsafe check(JxlEncoderSetParallelRunner(encoder, JxlResizableParallelRunner, runner.opaque), encoder)
    try unsafe check(JxlEncoderSetBasicInfo(encoder, &info), encoder)
    try unsafe check(JxlEncoderSetColorEncoding(encoder, &color), encoder)
    guard let settings = unsafe JxlEncoderFrameSettingsCreate(encoder, nil) else { throw .outOfMemory }
    try unsafe check(
      JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, Int64(effort)), encoder)
    if distance == 0 {
      try unsafe check(JxlEncoderSetFrameLossless(settings, JXL_TRUE), encoder)
    } else {
      try unsafe check(JxlEncoderSetFrameDistance(settings, distance), encoder)
    }
    try unsafe add(frame, settings, encoder)
    unsafe JxlEncoderCloseInput(encoder)
    return try unsafe output(encoder)
  }

  private func info(of frame: CodedFrame) -> JxlBasicInfo {
    var info = JxlBasicInfo()
    unsafe JxlEncoderInitBasicInfo(&info)
    info.xsize = UInt32(clamping: frame.size.width)
    info.ysize = UInt32(clamping: frame.size.height)
    if let pointScale, pointScale > 1 {
      info.intrinsic_xsize = info.xsize / UInt32(pointScale)
      info.intrinsic_ysize = info.ysize / UInt32(pointScale)
    }
    // libjxl 0.7 rounds half floats below 2^-14, which are normal as floats.
    info.bits_per_sample = frame.layout.samples == .half ? 32 : UInt32(frame.layout.bitDepth)
    info.exponent_bits_per_sample = frame.layout.samples == .half ? 8 : 0
    // Without, samples go through libjxl's own colour space, which rounds them.
    info.uses_original_profile = distance == 0 ? JXL_TRUE : JXL_FALSE
    if frame.color.transfer == .linear {
      info.intensity_target = Float(frame.metadata.linearUnit ?? 0)
    } else if frame.color.transfer == .pq {
      info.intensity_target = Float(frame.metadata.contentLight?.maxCLL ?? 0)
    }
    return info
  }

  private func add(
    _ frame: CodedFrame, _ settings: OpaquePointer, _ encoder: OpaquePointer
  ) throws(ImageFileError) {
    let type =
      frame.layout.samples == .half
      ? JXL_TYPE_FLOAT : frame.layout.bytesPerSample == 1 ? JXL_TYPE_UINT8 : JXL_TYPE_UINT16
    var format = JxlPixelFormat(num_channels: 3, data_type: type, endianness: JXL_NATIVE_ENDIAN, align: 0)
    let status =
      if frame.layout.samples == .half {
        unsafe Self.floats(frame).withUnsafeBytes { floats in
          unsafe JxlEncoderAddImageFrame(settings, &format, floats.baseAddress, floats.count)
        }
      } else {
        unsafe Self.words(frame).withUnsafeBytes { words in
          unsafe JxlEncoderAddImageFrame(settings, &format, words.baseAddress, words.count)
        }
      }
    try unsafe check(status, encoder)
  }

  private static func words(_ frame: CodedFrame) -> [UInt8] {
    let stride = 3 * frame.size.width * frame.layout.bytesPerSample
    return unsafe [UInt8](unsafeUninitializedCapacity: stride * frame.size.height) { buffer, count in
      count = buffer.count
      guard let base = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
      for y in 0..<frame.size.height { unsafe frame.interleave(row: y, to: base + y * stride) }
    }
  }

  private static func floats(_ frame: CodedFrame) -> [Float] {
    let size = frame.size
    var floats = [Float](repeating: 0, count: 3 * size.width * size.height)
    // Planes are green, blue, red; components go as red, green, blue.
    for (plane, component) in [1, 2, 0].enumerated() {
      for y in 0..<size.height {
        unsafe frame.withHalfRow(plane, y) { row in
          for x in 0..<size.width {
            floats[3 * (y * size.width + x) + component] = Float(Float16(bitPattern: unsafe row[x]))
          }
        }
      }
    }
    return floats
  }

  private func output(_ encoder: OpaquePointer) throws(ImageFileError) -> [UInt8] {
    var result: [UInt8] = []
    var status = JXL_ENC_NEED_MORE_OUTPUT
    while status == JXL_ENC_NEED_MORE_OUTPUT {
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
        var next = buffer.baseAddress
        var room = buffer.count
        unsafe status = JxlEncoderProcessOutput(encoder, &next, &room)
        count = buffer.count - room
      }
      result += piece
    }
    try unsafe check(status, encoder)
    return result
  }

  private func check(_ status: JxlEncoderStatus, _ encoder: OpaquePointer) throws(ImageFileError) {
    if status == JXL_ENC_SUCCESS { return }
    let error = unsafe JxlEncoderGetError(encoder)
    if error == JXL_ENC_ERR_OOM { throw .outOfMemory }
    throw .notEncoded(format: Self.format, reason: "libjxl's error \(error.rawValue)")
  }

  private static let format = "JPEG XL"
}
