internal import Foundation

/// Files that reference other files: their contents, and names that suggest their format.
public struct HostileFile: Sendable, CustomStringConvertible {
  /// What it is called in tests.
  public let description: String
  /// A harmless name.
  public let name: String
  /// FFmpeg's name of the format, which has to be refused; nil where FFmpeg may not recognise it.
  public let format: String?
  private let text: @Sendable (_ named: String) -> String

  init(_ description: String, _ name: String, _ format: String?, _ text: @escaping @Sendable (String) -> String) {
    (self.description, self.name, self.format, self.text) = (description, name, format, text)
  }

  /// Writes it.
  /// - Parameter named: A film that it names by its path.
  /// - Returns: Its path.
  public func write(_ scratch: Scratch, naming named: String) throws -> String {
    let path = scratch.path(name)
    try Data(text(named).utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// An HLS playlist of one piece.
  public static func playlist(_ piece: String) -> String {
    "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(piece)\n#EXT-X-ENDLIST\n"
  }

  public static let all = [
    HostileFile("HLS as Matroska", "film1.mkv", "hls") { playlist($0) },
    HostileFile("HLS without a suffix, by http", "film2", "hls") { _ in playlist("http://127.0.0.1:9/a.ts") },
    HostileFile("ffconcat as Matroska", "film3.mkv", "concat") { "ffconcat version 1.0\nfile \($0)\n" },
    HostileFile("DASH as MP4", "film4.mp4", "dash") { named in
      "<?xml version=\"1.0\"?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\" "
        + "mediaPresentationDuration=\"PT1S\" profiles=\"urn:mpeg:dash:profile:isoff-on-demand:2011\"><Period>"
        + "<AdaptationSet mimeType=\"video/mp4\"><Representation id=\"1\" bandwidth=\"1\">"
        + "<BaseURL>file://\(named)</BaseURL></Representation></AdaptationSet></Period></MPD>\n"
    },
    HostileFile("SDP as MP4", "film5.mp4", "sdp") { _ in
      "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=video 45554 RTP/AVP 96\r\n"
        + "a=rtpmap:96 H264/90000\r\n"
    },
    // FFmpeg 5.1 does not recognise it by its content.
    HostileFile("IMF as Matroska", "film6.mkv", nil) { named in
      "<?xml version=\"1.0\"?>\n<CompositionPlaylist xmlns=\"http://www.smpte-ra.org/schemas/2067-3/2016\">"
        + "<Id>urn:uuid:\(named)</Id><ContentTitle>film</ContentTitle></CompositionPlaylist>\n"
    },
    HostileFile("VobSub as Matroska", "film7.mkv", "vobsub") { _ in
      "# VobSub index file, v7 (do not modify this line!)\nid: en, index: 0\ntimestamp: 00:00:01:000, filepos: 000000000\n"
    },
    HostileFile("SVG as PNG", "film8.png", "svg_pipe") { named in
      "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
        + "width=\"64\" height=\"64\"><image width=\"64\" height=\"64\" xlink:href=\"file://\(named)\"/></svg>\n"
    },
  ]
}
