internal import CJXL
internal import FFmpegIO
internal import ColorScience
public import Frames

/// Encodes R'G'B' frames of 8 or 16 bits and linear half-float frames as JPEG XL.
///
/// The colour space is written as an enumerated encoding, not as an ICC profile. `intensity_target` is MaxCLL for PQ if
/// known, and the luminance of 1.0 for linear light; otherwise libjxl's default, which is 10000, 1000 and 255 cd/m² for
/// PQ, HLG and standard range.
/// Source: ISO/IEC 18181-1; the headers of libjxl 0.7.
public struct JXLEncoder: ImageEncoder {
  /// Maximum butteraugli distance from the source, 0...15; 0 is lossless.
  public let distance: Float
  /// 1...9, from fast to small.
  public let effort: Int
  private let pointScale: Int?

  /// libjxl considers 1 visually lossless.
  public static let defaultDistance: Float = 0.5

  /// An encoder with a visual quality.
  /// - Parameters:
  ///   - distance: libjxl considers 1 visually lossless.
  ///   - effort: nil: 5, or 3 for lossless, which takes at most a few seconds for 2 million pixels; libjxl's default is
  ///     7.
  ///   - pointScale: Pixels per point, which sets the intrinsic size; nil: unknown.
  public init(distance: Float = defaultDistance, effort: Int? = nil, pointScale: Int? = nil) {
    self.pointScale = pointScale
    self.distance = min(max(distance, 0), 15)
    self.effort = min(max(effort ?? (distance > 0 ? 5 : 3), 1), 9)
  }

  /// Supported layouts.
  public static let layouts = [PixelLayout(.rgb, bitDepth: 8), PixelLayout(.rgb, bitDepth: 16), .linearRGB]

  public func encode(_ frame: CodedFrame) throws(ImageFileError) -> [UInt8] {
    guard Self.layouts.contains(frame.layout) else {
      throw .notEncoded(format: Self.format, reason: "it supports R'G'B' of 8 and 16 bits and linear half float")
    }
    guard var color = JxlColorEncoding(frame.color)
    else { throw .notEncoded(format: Self.format, reason: "it cannot signal the colours of the frame") }
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
    // Otherwise samples are rounded by libjxl's internal colour space.
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
    // Planes are green, blue, red; samples are interleaved red, green, blue.
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
    throw .notEncoded(format: Self.format, reason: "libjxl error \(error.rawValue)")
  }

  private static let format = "JPEG XL"
}
