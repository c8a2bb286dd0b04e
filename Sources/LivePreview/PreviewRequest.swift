public import Sessions

/// A capture device or a file, shown while it plays.
public struct PreviewRequest: DefaultedRequest, Hashable, Codable {
  /// Where pictures are shown.
  public enum Screen: Sendable, Hashable, Codable {
    /// A window where there is a display, or else a terminal, or else nothing.
    case automatic
    /// A window.
    case window
    /// A terminal.
    case terminal
    /// Pictures are rendered and discarded.
    case none
    /// A V4L2 output device, such as a loopback that other programs read.
    case device(String)
  }

  /// The input and how it is read: a V4L2 device, or anything that is read otherwise.
  public var input: InputRequest
  /// Where pictures are shown.
  public var screen = Screen.automatic
  /// What is recorded beside it; nil: nothing, until it is asked for.
  public var recording: RecordingRequest?
  /// How light is mapped to what is shown.
  public var mapping = MappingRequest()
  /// How the display is followed while it changes; nil: not at all.
  public var following: DisplayFollowing?
  /// How frames are rendered.
  public var rendering = RenderingRequest()
  /// Filters as `NAME=key=value:key=value`, in order.
  public var filters: [String] = []
  /// What is shown; of a device the duration, or the number of frames.
  public var selection = FrameSelection()
  /// Seconds after which a frame of a device is not shown any more; nil: any age.
  public var maximumLatency: Double?
  /// If rendering cannot keep up, it is made cheaper: first smaller pictures, then fewer of them.
  public var adapts = true
  /// Where snapshots are written.
  public var snapshotFolder = "."
  /// File of a JSON report; "-": standard output.
  public var report: String?
  /// Existing files are replaced.
  public var overwrites = false
  /// Threads and kernels.
  public var processing = ProcessingRequest()

  public static let defaults = PreviewRequest(input: "")

  /// A preview with the defaults that the properties state.
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

/// What is recorded beside a preview.
public struct RecordingRequest: Sendable, Hashable, Codable {
  /// A file, or "-" for standard output.
  public var output: String
  /// The container and the encoder.
  public var coding = CodingRequest()
  /// What is recorded; nil: the light as it comes in, in the kind that the input has.
  public var kind: OutputKind?

  /// A recording of what comes in, with the container's defaults.
  public init(_ output: String) { self.output = output }
}

extension PreviewRequest: DisplayFollowingRequest {}
