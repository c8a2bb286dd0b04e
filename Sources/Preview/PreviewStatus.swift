/// The content of a preview's status line.
public struct PreviewStatus: Sendable, Hashable {
  /// The source, such as "P010 1920x1080 59.94 fps, BT.2020 PQ limited".
  public var source = ""
  /// The tone curve, such as "system".
  public var curve = ""
  /// Peak over SDR white of the rendered picture.
  public var headroom = 1.0
  /// Luminance of SDR white in cd/m².
  public var sdrWhite = 100.0
  /// Exposure in stops.
  public var exposure = 0.0
  /// Light above SDR white is mapped or shown rather than clipped.
  public var isEDROn = true
  /// Luminance under the pointer, of the brightest component, in cd/m²; nil: the pointer is outside the picture.
  public var nits: Double?
  /// Frames presented per second.
  public var rate = 0.0
  /// Frames of the source that were not shown.
  public var dropped = 0
  /// Frames that never arrived.
  public var lost = 0
  /// Frames missing in the recording.
  public var recordingDropped = 0
  /// Seconds from capture to presentation: the median and the 99th percentile; nil: not yet known.
  public var latency: (median: Double, highest: Double)? {
    get { medianLatency.map { ($0, highLatency) } }
    set { (medianLatency, highLatency) = (newValue?.median, newValue?.highest ?? 0) }
  }
  private var medianLatency: Double?
  private var highLatency = 0.0
  /// Rendered size over screen size, per dimension; below 1 when rendering cannot keep up.
  public var renderScale = 1.0
  /// Rendering is paused.
  public var isPaused = false
  /// Recording is active.
  public var isRecording = false
  /// The reference mode if enabled or limited, such as "reference mode: limited".
  public var referenceMode: String?
  /// The reason for a missing picture, such as "no signal"; nil: there is a picture.
  public var fault: String?

  /// Creates an empty status.
  public init() {}
}
