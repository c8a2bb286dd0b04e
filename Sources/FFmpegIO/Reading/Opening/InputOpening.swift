internal import CFFmpeg
internal import Files

/// Opens an input within the limits of decision 0018.
struct InputOpening {
  let location: Location
  /// FFmpeg's name of the format, if the user specified one.
  let format: String?
  let protocols: ProtocolPolicy
  let interruption: ReadInterruption
  /// Reads a stream; nil: FFmpeg opens the file.
  let pipe: PipeInput?

  /// Probe score, out of 100, below which FFmpeg is guessing.
  private static let minimumScore = AVPROBE_SCORE_MAX / 4

  /// Whether a line is the error of FFmpeg's Y4M reader for other content.
  private static func isNotY4M(_ line: String) -> Bool {
    ["Invalid magic number for yuv4mpeg", "Header too large"].contains { line.contains($0) }
  }

  func open() throws(FFmpegError) -> UnsafeMutablePointer<AVFormatContext> {
    var context = unsafe avformat_alloc_context()
    guard let prepared = unsafe context else { throw .outOfMemory }
    unsafe prepared.pointee.interrupt_callback = unsafe interruption.callback
    if let pipe { unsafe prepared.pointee.pb = unsafe pipe.context }
    var options: OpaquePointer?
    defer { unsafe av_dict_free(&options) }
    do throws(FFmpegError) {
      let input = try unsafe inputFormat(prepared)
      unsafe restrict(prepared, input, &options)
      let (code, lines) = FFmpegLog.listening {
        unsafe avformat_open_input(&context, location.url.systemName, input, &options)
      }
      if code < 0 { throw failure(code, lines) }
    } catch {
      unsafe avformat_free_context(context)
      throw error
    }
    guard let opened = unsafe context else { throw .outOfMemory }
    return unsafe opened
  }

  /// Sets the formats and protocols of this input and of anything it references.
  private func restrict(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ input: UnsafePointer<AVInputFormat>?,
    _ options: inout OpaquePointer?
  ) {
    var requested = FormatPolicy.formats(requestedBy: location.suffix)
    if let input = unsafe input { requested += unsafe FormatPolicy.names(of: input) }
    if let scheme = location.name.split(separator: ":").first, location.path == nil {
      requested += FormatPolicy.schemes[String(scheme).lowercased()] ?? []
    }
    let protocols = location.isPart ? "subfile,file" : protocols.whitelist
    unsafe av_opt_set(context, "format_whitelist", FormatPolicy.whitelist(requested: requested), 0)
    unsafe av_opt_set(context, "protocol_whitelist", protocols, 0)
    // Audio and pictures of a movie must be in the movie file.
    unsafe av_dict_set(&options, "enable_drefs", "0", 0)
    unsafe av_dict_set(&options, "use_absolute_path", "0", 0)
    // The literal file name, even if it looks like a pattern.
    if format == nil, location.byteCount != nil { unsafe av_dict_set(&options, "pattern_type", "none", 0) }
  }

  /// - Returns: nil if FFmpeg detects it: for a URL, or for pictures by a name pattern.
  private func inputFormat(
    _ context: UnsafeMutablePointer<AVFormatContext>
  ) throws(FFmpegError) -> UnsafePointer<AVInputFormat>? {
    if let wanted = format ?? (location.isStandardStream ? ContainerTraits.ofStandardStreams : nil) {
      guard let found = unsafe av_find_input_format(wanted) else { throw .unknownInputFormat(name: wanted) }
      return unsafe UnsafePointer(found)
    }
    if let pipe { return try unsafe probe(pipe.context, context) }
    guard location.byteCount != nil else { return nil }
    var file: UnsafeMutablePointer<AVIOContext>?
    var callback = unsafe interruption.callback
    var options: OpaquePointer?
    unsafe av_dict_set(&options, "protocol_whitelist", location.isPart ? "subfile,file" : protocols.whitelist, 0)
    defer { unsafe av_dict_free(&options) }
    let (code, lines) = FFmpegLog.listening {
      unsafe avio_open2(&file, location.url.systemName, AVIO_FLAG_READ, &callback, &options)
    }
    guard code >= 0, let opened = unsafe file else { throw failure(code, lines) }
    defer { unsafe avio_closep(&file) }
    return try unsafe probe(opened, context)
  }

  /// Detects the format.
  private func probe(
    _ file: UnsafeMutablePointer<AVIOContext>, _ context: UnsafeMutablePointer<AVFormatContext>
  ) throws(FFmpegError) -> UnsafePointer<AVInputFormat>? {
    var found: UnsafePointer<AVInputFormat>?
    // Only the suffix of the name matters, not patterns or URLs.
    let name = location.suffix.isEmpty ? "" : "file." + location.suffix
    let (score, lines) = FFmpegLog.listening {
      unsafe av_probe_input_buffer2(file, &found, name, context, 0, UInt32(context.pointee.format_probesize))
    }
    guard score >= 0, let format = unsafe found else { throw failure(score, lines) }
    let named = unsafe FormatPolicy.names(of: format).first ?? "unknown"
    let isGuess = unsafe score < Self.minimumScore && av_match_ext(name, format.pointee.extensions) == 0
    if unsafe FormatPolicy.isOpen(format, suffix: location.suffix), !isGuess { return unsafe format }
    if isGuess || named == FormatPolicy.plainText { throw .unrecognized(path: location.name, format: named) }
    throw .namesOtherFiles(
      path: location.name, format: named, suffix: unsafe FormatPolicy.suffix(requesting: format))
  }

