internal import FFmpegIO
internal import Files
internal import Media
internal import ToneMapping

/// A conversion of a video to another.
public struct TranscodeRequest: DefaultedRequest, Hashable, Codable {
  /// The input and how it is read.
  public var input: InputRequest
  /// A file, or "-" for standard output; nil: nothing is written.
  public var output: String?
  /// The container and the encoder.
  public var coding = CodingRequest()
  /// Streams other than the picture.
  public var streams = StreamRequest()
  /// Subtitles that are drawn into the picture: a file, or an FFmpeg stream specifier of the input; nil: none.
  public var burnedSubtitles: String?
  /// What their palettes are taken for, if they are of Blu-ray; nil: decided by the film and its subtitles.
  public var subtitlePalette: SubtitlePalette?
  /// How light is mapped to the output's display.
  public var mapping = MappingRequest()
  /// How the display is followed while it changes; nil: it is as it was when the plan was made.
  public var following: DisplayFollowing?
  /// How frames are rendered.
  public var rendering = RenderingRequest()
  /// What is known about the input's light, and what the output states.
  public var metadata = MetadataRequest()
  /// Frames keep their HDR10+, which is refused where it would not describe the output.
  public var copiesHDR10Plus = false
  /// Filters as `NAME=key=value:key=value`, in order.
  public var filters: [String] = []
  /// How pictures are deinterlaced, cropped, scaled and rotated.
  public var geometry = GeometryRequest()
  /// The frames that are processed.
  public var selection = FrameSelection()
  /// Times of the input are kept; otherwise the first stream begins at zero.
  public var copiesTimestamps = false
  /// File of a JSON report; "-": standard output.
  public var report: String?
  /// File of the statistics, a line of JSON for each frame; "-": standard output.
  public var statistics: String?
  /// Existing files are replaced.
  public var overwrites = false
  /// An output that is stopped before its end gets its name all the same. Otherwise "film.mkv" becomes "film.partial.mkv".
  public var keepsPartialName = false
  /// Threads and kernels.
  public var processing = ProcessingRequest()

  public static let defaults = TranscodeRequest(input: "", output: nil)

  /// The whole input, with the defaults that the properties state.
  public init(input: String, output: String?) {
    self.input = InputRequest(input)
    self.output = output
  }

  /// The output exists, and is whole as far as is known.
  public var isDone: Bool {
    guard let path = output.flatMap(MediaName.path) else { return false }
    return FileStatus(path)?.kind == .regular && !FileMark.isOn(path)
  }

  /// How the input's dynamic metadata is used; nil: not at all.
  var dynamicMetadataUse: ShotTracker.Use? { rendering.dynamicMetadataUse(for: mapping) }

  /// The output, for FFmpeg.
  var url: String { output ?? "-" }

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range.
  public func validate() throws(Refusal) {
    try input.validate()
    try coding.validate()
    try geometry.validate()
    try streams.validate()
    if output == nil, ContainerTraits.of(coding.format).family != .nothing { throw .invalid(.noOutput) }
    try mapping.validate()
    try following?.validate(mapping)
    // What is measured before would not be what is rendered then.
    if following != nil, metadata.measuresOutput { throw .invalid(.exclusive(.follow, .contentLight)) }
    try rendering.validate(with: mapping)
    try metadata.validate(with: mapping)
    try selection.validate()
    try processing.validate()
    try TranscodeOptions.check(self)
  }
}
