internal import CFFmpeg

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
