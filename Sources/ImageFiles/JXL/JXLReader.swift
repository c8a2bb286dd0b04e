internal import Bitstreams
internal import CJXL
internal import ColorScience
internal import Compositing
internal import FFmpegIO
internal import Frames
internal import Media

/// Reads the first picture of JPEG XL files.
///
/// Source: ISO/IEC 18181-1 and -2; the headers of libjxl 0.7.
public enum JXLReader {
  /// R'G'B' of 8 or 16 bits, or linear half float if the file holds linear light, or floating-point samples with sRGB
  /// or power curves.
  ///
  /// The unit of linear light is `intensity_target`; for PQ it is MaxCLL, unless it is 10000 cd/m².
  /// - Throws: `ImageFileError.unreadable` if libjxl cannot read it, `.unsupported`, `.outOfMemory`.
  public static func read(_ path: String) throws(ImageFileError) -> StillImage {
    let file = try WholeFile.bytes(of: path)
    let decoder = try JXLDecoder(path: path)
    return try unsafe file.withUnsafeBufferPointer { bytes throws(ImageFileError) in
      try unsafe decoder.image(of: bytes)
    }
  }
}

/// The threads that libjxl uses for a picture.
@safe
final class JXLRunner {
  // @safe: the pointer does not leave this module, and is freed with this object.
  let opaque: UnsafeMutableRawPointer

  /// Starts with one thread; nil if the system is out of memory.
  init?() {
    guard let opaque = unsafe JxlResizableParallelRunnerCreate(nil) else { return nil }
    unsafe self.opaque = unsafe opaque
  }

  /// Uses as many threads as libjxl suggests for a size.
  func resize(for size: Size) {
    let threads = JxlResizableParallelRunnerSuggestThreads(UInt64(size.width), UInt64(size.height))
    unsafe JxlResizableParallelRunnerSetThreads(opaque, Int(threads))
  }

  deinit { unsafe JxlResizableParallelRunnerDestroy(opaque) }
}

/// Owns a `JxlDecoder`, which reads a file once.
@safe
final class JXLDecoder {
  // @safe: the pointers do not leave this object, and are freed with it.
  private let decoder: OpaquePointer
  private let path: String
  /// The output buffer of libjxl.
  private var pixels: UnsafeMutableRawBufferPointer?
  private let runner: JXLRunner
  private var info = JxlBasicInfo()
  private var tags = ColorTags(range: .full)
  private var notes: [String] = []

  init(path: String) throws(ImageFileError) {
    guard let runner = JXLRunner(), let decoder = unsafe JxlDecoderCreate(nil) else { throw .outOfMemory }
    self.runner = runner
    unsafe self.decoder = unsafe decoder
    self.path = path
  }

  deinit {
    unsafe JxlDecoderDestroy(decoder)
    unsafe pixels?.deallocate()
  }

  /// The first picture of a file.
  func image(of file: UnsafeBufferPointer<UInt8>) throws(ImageFileError) -> StillImage {
    let events = JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_COLOR_ENCODING.rawValue | JXL_DEC_FULL_IMAGE.rawValue
    try unsafe check(JxlDecoderSetParallelRunner(decoder, JxlResizableParallelRunner, runner.opaque))
    try unsafe check(JxlDecoderSubscribeEvents(decoder, Int32(events)))
    try unsafe check(JxlDecoderSetInput(decoder, file.baseAddress, file.count))
    unsafe JxlDecoderCloseInput(decoder)
    while true {
      switch unsafe JxlDecoderProcessInput(decoder) {
      case JXL_DEC_BASIC_INFO: try readInfo()
      case JXL_DEC_COLOR_ENCODING: try readColor()
      case JXL_DEC_NEED_IMAGE_OUT_BUFFER: try preparePixels()
      case JXL_DEC_FULL_IMAGE: return decodedImage()
      case JXL_DEC_NEED_MORE_INPUT: throw .unreadable(path: path, reason: "it is truncated")
      default: throw .unreadable(path: path, reason: "it is damaged, or not a JPEG XL file that libjxl supports")
      }
    }
  }

  private var size: Size { Size(width: Int(info.xsize), height: Int(info.ysize)) }

  private func readInfo() throws(ImageFileError) {
    try unsafe check(JxlDecoderGetBasicInfo(decoder, &info))
    try size.check(path: path)
    for index in 0..<Int(min(info.num_extra_channels, 256)) {
      var extra = JxlExtraChannelInfo()
      try unsafe check(JxlDecoderGetExtraChannelInfo(decoder, index, &extra))
      if extra.type == JXL_CHANNEL_BLACK {
        throw .unsupported(path: path, reason: "it is CMYK: convert it to RGB first")
      }
    }
    if info.have_animation != 0 { notes.append("It is animated; only its first picture is used.") }
    runner.resize(for: size)
  }

  private func readColor() throws(ImageFileError) {
    var color = JxlColorEncoding()
    let original = unsafe hr_jxl_encoded_profile(decoder, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &color)
    // Pictures in libjxl's internal colour space are converted back to their original space.
    if original == JXL_DEC_SUCCESS, info.uses_original_profile == JXL_FALSE {
      _ = unsafe JxlDecoderSetPreferredColorProfile(decoder, &color)
    }
    if unsafe hr_jxl_encoded_profile(decoder, JXL_COLOR_PROFILE_TARGET_DATA, &color) == JXL_DEC_SUCCESS {
      tags = color.tags
    } else if let profile = try profile() {
      if profile.tags == nil { notes.append(StillImage.note(unrecognized: profile)) }
      tags = tags.merged(over: profile.tags ?? ColorTags())
    }
  }

