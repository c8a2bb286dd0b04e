internal import CFFmpeg
internal import Frames
public import Media

/// Decodes the packets of a subtitle stream, and collects the subtitles.
@safe
final class SubtitleDecoder {
  // @safe: the pointer does not leave this module, and is freed with this object.
  private let decoder: UnsafeMutablePointer<AVCodecContext>
  private let path: String
  private let limits: SubtitleReader.Limits
  private let timeBase: AVRational
  /// Time shift of the subtitles, in microseconds.
  private let offset: Int64
  private var lines: [SubtitleScript.Line] = []
  private var pictures: [SubtitlePicture] = []
  private var palettes = PGSPalettes()
  private var bytes = 0
  private var errors = 0
  /// Whether the current packet was decoded incompletely.
  private var isDamaged = false

  /// - Parameter offset: Seconds by which subtitles are moved.
  /// - Throws: `FFmpegError` if the stream cannot be decoded.
  init(_ stream: StreamCopy, path: String, limits: SubtitleReader.Limits, offset: Double) throws(FFmpegError) {
    guard stream.kind == .subtitle else { throw .noSubtitles(path: path) }
    guard let codec = unsafe avcodec_find_decoder(stream.parameters.pointee.codec_id)
    else { throw .unsupportedCodec(name: stream.codecName, path: path) }
    guard let decoder = unsafe avcodec_alloc_context3(codec) else { throw .outOfMemory }
    unsafe self.decoder = unsafe decoder
    (self.path, self.limits) = (path, limits)
    timeBase = stream.timeBase.native ?? AVRational(num: 1, den: 1000)
    let microseconds = (offset * 1e6).rounded()
    self.offset = Int64(exactly: microseconds) ?? 0
    let copied = unsafe avcodec_parameters_to_context(decoder, stream.parameters)
    if copied < 0 { throw .failure(.openDecoder, path, copied) }
    unsafe decoder.pointee.pkt_timebase = timeBase
    unsafe decoder.pointee.max_pixels = Int64(limits.pixels)
    // The decoder determines the size again, so that only an oversized subtitle is rejected.
    if unsafe Int(decoder.pointee.width) * Int(decoder.pointee.height) > limits.pixels {
      unsafe (decoder.pointee.width, decoder.pointee.height) = (0, 0)
    }
    let (code, said) = FFmpegLog.listening { unsafe avcodec_open2(decoder, codec, nil) }
    if code < 0 { throw .failure(.openDecoder, path, code, detail: said) }
  }

  deinit { unsafe release(decoder, avcodec_free_context) }

  /// Decodes a packet; failures are counted.
  /// - Throws: `FFmpegError.tooManySubtitles`.
  func decode(_ packet: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) {
    var (subtitle, isThere) = (unsafe AVSubtitle(), Int32(0))
    let duration = unsafe av_rescale_q(max(0, packet.pointee.duration), timeBase, AVRational(num: 1, den: 1000))
    // FFmpeg's PGS decoder only logs missing data.
    let (code, said) = FFmpegLog.listening {
      unsafe avcodec_decode_subtitle2(decoder, &subtitle, &isThere, packet)
    }
    if isPGS { unsafe palettes.read(packet.pointee) }
    isDamaged = code < 0 || isPGS && !said.isEmpty
    defer { if isDamaged { errors += 1 } }
    guard isThere != 0 else { return }
    defer { unsafe avsubtitle_free(&subtitle) }
    guard let time = unsafe known(subtitle.pts) else {
      isDamaged = true
      return
    }
    let (base, overflow) = time.addingReportingOverflow(offset)
    // Times are added below; a thousandth of the range is 292 years.
    guard !overflow, base.magnitude < UInt64(Int64.max / 1000) else {
      isDamaged = true
      return
    }
    unsafe keepLines(subtitle, at: base, stated: duration)
    unsafe keepPicture(subtitle, at: base)
    guard lines.count + pictures.count <= limits.count, bytes <= limits.bytes
    else { throw .tooManySubtitles(path: path, count: lines.count + pictures.count, bytes: bytes) }
  }