  private func failure(_ code: Int32, _ lines: [String]) -> FFmpegError {
    if format == nil, location.isStandardStream, lines.contains(where: Self.isNotY4M) {
      let isEmpty = pipe.map { unsafe $0.context.pointee.bytes_read == 0 } ?? false
      return isEmpty ? .standardInputIsEmpty : .standardInputIsNotY4M
    }
    if let name = ProtocolPolicy.refused(in: lines) { return .protocolNotAllowed(path: location.name, name: name) }
    if lines.contains(where: { $0.contains("Format not on whitelist") }) {
      return .failed(
        .open, path: location.name, code: code,
        message: "its content has a format that names other files, and is opened only if that format is given")
    }
    return .failure(.open, location.name, location.withoutBlame(code), detail: lines)
  }
}

/// Input formats that file content alone may select. Decision 0018.
enum FormatPolicy {
  /// FFmpeg's names of formats whose files reference other files or URLs, or are programs, with the suffixes by which a
  /// user requests them.
  private static let named: [String: [String]] = [
    // Playlists, manifests and scripts that list files.
    "hls": ["m3u8", "m3u"], "dash": ["mpd"], "concat": ["ffconcat", "ffcat"], "imf": [],
    // Sessions that bind ports or connect.
    "sdp": ["sdp"], "rtsp": [], "rtp": [], "sap": [],
    // Subtitle indices, whose subtitles are in another file.
    "vobsub": ["idx"],
    // Drawings rendered by a library that loads fonts and referenced files.
    "svg_pipe": ["svg"],
    // Programs.
    "avisynth": [], "vapoursynth": [],
    // Plain text, rendered as a picture.
    plainText: ["ans"],
  ]

  /// Opens no other file, but matches almost any text.
  static let plainText = "tty"

  /// Formats that a URL requests by its scheme.
  static let schemes: [String: [String]] = [
    "rtsp": ["rtsp"], "rtsps": ["rtsp"], "rtp": ["rtp", "sdp"], "sap": ["sap", "sdp"],
  ]

  /// Whether content alone may select this format.
  static func isOpen(_ format: UnsafePointer<AVInputFormat>, suffix: String) -> Bool {
    let names = unsafe names(of: format)
    if let suffixes = names.lazy.compactMap({ named[$0] }).first { return suffixes.contains(suffix.lowercased()) }
    return unsafe !opensByItself(format)
  }

  /// A suffix that requests the format.
  static func suffix(requesting format: UnsafePointer<AVInputFormat>) -> String? {
    unsafe names(of: format).lazy.compactMap { named[$0]?.first }.first
  }

  /// Formats that a suffix requests.
  static func formats(requestedBy suffix: String) -> [String] {
    named.filter { $0.value.contains(suffix.lowercased()) }.keys.sorted()
  }

  /// FFmpeg's whitelist of formats for an input and the files it references.
  static func whitelist(requested: [String]) -> String {
    var list: [String] = []
    var state: UnsafeMutableRawPointer?
    while let format = unsafe av_demuxer_iterate(&state) {
      if unsafe isOpen(format, suffix: "") { list += unsafe names(of: format) }
    }
    return (list + requested).joined(separator: ",")
  }

  static func names(of format: UnsafePointer<AVInputFormat>) -> [String] {
    unsafe (text(format.pointee.name) ?? "").split(separator: ",").map(String.init)
  }

  /// Devices, and formats that open their own input. `image2` is given one file.
  private static func opensByItself(_ format: UnsafePointer<AVInputFormat>) -> Bool {
    unsafe format.pointee.flags & AVFMT_NOFILE != 0 && names(of: format) != ["image2"]
  }
}

/// The FFmpeg protocols that an input may use. Decision 0018.
struct ProtocolPolicy: Sendable {
  /// Protocols that the user allowed.
  let allowed: Set<String>

  /// Protocols that are always allowed for files; FFmpeg's default for files.
  private static let always = ["file", "crypto", "data"]

  /// Protocols that others are built on.
  private static let parts: [String: [String]] = [
    "http": ["tcp", "httpproxy"], "https": ["tls", "tcp", "httpproxy"], "ftp": ["tcp"], "gopher": ["tcp"],
    "gophers": ["tls", "tcp"], "rtmp": ["tcp"], "rtmps": ["tls", "tcp"], "rtmpt": ["ffrtmphttp", "http", "tcp"],
    "rtmpts": ["ffrtmphttp", "https", "http", "tls", "tcp"], "rtp": ["udp"], "srtp": ["rtp", "udp"],
    "rtsp": ["rtp", "udp", "tcp"], "rtsps": ["rtp", "udp", "tls", "tcp"], "sap": ["rtp", "udp"],
    "mmsh": ["http", "tcp"], "mmst": ["tcp"], "ipfs": ["https", "http", "tls", "tcp"],
    "ipns": ["https", "http", "tls", "tcp"], "subfile": ["file"],
  ]

  init(_ allowed: [String] = []) { self.allowed = Set(allowed) }

  /// FFmpeg's whitelist, which also applies to everything that an input opens.
  var whitelist: String {
    let wanted = allowed.sorted()
    return (Self.always + wanted + wanted.flatMap { Self.parts[$0] ?? [] }).joined(separator: ",")
  }

  /// FFmpeg's protocols, and schemes that it treats as formats.
  static let known: Set<String> = {
    var names = Set(FormatPolicy.schemes.keys)
    var state: UnsafeMutableRawPointer?
    while let name = unsafe text(avio_enum_protocols(&state, 0)) { names.insert(name) }
    return names
  }()

  /// The protocol that FFmpeg refused, according to its log.
  static func refused(in lines: [String]) -> String? {
    for line in lines where line.contains("not on whitelist") {
      let words = line.split(separator: "'")
      if line.contains("Protocol"), words.count > 1 { return String(words[1]) }
    }
    return nil
  }
}
