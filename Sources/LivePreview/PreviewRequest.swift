public import Sessions

/// A capture device or a file to show while it plays.
public struct PreviewRequest: DefaultedRequest, Hashable, Codable {
  /// Where to show pictures.
  public enum Screen: Sendable, Hashable, Codable {
    /// A window if there is a display, otherwise a terminal, otherwise nothing.
    case automatic
    /// A window.
    case window
    /// A terminal.
    case terminal
    /// None: pictures are rendered and discarded.
    case none
    /// A V4L2 output device, such as a loopback, for other programs to read.
    case device(String)
  }

  /// The input and how to read it: a V4L2 device, or any other input.
  public var input: InputRequest
  /// Where to show pictures.
  public var screen = Screen.automatic
  /// The recording; nil: none until requested.
  public var recording: RecordingRequest?
  /// Light mapping of the preview.
  public var mapping = MappingRequest()
  /// How to follow changes of the display; nil: not at all.
  public var following: DisplayFollowing?
  /// Rendering options.
  public var rendering = RenderingRequest()
  /// Filters as `NAME=key=value:key=value`, in order.
  public var filters: [String] = []
  /// Frames to show; for a device the duration or the number of frames.
  public var selection = FrameSelection()
  /// Maximum age in seconds at which a device frame is still shown; nil: any age.
  public var maximumLatency: Double?
  /// Reduces the picture size, then the frame rate, if rendering cannot keep up.
  public var adapts = true
  /// Folder for snapshots.
  public var snapshotFolder = "."
  /// File for a JSON report; "-": standard output.
  public var report: String?
  /// Replaces existing files.
  public var overwrites = false
  /// Threads and kernels.
  public var processing = ProcessingRequest()

  public static let defaults = PreviewRequest(input: "")

  /// A preview with the default values.
  public init(input: String) { self.input = InputRequest(input) }

  private static let latencies = 0.005...10

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range.
  public func validate() throws(Refusal) {
    try input.validate()
    try recording?.coding.validate()
    try mapping.validate()
    try following?.validate(mapping)
    try rendering.validate(with: mapping)
    try selection.validate()
    try processing.validate()
    if let maximumLatency, !Self.latencies.contains(maximumLatency) {
      throw .invalid(
        .outOfRange(
          .maximumLatency, (maximumLatency * 1000).words(decimals: 3), (Self.latencies.lowerBound * 1000).words,
          "\((Self.latencies.upperBound * 1000).words) ms"))
    }
  }
}

/// A recording made during a preview.
public struct RecordingRequest: Sendable, Hashable, Codable {
  /// A file, or "-" for standard output.
  public var output: String
  /// The container and the encoder.
  public var coding = CodingRequest()
  /// The recorded kind; nil: the input's light, in the kind of the input.
  public var kind: OutputKind?

  /// Records the input with the container's defaults.
  public init(_ output: String) { self.output = output }
}

extension PreviewRequest: DisplayFollowingRequest {}

/// Filters of a preview.
public enum PreviewFilterOptions: OptionTable {
  public static let options: [RequestOption<PreviewRequest>] = [FilterOptions.option(\.filters)]
}

/// How a preview follows a display.
public enum PreviewFollowingOptions: OptionTable {
  public static let options: [RequestOption<PreviewRequest>] = FollowingOptions.options(
    \.followsDisplay, ramp: \.headroomRamp)
}