  /// The subtitles decoded so far.
  func track(fonts: [SubtitleScript.Font]) -> SubtitleTrack {
    if isText {
      let isNative = unsafe [AV_CODEC_ID_ASS, AV_CODEC_ID_SSA].contains(decoder.pointee.codec_id)
      let script = SubtitleScript(header: header, isNative: isNative, lines: lines, fonts: fonts)
      return SubtitleTrack(.script(script), errors: errors)
    }
    // Files may store them in a different order.
    return SubtitleTrack(.pictures(pictures.sorted { $0.start < $1.start }), errors: errors)
  }

  private var isPGS: Bool { unsafe decoder.pointee.codec_id == AV_CODEC_ID_HDMV_PGS_SUBTITLE }

  private var isText: Bool {
    unsafe (avcodec_descriptor_get(decoder.pointee.codec_id)?.pointee.props ?? 0) & AV_CODEC_PROP_TEXT_SUB != 0
  }

  private var header: [UInt8] {
    guard let header = unsafe decoder.pointee.subtitle_header else { return [] }
    return unsafe [UInt8](
      UnsafeBufferPointer(start: header, count: Int(max(decoder.pointee.subtitle_header_size, 0))))
  }

  /// - Parameters:
  ///   - base: Time in microseconds.
  ///   - stated: Duration that the container states, in milliseconds.
  private func keepLines(_ subtitle: AVSubtitle, at base: Int64, stated: Int64) {
    guard isText else { return }
    // Rounded as ffmpeg's filter does.
    let start = av_rescale_q(base, AVRational(num: 1, den: 1_000_000), AVRational(num: 1, den: 1000))
    let shown = unsafe Int64(subtitle.end_display_time) - Int64(subtitle.start_display_time)
    let isKnown = unsafe shown > 0 && subtitle.end_display_time < UInt32.max
    for index in unsafe 0..<Int(subtitle.num_rects) {
      guard let part = unsafe subtitle.rects[index], let text = unsafe part.pointee.ass else { continue }
      let length = unsafe strlen(text)
      guard length <= limits.textBytes else {
        isDamaged = true
        continue
      }
      let line = unsafe UnsafeRawBufferPointer(start: text, count: length)
      unsafe lines.append(
        SubtitleScript.Line(
          start: start + Int64(subtitle.start_display_time), duration: isKnown ? shown : stated, text: [UInt8](line)))
      bytes += length
    }
  }

  /// - Parameter base: Time in microseconds.
  private func keepPicture(_ subtitle: AVSubtitle, at base: Int64) {
    guard !isText else { return }
    let (first, last) = unsafe (subtitle.start_display_time, subtitle.end_display_time)
    // PGS never states an end, and DVD almost always does.
    let hasEnd = !isPGS && last > first && last < UInt32.max
    let size = unsafe Size(width: Int(decoder.pointee.width), height: Int(decoder.pointee.height))
    var parts: [SubtitlePicture.Part] = []
    for index in unsafe 0..<Int(subtitle.num_rects) {
      guard let rectangle = unsafe subtitle.rects[index]?.pointee else { continue }
      // Not every decoder keeps to its limit.
      guard unsafe Int(rectangle.w) * Int(rectangle.h) <= limits.pixels else {
        isDamaged = true
        continue
      }
      if let part = unsafe part(rectangle) { parts.append(part) }
    }
    bytes += parts.reduce(64) { $0 + $1.picture.byteCount }
    pictures.append(
      SubtitlePicture(
        start: base + Int64(first) * 1000, end: hasEnd ? base + Int64(last) * 1000 : nil,
        canvas: size.width > 0 && size.height > 0 ? size : nil,
        hasSquarePixels: isPGS, coding: isPGS ? size.height > Self.standardHeight ? .bt709 : .bt601 : .sRGB,
        parts: parts))
  }

  /// Maximum number of lines with BT.601 colours.
  private static let standardHeight = 576

