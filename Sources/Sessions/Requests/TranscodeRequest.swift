internal import FFmpegIO
internal import Files
internal import Media
internal import ToneMapping

/// A conversion of one video to another.
public struct TranscodeRequest: DefaultedRequest, Hashable, Codable {
  /// The input and how to read it.
  public var input: InputRequest
  /// A file, or "-" for standard output; nil: nothing is written.
  public var output: String?
  /// The container and the encoder.
  public var coding = CodingRequest()
  /// Streams other than the picture.
  public var streams = StreamRequest()
  /// Subtitles to burn into the picture: a file, or an FFmpeg stream specifier of the input; nil: none.
  public var burnedSubtitles: String?
  /// Interpretation of Blu-ray palettes; nil: determined by the film and its subtitles.
  public var subtitlePalette: SubtitlePalette?
  /// Light mapping to the output's display.
  public var mapping = MappingRequest()
  /// How to follow changes of the display; nil: its state at planning time is used.
  public var following: DisplayFollowing?
  /// Rendering options.
  public var rendering = RenderingRequest()
  /// Known properties of the input's light, and metadata of the output.
  public var metadata = MetadataRequest()
  /// Frames keep their HDR10+; rejected if it would not describe the output.
  public var copiesHDR10Plus = false
  /// Filters as `NAME=key=value:key=value`, in order.
  public var filters: [String] = []
  /// Deinterlacing, cropping, scaling and rotation of pictures.
  public var geometry = GeometryRequest()
  /// The frames to process.
  public var selection = FrameSelection()
  /// Keeps input times; otherwise the first stream starts at zero.
  public var copiesTimestamps = false
  /// File for a JSON report; "-": standard output.
  public var report: String?
  /// File for the statistics, one line of JSON per frame; "-": standard output.
  public var statistics: String?
  /// Replaces existing files.
  public var overwrites = false
  /// A partial output gets its final name. Otherwise "film.mkv" becomes "film.partial.mkv".
  public var keepsPartialName = false
  /// Threads and kernels.
  public var processing = ProcessingRequest()

  public static let defaults = TranscodeRequest(input: "", output: nil)

  /// The whole input, with the default values.
  public init(input: String, output: String?) {
    self.input = InputRequest(input)
    self.output = output
  }

  /// The output exists, and is complete as far as known.
  public var isDone: Bool {
    guard let path = output.flatMap(MediaName.path) else { return false }
    return FileStatus(path)?.kind == .regular && !FileMark.isOn(path)
  }

  /// Use of the input's dynamic metadata; nil: none.
  var dynamicMetadataUse: ShotTracker.Use? { rendering.dynamicMetadataUse(for: mapping) }

  /// The output in FFmpeg's form.
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
    // The measured frames would differ from the rendered ones.
    if following != nil, metadata.measuresOutput { throw .invalid(.exclusive(.follow, .contentLight)) }
    try rendering.validate(with: mapping)
    try metadata.validate(with: mapping)
    try selection.validate()
    try processing.validate()
    try TranscodeOptions.check(self)
  }
}
