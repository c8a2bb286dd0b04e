internal import CFFmpeg

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
  static func suffix(askingFor format: UnsafePointer<AVInputFormat>) -> String? {
    unsafe names(of: format).lazy.compactMap { named[$0]?.first }.first
  }

  /// Formats that a suffix requests.
  static func formats(askedBy suffix: String) -> [String] {
    named.filter { $0.value.contains(suffix.lowercased()) }.keys.sorted()
  }

  /// FFmpeg's whitelist of formats for an input and the files it references.
  /// - Parameter asked: Additional allowed formats.
  static func whitelist(asked: [String]) -> String {
    var list: [String] = []
    var state: UnsafeMutableRawPointer?
    while let format = unsafe av_demuxer_iterate(&state) {
      if unsafe isOpen(format, suffix: "") { list += unsafe names(of: format) }
    }
    return (list + asked).joined(separator: ",")
  }

  static func names(of format: UnsafePointer<AVInputFormat>) -> [String] {
    unsafe (text(format.pointee.name) ?? "").split(separator: ",").map(String.init)
  }

  /// Devices, and formats that open their own input. `image2` is given one file.
  private static func opensByItself(_ format: UnsafePointer<AVInputFormat>) -> Bool {
    unsafe format.pointee.flags & AVFMT_NOFILE != 0 && names(of: format) != ["image2"]
  }
}