  private func part(_ part: AVSubtitleRect) -> SubtitlePicture.Part? {
    guard unsafe part.type == SUBTITLE_BITMAP, let pixels = unsafe part.data.0, let codes = unsafe part.data.1,
      unsafe part.w > 0 && part.h > 0
    else { return nil }
    let (width, stride) = unsafe (Int(part.w), Int(part.linesize.0))
    let colors = unsafe isPGS ? palettes.presented : Self.colors(codes, count: Int(part.nb_colors))
    let picture = unsafe PalettePicture(size: Size(width: width, height: Int(part.h)), palette: colors) { row in
      unsafe [UInt8](UnsafeBufferPointer(start: pixels + row * stride, count: width))
    }
    return unsafe SubtitlePicture.Part(x: Int(part.x), y: Int(part.y), picture)
  }

  /// Colours as 0xAARRGGBB in native byte order.
  private static func colors(_ codes: UnsafePointer<UInt8>, count: Int) -> [SIMD4<UInt8>] {
    (0..<min(count, 256)).map { index in
      let color = unsafe UnsafeRawPointer(codes).loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
      return SIMD4(
        UInt8(truncatingIfNeeded: color >> 16), UInt8(truncatingIfNeeded: color >> 8),
        UInt8(truncatingIfNeeded: color), UInt8(truncatingIfNeeded: color >> 24))
    }
  }
}

/// Reads all subtitles of a stream, which requires reading the whole file.
public struct SubtitleReader {
  /// Limits on the memory for subtitles.
  public struct Limits: Sendable, Hashable {
    /// Number of subtitles.
    public var count = 1_000_000
    /// Bytes of all text, or of all pictures as runs.
    public var bytes = 512 << 20
    /// Bytes of a single subtitle's text; as in ffmpeg.
    public var textBytes = 1 << 20
    /// Pixels of a canvas, or of a picture on it: 8K, as for decoded pictures.
    public var pixels = 8192 * 4352

    /// The defaults.
    public init() {}
  }

  private let demuxer: Demuxer
  private let index: Int
  private let limits: Limits

  /// - Parameters:
  ///   - url: A path, or a URL of an allowed protocol.
  ///   - index: Index of the stream.
  ///   - format: FFmpeg's name of the container; nil: detected from the content.
  ///   - protocols: Protocols allowed besides files.
  ///   - limits: Limits on the subtitles that are kept.
  /// - Throws: `FFmpegError` if it cannot be opened.
  public init(
    url: String, stream index: Int, format: String? = nil, protocols: [String] = [], limits: Limits = Limits()
  ) throws(FFmpegError) {
    FFmpegLog.prepare()
    let policy = ProtocolPolicy(protocols)
    demuxer = try Demuxer(Location(input: url, policy), format: format, protocols: policy)
    (self.index, self.limits) = (index, limits)
  }

  /// Reads to the end.
  /// - Parameters:
  ///   - offset: Seconds by which subtitles are moved.
  ///   - isStopped: Polled regularly; true ends reading.
  /// - Throws: `FFmpegError` if the stream does not contain subtitles, the system cannot read on, or the limits are
  ///   exceeded. Damage ends reading, as in a run over the same file.
  public func read(movedBy offset: Double = 0, isStopped: () -> Bool = { false }) throws(FFmpegError) -> SubtitleTrack {
    let path = demuxer.location.name
    guard let stream = unsafe demuxer.streams.first(where: { unsafe Int($0.pointee.index) == index })
    else { throw .noSubtitles(path: path) }
    let decoder = try SubtitleDecoder(unsafe StreamCopy(stream), path: path, limits: limits, offset: offset)
    var clock = TimestampCorrector(isNeeded: demuxer.mayJump)
    demuxer.select([index])
    guard let packet = unsafe av_packet_alloc() else { throw .outOfMemory }
    defer { unsafe release(packet, av_packet_free) }
    while !isStopped(), try unsafe read(into: packet, isStopped) {
      defer { unsafe av_packet_unref(packet) }
      if let stream = unsafe demuxer.context.pointee.streams[Int(packet.pointee.stream_index)] {
        unsafe clock.mend(packet, of: stream)
      }
      if unsafe Int(packet.pointee.stream_index) == index { try unsafe decoder.decode(packet) }
    }
    return decoder.track(fonts: fonts)
  }

