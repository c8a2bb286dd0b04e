internal import CFFmpeg

/// Which input formats the content of a file may choose by itself. Decision 0018.
enum FormatPolicy {
  /// Formats whose files name others, or addresses, or are programs, by FFmpeg's names; with the suffixes by which
  /// a user asks for them.
  private static let named: [String: [String]] = [
    // Playlists, manifests and scripts that list files.
    "hls": ["m3u8", "m3u"], "dash": ["mpd"], "concat": ["ffconcat", "ffcat"], "imf": [],
    // Sessions that bind ports or connect.
    "sdp": ["sdp"], "rtsp": [], "rtp": [], "sap": [],
    // An index of subtitles, which lie in another file.
    "vobsub": ["idx"],
    // Pictures drawn by a library that looks for fonts and what the drawing names.
    "svg_pipe": ["svg"],
    // Programs.
    "avisynth": [], "vapoursynth": [],
    // Plain text, which it takes for a picture of text.
    plainText: ["ans"],
  ]

  /// Opens no other file, but matches almost any text.
  static let plainText = "tty"

  /// Formats that an address asks for by its scheme.
  static let schemes: [String: [String]] = [
    "rtsp": ["rtsp"], "rtsps": ["rtsp"], "rtp": ["rtp", "sdp"], "sap": ["sap", "sdp"],
  ]

  /// Whether content alone may select this format.
  static func isOpen(_ format: UnsafePointer<AVInputFormat>, suffix: String) -> Bool {
    let names = unsafe names(of: format)
    if let suffixes = names.lazy.compactMap({ named[$0] }).first { return suffixes.contains(suffix.lowercased()) }
    return unsafe !opensByItself(format)
  }

  /// A suffix by which the format is asked for.
  static func suffix(askingFor format: UnsafePointer<AVInputFormat>) -> String? {
    unsafe names(of: format).lazy.compactMap { named[$0]?.first }.first
  }

  /// Formats that a suffix asks for.
  static func formats(askedBy suffix: String) -> [String] {
    named.filter { $0.value.contains(suffix.lowercased()) }.keys.sorted()
  }

  /// What an input may be, and what files that it names may be: a list for FFmpeg.
  /// - Parameter asked: Formats that are opened besides.
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

  /// Devices, and formats that open what they read from themselves. `image2` is given one file.
  private static func opensByItself(_ format: UnsafePointer<AVInputFormat>) -> Bool {
    unsafe format.pointee.flags & AVFMT_NOFILE != 0 && names(of: format) != ["image2"]
  }
}
