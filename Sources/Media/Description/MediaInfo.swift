/// What a file says about itself.
public struct MediaInfo: Sendable, Hashable, Codable {
  /// The name or address that was opened.
  public var url: String
  /// FFmpeg's short names of the format: "mov,mp4,m4a,3gp,3g2,mj2".
  public var formatName: String
  /// FFmpeg's long name of the format: "QuickTime / MOV".
  public var formatLongName: String
  /// In seconds; nil where the container does not say.
  public var duration: Double?
  /// Earliest time of any stream in seconds.
  public var startTime: Double?
  /// In bits a second.
  public var bitRate: Int?
  /// In bytes.
  public var byteCount: Int?
  /// Title, encoder and other tags of the container.
  public var tags: [String: String]
  /// In the order of the file.
  public var chapters: [Chapter]
  /// In the order of the file; `StreamInfo.index` is the place in this list.
  public var streams: [StreamInfo]

  /// Unless stated, the file says nothing and has neither chapters nor streams.
  public init(
    url: String, formatName: String, formatLongName: String, duration: Double? = nil, startTime: Double? = nil,
    bitRate: Int? = nil, byteCount: Int? = nil, tags: [String: String] = [:], chapters: [Chapter] = [],
    streams: [StreamInfo] = []
  ) {
    self.url = url
    self.formatName = formatName
    self.formatLongName = formatLongName
    self.duration = duration
    self.startTime = startTime
    self.bitRate = bitRate
    self.byteCount = byteCount
    self.tags = tags
    self.chapters = chapters
    self.streams = streams
  }
}
