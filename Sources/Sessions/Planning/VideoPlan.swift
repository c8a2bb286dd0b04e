internal import ColorScience
package import FFmpegIO
public import Frames
public import Media

/// A video output: `MediaWriter.Settings` without the other streams, as a value.
public struct VideoPlan: Sendable, Hashable, Codable {
  /// A file, or "-" for standard output.
  public let url: String
  /// Replaces an existing file with this name.
  public let replacesFile: Bool
  /// FFmpeg's name of the container; nil: determined by the file name.
  public let format: String?
  /// FFmpeg's name of the encoder; nil if the container has no default.
  public let encoder: String?
  /// Device node of a hardware encoder; nil: the first.
  public let hardwareDevice: String?
  /// Preset of the encoder.
  public package(set) var preset: String?
  /// Constant quality (CRF) on the encoder's scale.
  public package(set) var crf: Double?
  /// Limits on the bit rate.
  public let rate: RateControl
  /// Options of the encoder.
  public package(set) var encoderOptions: [CodingRequest.Option]
  /// Options of the container.
  public let muxerOptions: [CodingRequest.Option]
  /// Notes on the bit rate.
  package let notes: [Message]
  /// Size of the picture in luma samples.
  public let size: Size
  /// Layout of samples in memory.
  public let layout: PixelLayout
  /// Time base of the frames that reach the encoder, in seconds.
  public let timeBase: Rational
  /// Nominal frame rate; nil: unknown.
  public let frameRate: Rational?
  /// Colour tags of the stream.
  public let color: ColorDescription
  /// HDR metadata of the output.
  public package(set) var metadata = HDRMetadata()
  /// A file without the metadata is an error.
  var insistsOnMetadata = false
  /// Frames carry the HDR10+ of the input.
  public package(set) var copiesHDR10Plus = false
  /// Sample aspect ratio; nil: unknown.
  public package(set) var sampleAspectRatio: Rational?
  /// Rotation left to the player; nil: none.
  public package(set) var displayMatrix: DisplayMatrix?
  package var projection: [StreamSideData] = []
  package var videoTags: [String: String] = [:]
  var videoDispositions: [String] = ["default"]
  /// Title and other tags of the file.
  public package(set) var tags: [String: String] = [:]
  /// Chapters, in output time.
  public package(set) var chapters: [Chapter] = []
  var beginsAtZero = true
  /// For interlaced frames: the field that was captured first.
  public package(set) var fieldOrder: FieldOrder?

  /// A video with the timestamps of an input.
  package init(
    _ url: String, _ coding: CodingRequest, format: String, layout: PixelLayout, color: ColorDescription, size: Size,
    like source: VideoStreamInfo, overwrites: Bool
  ) throws {
    let encoder = coding.encoder(forFormat: format, layout: layout, color: color)
    let clock = try OutputClock(
      for: source, keepsTimes: MediaWriter.keepsTimes(url: url, format: coding.format), encoder: encoder)
    try self.init(
      url, coding, encoder: encoder, layout: layout, color: color, size: size, timeBase: clock.timeBase,
      frameRate: clock.frameRate,
      overwrites: overwrites)
  }

  package init(
    _ url: String, _ coding: CodingRequest, encoder: String?, layout: PixelLayout, color: ColorDescription, size: Size,
    timeBase: Rational, frameRate: Rational?, overwrites: Bool
  ) throws(Refusal) {
    try coding.check(with: encoder)
    self.url = url
    replacesFile = overwrites
    // Defaults may differ on another machine.
    (format, self.encoder, hardwareDevice) = (coding.format, encoder, coding.hardwareDevice)
    (preset, crf, rate) = (coding.preset, coding.crf, coding.rate.settled)
    encoderOptions = (coding.encoderOptions ?? []) + coding.ownOptions.flatMap(\.options)
    muxerOptions = coding.muxerOptions
    notes = rate == coding.rate ? [] : [.assumedBuffer(bits: rate.buffer ?? 0)]
    (self.size, self.layout, self.color) = (size, layout, color)
    (self.timeBase, self.frameRate) = (timeBase, frameRate)
  }

  /// Format of the encoder's input frames.
  public var pixelFormat: PixelFormat { PixelFormat(size: size, layout: layout, color: color) }

  /// Returns the requested layout, or one that the encoder supports: the input's if its coding is kept, otherwise
  /// 4:2:0, 8-bit for SDR and 10-bit for HDR if possible.
  /// - Parameter source: The input whose coding is kept; nil: not kept.
  package static func layout(
    _ coding: CodingRequest, format: String, color: ColorDescription, keeping source: SourcePlan? = nil
  ) -> PixelLayout {
    if let layout = coding.layout { return layout }
    if let own = source?.layout.planar, coding.takes(own, color, format: format) { return own }
    let preferred = PixelLayout.common(for: color)
    let encoder = coding.encoder(forFormat: format, layout: preferred, color: color)
    return encoder.map { Encoders.layout(near: preferred, for: $0) } ?? preferred
  }

  /// Returns the settings of the writer.
  package func settings(streams: [MediaWriter.OutputStream] = [.frames]) -> MediaWriter.Settings {
    var settings = MediaWriter.Settings(
      url: url, format: format, encoder: encoder, size: size, layout: layout, timeBase: timeBase, frameRate: frameRate,
      color: color)
    (settings.replacesFile, settings.hardwareDevice) = (replacesFile, hardwareDevice)
    (settings.preset, settings.crf, settings.rate) = (preset, crf, rate)
    settings.encoderOptions = encoderOptions.map { ($0.name, $0.value) }
    settings.muxerOptions = muxerOptions.map { ($0.name, $0.value) }
    (settings.metadata, settings.insistsOnMetadata) = (metadata, insistsOnMetadata)
    settings.copiesHDR10Plus = copiesHDR10Plus
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

extension Message {
  /// No buffer was specified: one second of the maximum is assumed.
  fileprivate static func assumedBuffer(bits: Int) -> Message {
    Message(
      "buffer-assumed",
      "\(.maxBitrate) uses a one-second buffer (\(bits.bitWords)); \(.bufferSize) sets another.")
  }
}
