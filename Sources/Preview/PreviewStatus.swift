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

  /// The status in self-contained parts, the most important first: a narrow screen can break the line between two of
  /// them, or omit the last.
  public var parts: [String] { states + rendition + counts }

  /// The status in one line.
  public var text: String { parts.joined(separator: " · ") }

  /// Unusual states.
  private var states: [String] {
    var words: [String] = []
    if let fault, !fault.isEmpty { words.append(fault) }
    if isPaused { words.append("paused") }
    if isRecording { words.append("recording") }
    if let referenceMode, !referenceMode.isEmpty { words.append(referenceMode) }
    return words
  }

  /// The source, and how it is rendered.
  private var rendition: [String] {
    var words: [String] = []
    if !source.isEmpty { words.append(source) }
    if !curve.isEmpty { words.append(curve) }
    words.append(isEDROn ? "headroom \(Self.decimal(headroom, places: 2))×" : "EDR off")
    words.append("SDR white \(Self.luminance(sdrWhite))")
    if exposure != 0 {
      words.append("exposure \(exposure > 0 ? "+" : "−")\(Self.decimal(abs(exposure), places: 2)) stops")
    }
    if let nits { words.append("max RGB \(Self.luminance(nits))") }
    return words
  }

  /// Rates, losses and latency.
  private var counts: [String] {
    var words = ["\(Self.decimal(rate, places: 1)) fps", "\(dropped) dropped"]
    if lost > 0 { words.append("\(lost) lost") }
    if recordingDropped > 0 { words.append("\(recordingDropped) not recorded") }
    if let latency {
      words.append(
        "latency \(Self.milliseconds(latency.median)) ms (99 %: \(Self.milliseconds(latency.highest)) ms)"
      )
    }
    if renderScale < 1 {
      words.append("rendered at \(Self.decimal(renderScale * 100, places: 0)) %")
    }
    return words
  }

  /// Formats a luminance with three significant digits or as a whole number: 0.005, 1.25, 48.2, 1000 cd/m².
  private static func luminance(_ nits: Double) -> String {
    let places =
      switch abs(nits) {
      case ..<0.0995: 3
      case ..<9.995: 2
      case ..<99.95: 1
      default: 0
      }
    var text = decimal(nits, places: places)
    if text.contains(".") {
      while text.last == "0" { text.removeLast() }
      if text.last == "." { text.removeLast() }
    }
    return "\(text) cd/m²"
  }

  private static func milliseconds(_ seconds: Double) -> String {
    decimal(seconds * 1000, places: seconds < 0.00995 ? 1 : 0)
  }

  /// Formats a number with a decimal point in every locale; a dash if it is not a number.
  private static func decimal(_ value: Double, places: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "-" }
    var unit = 1
    for _ in 0..<places { unit *= 10 }
    let scaled = Int((abs(value) * Double(unit)).rounded())
    let sign = value < 0 && scaled > 0 ? "−" : ""
    guard places > 0 else { return "\(sign)\(scaled)" }
    let fraction = String(scaled % unit)
    return "\(sign)\(scaled / unit).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
  }
}
