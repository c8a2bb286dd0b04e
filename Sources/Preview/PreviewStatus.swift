/// What the status line of a preview says.
public struct PreviewStatus: Sendable, Hashable {
  /// What comes in: "P010 1920x1080 59.94 fps, BT.2020 PQ limited".
  public var source = ""
  /// The tone curve: "system".
  public var curve = ""
  /// Peak over SDR white of what is rendered for.
  public var headroom = 1.0
  /// Luminance of SDR white in cd/m².
  public var sdrWhite = 100.0
  /// Stops.
  public var exposure = 0.0
  /// Light above SDR white is mapped or shown; otherwise it is clipped.
  public var isEDROn = true
  /// Light of the content under the pointer: that of its brightest component, in cd/m²; nil: no pointer in the picture.
  public var nits: Double?
  /// Frames presented a second.
  public var rate = 0.0
  /// Frames of the source that were not shown.
  public var dropped = 0
  /// Frames that never arrived.
  public var lost = 0
  /// Frames that the recording lacks.
  public var recordingDropped = 0
  /// Seconds from capture to presentation: the median and the 99th percentile; nil: not known yet.
  public var latency: (median: Double, highest: Double)? {
    get { medianLatency.map { ($0, highLatency) } }
    set { (medianLatency, highLatency) = (newValue?.median, newValue?.highest ?? 0) }
  }
  private var medianLatency: Double?
  private var highLatency = 0.0
  /// Rendered pixels over those of the screen, in one direction; below 1 where rendering could not keep up.
  public var renderScale = 1.0
  /// No frames are rendered.
  public var isPaused = false
  /// Frames are recorded.
  public var isRecording = false
  /// The display's reference mode, if it is on or limited: "reference mode: limited".
  public var referenceMode: String?
  /// Why there is no picture: "no signal"; nil: there is one.
  public var fault: String?

  /// Nothing is known yet.
  public init() {}
}