  /// Reads the next packet; false at the end.
  private func read(
    into packet: UnsafeMutablePointer<AVPacket>, _ isStopped: () -> Bool
  ) throws(FFmpegError) -> Bool {
    while !isStopped() {
      let code = unsafe av_read_frame(demuxer.context, packet)
      if code == hr_error_again() {
        av_usleep(10_000)
        continue
      }
      if code >= 0 { return true }
      let cause = demuxer.location.withoutBlame(code)
      if FFmpegError.isOfSystem(cause) || cause == hr_error_no_memory() {
        throw .failure(.read, demuxer.location.name, cause)
      }
      return false
    }
    return false
  }

  /// Fonts attached to the file.
  private var fonts: [SubtitleScript.Font] {
    unsafe demuxer.streams.compactMap { stream in
      guard let parameters = unsafe stream.pointee.codecpar, let data = unsafe parameters.pointee.extradata,
        unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT
      else { return nil }
      let tags = unsafe entries(stream.pointee.metadata)
      let name = tags["filename"] ?? "font"
      guard Self.isFont(mimeType: tags["mimetype"], name: name) else { return nil }
      let bytes = unsafe UnsafeBufferPointer(start: data, count: Int(parameters.pointee.extradata_size))
      return unsafe SubtitleScript.Font(name: name, bytes: [UInt8](bytes))
    }
  }

  /// Whether an attachment is a font; old files state "application/octet-stream".
  private static func isFont(mimeType: String?, name: String) -> Bool {
    let type = mimeType?.lowercased() ?? ""
    return type.contains("font") || type.contains("truetype") || type.contains("opentype")
      || [".ttf", ".otf", ".ttc", ".otc"].contains { name.lowercased().hasSuffix($0) }
  }
}

/// The palettes of Blu-ray subtitles (PGS) in coded form: FFmpeg converts them to BT.709 R'G'B', with clipping. Source:
/// US patent application 2009/0185789 A1, segments of graphics streams.
struct PGSPalettes {
  private enum Segment {
    static let palette: UInt8 = 0x14
    static let presentation: UInt8 = 0x16
  }

  /// Number of colours in a palette.
  private static let count = 256

  private var palettes: [UInt8: [SIMD4<UInt8>]] = [:]
  /// Number of the presented palette.
  private var number: UInt8 = 0

  /// Luma, Cb, Cr and alpha of the presented palette; missing colours are transparent.
  var presented: [SIMD4<UInt8>] { palettes[number] ?? [] }

  /// Reads the definitions in a packet's segments.
  mutating func read(_ packet: AVPacket) {
    guard let base = unsafe packet.data, unsafe packet.size > 0 else { return }
    // The packet's bytes outlive this call, which retains none of them.
    let bytes = unsafe Span(_unsafeStart: base, count: Int(unsafe packet.size))
    var place = 0
    // A segment begins with its type and its length.
    while place + 3 <= bytes.count {
      let end = place + 3 + Int(bytes[place + 1]) << 8 + Int(bytes[place + 2])
      guard end <= bytes.count else { return }
      let content = place + 3..<end
      switch bytes[place] {
      case Segment.palette: define(bytes, content)
      case Segment.presentation: present(bytes, content)
      default: break
      }
      place = end
    }
  }

  /// Reads the number and version of the palette, then an index, Y', Cr, Cb and alpha for each colour.
  private mutating func define(_ bytes: Span<UInt8>, _ content: Range<Int>) {
    guard content.count >= 2 else { return }
    var colors = palettes[bytes[content.lowerBound]] ?? [SIMD4<UInt8>](repeating: .zero, count: Self.count)
    for place in stride(from: content.lowerBound + 2, to: content.upperBound - 4, by: 5) {
      colors[Int(bytes[place])] = SIMD4(bytes[place + 1], bytes[place + 3], bytes[place + 2], bytes[place + 4])
    }
    palettes[bytes[content.lowerBound]] = colors
  }

  /// A nonzero state, in byte 7, discards all definitions; byte 9 is the number of the palette.
  private mutating func present(_ bytes: Span<UInt8>, _ content: Range<Int>) {
    guard content.count >= 10 else { return }
    if bytes[content.lowerBound + 7] >> 6 != 0 { palettes = [:] }
    number = bytes[content.lowerBound + 9]
  }
}
