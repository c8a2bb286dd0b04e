internal import ColorScience
internal import FFmpegIO
public import Frames
public import Media

/// A video that is written: what `MediaWriter.Settings` say, but for the streams beside it, as a value.
public struct VideoPlan: Sendable, Hashable, Codable {
  /// A file, or "-" for standard output.
  public let url: String
  /// A file of this name is replaced.
  public let replacesFile: Bool
  /// FFmpeg's name of the container; nil: by the file name.
  public let format: String?
  /// FFmpeg's name of the encoder; nil where the container has no default.
  public let encoder: String?
  /// The encoder's own name of a speed.
  public internal(set) var preset: String?
  /// Constant quality on the encoder's own scale.
  public internal(set) var crf: Double?
  /// Options of the encoder itself.
  public internal(set) var encoderOptions: [CodingRequest.Option]
  /// The picture in luma samples.
  public let size: Size
  /// How samples lie in memory.
  public let layout: PixelLayout
  /// Length in seconds of one unit of the timestamps that reach the encoder.
  public let timeBase: Rational
  /// Nominal frames a second; nil where it is unknown.
  public let frameRate: Rational?
  /// Colour tags of the stream.
  public let color: ColorDescription
  /// The HDR metadata that is written.
  public internal(set) var metadata = HDRMetadata()
  /// A file without the metadata is an error.
  var insistsOnMetadata = false
  /// Width of a sample to its height; nil where it is unknown.
  public internal(set) var sampleAspectRatio: Rational?
  /// How a player is to turn the picture; nil leaves it as it is.
  public internal(set) var displayMatrix: DisplayMatrix?
  var projection: [StreamSideData] = []
  var videoTags: [String: String] = [:]
  var videoDispositions: [String] = ["default"]
  /// Title and other tags of the file.
  public internal(set) var tags: [String: String] = [:]
  /// Chapters, in the time of the output.
  public internal(set) var chapters: [Chapter] = []
  var beginsAtZero = true
  /// Of interlaced frames: the field that was taken first.
  public internal(set) var fieldOrder: FieldOrder?

  /// A video with the times of an input.
  init(
    _ url: String, _ coding: CodingRequest, format: String, layout: PixelLayout, color: ColorDescription, size: Size,
    like source: VideoStreamInfo, overwrites: Bool
  ) throws {
    let encoder = coding.encoder ?? Encoders.defaultEncoder(forFormat: format, layout: layout, color: color)
    let clock = try OutputClock(
      for: source, keepsTimes: MediaWriter.keepsTimes(url: url, format: coding.format), encoder: encoder)
    self.init(
      url, coding, encoder: encoder, layout: layout, color: color, size: size, timeBase: clock.timeBase,
      frameRate: clock.frameRate,
      overwrites: overwrites)
  }

  init(
    _ url: String, _ coding: CodingRequest, encoder: String?, layout: PixelLayout, color: ColorDescription, size: Size,
    timeBase: Rational, frameRate: Rational?, overwrites: Bool
  ) {
    self.url = url
    replacesFile = overwrites
    // Another machine's default may be another one.
    (format, self.encoder) = (coding.format, encoder)
    (preset, crf, encoderOptions) = (coding.preset, coding.crf, coding.encoderOptions ?? [])
    (self.size, self.layout, self.color) = (size, layout, color)
    (self.timeBase, self.frameRate) = (timeBase, frameRate)
  }

  /// What the encoder gets.
  public var pixelFormat: PixelFormat { PixelFormat(size: size, layout: layout, color: color) }

  /// The asked-for layout, or one that the encoder takes: 4:2:0 of eight bits for SDR, of ten for HDR, where it can.
  static func layout(_ coding: CodingRequest, format: String, color: ColorDescription) -> PixelLayout {
    if let layout = coding.layout { return layout }
    let preferred = PixelLayout(.ycbcr420, bitDepth: color.transfer == .bt709 ? 8 : 10)
    let encoder = coding.encoder ?? Encoders.defaultEncoder(forFormat: format, layout: preferred, color: color)
    return encoder.map { Encoders.layout(near: preferred, for: $0) } ?? preferred
  }

  /// What the writer is told.
  func settings(streams: [MediaWriter.OutputStream] = [.frames]) -> MediaWriter.Settings {
    var settings = MediaWriter.Settings(
      url: url, format: format, encoder: encoder, size: size, layout: layout, timeBase: timeBase, frameRate: frameRate,
      color: color)
    settings.replacesFile = replacesFile
    (settings.preset, settings.crf) = (preset, crf)
    settings.encoderOptions = encoderOptions.map { ($0.name, $0.value) }
    (settings.metadata, settings.insistsOnMetadata) = (metadata, insistsOnMetadata)
    (settings.sampleAspectRatio, settings.displayMatrix) = (sampleAspectRatio, displayMatrix)
    settings.projection = projection
    settings.streams = streams
    (settings.videoTags, settings.videoDispositions, settings.tags) = (videoTags, videoDispositions, tags)
    settings.chapters = chapters
    settings.beginsAtZero = beginsAtZero
    settings.fieldOrder = fieldOrder
    return settings
  }
}
