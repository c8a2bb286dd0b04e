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
    var asked = FormatPolicy.formats(askedBy: location.suffix)
    if let input = unsafe input { asked += unsafe FormatPolicy.names(of: input) }
    if let scheme = location.name.split(separator: ":").first, location.path == nil {
      asked += FormatPolicy.schemes[String(scheme).lowercased()] ?? []
    }
    let protocols = location.isPart ? "subfile,file" : protocols.whitelist
    unsafe av_opt_set(context, "format_whitelist", FormatPolicy.whitelist(asked: asked), 0)
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
      path: location.name, format: named, suffix: unsafe FormatPolicy.suffix(askingFor: format))
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
