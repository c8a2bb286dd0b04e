/// Description of a file, as stated in it.
public struct MediaInfo: Sendable, Hashable, Codable {
  /// The name or address that was opened.
  public var url: String
  /// FFmpeg's short names of the format: "mov,mp4,m4a,3gp,3g2,mj2".
  public var formatName: String
  /// FFmpeg's long name of the format: "QuickTime / MOV".
  public var formatLongName: String
  /// In seconds; nil if the container does not state it.
  public var duration: Double?
  /// Earliest time of any stream in seconds.
  public var startTime: Double?
  /// In bits per second.
  public var bitRate: Int?
  /// In bytes.
  public var byteCount: Int?
  /// Title, encoder and other tags of the container.
  public var tags: [String: String]
  /// In file order.
  public var chapters: [Chapter]
  /// In file order; `StreamInfo.index` is the index into this array.
  public var streams: [StreamInfo]

  /// Unless specified, properties are unknown and there are no chapters or streams.
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