  /// Largest profile that is examined. Source: ISO/IEC 18181-1, annex M, level 5.
  private static let maxProfile = 1 << 22

  private func profile() throws(ImageFileError) -> ICCProfile? {
    var size = 0
    guard
      unsafe hr_jxl_icc_profile_size(decoder, JXL_COLOR_PROFILE_TARGET_DATA, &size) == JXL_DEC_SUCCESS,
      size <= Self.maxProfile
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: size)
    try unsafe check(hr_jxl_icc_profile(decoder, JXL_COLOR_PROFILE_TARGET_DATA, &bytes, bytes.count))
    return ICCProfile(bytes)
  }

  /// Conversion to linear light, if the samples are floats of another signal: code values would clip them to 0...1.
  private var curve: SignalCurve? {
    info.exponent_bits_per_sample == 0 ? nil : tags.transfer.flatMap { SignalCurve($0) }
  }

  private var layout: PixelLayout {
    if tags.transfer == .linear || curve != nil { return .linearRGB }
    return PixelLayout(.rgb, bitDepth: info.exponent_bits_per_sample == 0 && info.bits_per_sample <= 8 ? 8 : 16)
  }

  /// Red, green, blue, and alpha if present.
  private var samplesPerPixel: Int { info.alpha_bits > 0 ? 4 : 3 }

  /// Bytes in libjxl's buffer: floats rather than half floats, because libjxl rounds the smallest half floats.
  private var bytesPerSample: Int { layout.samples == .half ? 4 : layout.bytesPerSample }

  private func preparePixels() throws(ImageFileError) {
    let type =
      layout.samples == .half
      ? JXL_TYPE_FLOAT : layout.bytesPerSample == 1 ? JXL_TYPE_UINT8 : JXL_TYPE_UINT16
    var format = JxlPixelFormat(
      num_channels: UInt32(samplesPerPixel), data_type: type, endianness: JXL_NATIVE_ENDIAN, align: 0)
    var count = 0
    try unsafe check(JxlDecoderImageOutBufferSize(decoder, &format, &count))
    guard count == samplesPerPixel * size.width * size.height * bytesPerSample
    else { throw .unreadable(path: path, reason: "its size changes") }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 64)
    unsafe pixels?.deallocate()
    unsafe pixels = unsafe buffer
    try unsafe check(JxlDecoderSetImageOutBuffer(decoder, &format, buffer.baseAddress, count))
  }

  private func decodedImage() -> StillImage {
    var metadata = HDRMetadata()
    let target = Double(info.intensity_target)
    if layout.samples == .half {
      metadata.linearUnit = target > 0 ? target : nil
    } else if tags.transfer == .pq, target > 0, target < PQ.peak {
      metadata.contentLight = ContentLight(roundingUp: target, maxFALL: 0)
    }
    let curve = curve
    var tags = tags
    if curve != nil { tags.transfer = .linear }
    let frame = CodedFrame(
      size: size, layout: layout, color: tags.description(for: layout), metadata: metadata)
    var alpha = samplesPerPixel == 4 ? AlphaPlane(size: size) : nil
    if let base = unsafe pixels?.baseAddress {
      let stride = samplesPerPixel * size.width * bytesPerSample
      for y in 0..<size.height { unsafe take(row: y, from: base + y * stride, frame, &alpha, curve) }
    }
    let still = alpha.map {
      StillAlpha(plane: $0, isPremultiplied: info.alpha_premultiplied != JXL_FALSE && curve == nil)
    }
    return StillImage(formatName: "jxl", codecName: "jpegxl", frame: frame, alpha: still, notes: notes)
  }

  /// Planes are green, blue, red; samples are interleaved red, green, blue, alpha.
  private func take(
    row y: Int, from row: UnsafeMutableRawPointer, _ frame: CodedFrame, _ alpha: inout AlphaPlane?,
    _ curve: SignalCurve?
  ) {
    for x in 0..<size.width {
      let pixel = samplesPerPixel * x
      var opacity: Float = 1
      if samplesPerPixel == 4 {
        opacity = unsafe sample(row, pixel + 3) / (layout.samples == .half ? 1 : bytesPerSample == 1 ? 255 : 65_535)
        alpha?[x, y] = opacity
      }
      for (plane, component) in [1, 2, 0].enumerated() {
        let value = unsafe sample(row, pixel + component)
        if layout.samples == .half {
          // A curve applies to unpremultiplied colours.
          let divides = curve != nil && info.alpha_premultiplied != JXL_FALSE && opacity > 0
          let own = divides ? value / opacity : value
          frame.setSample(Int(HalfSample.bits(curve?.light(own) ?? own)), plane: plane, x: x, y: y)
        } else {
          frame.setSample(Int(value), plane: plane, x: x, y: y)
        }
      }
    }
  }

  /// A sample of a row in libjxl's buffer.
  private func sample(_ row: UnsafeMutableRawPointer, _ index: Int) -> Float {
    switch bytesPerSample {
    case 1: Float(unsafe row.load(fromByteOffset: index, as: UInt8.self))
    case 2: Float(unsafe row.load(fromByteOffset: 2 * index, as: UInt16.self))
    default: unsafe row.load(fromByteOffset: 4 * index, as: Float.self)
    }
  }

  private func check(_ status: JxlDecoderStatus) throws(ImageFileError) {
    if status != JXL_DEC_SUCCESS { throw .unreadable(path: path, reason: "libjxl error \(status.rawValue)") }
  }
}
