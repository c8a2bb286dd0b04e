public import ColorScience
public import Frames

/// A pattern: its name, source, parameters, and drawing.
public struct TestPattern: Sendable {
  /// A numeric parameter of a pattern.
  public struct Parameter: Sendable, Hashable {
    /// Name in the user interface: "percent".
    public var name: String
    /// Description with unit.
    public var summary: String
    /// Allowed values.
    public var range: ClosedRange<Double>
    /// The default value.
    public var `default`: Double
    /// Whether only whole numbers are allowed.
    public var isCount: Bool
    /// Whether it is written as "on" (1) and "off" (0).
    public var isSwitch = false

    /// A parameter of every pattern: without labels, the pattern is the only light.
    public static let labels: Parameter = {
      var labels = Parameter(
        "labels", "text, ticks and the mark in the corner: on or off", in: 0...1, default: 1, isCount: true)
      labels.isSwitch = true
      return labels
    }()

    /// Formats a value: "500", "on".
    public func text(_ value: Double) -> String {
      if isSwitch { return value == 0 ? "off" : "on" }
      return value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }

    /// Parses a value; nil if it is invalid or out of range.
    func value(_ text: String) -> Double? {
      if isSwitch { return ["on": 1, "off": 0][text] }
      guard let value = Double(text), range.contains(value), !isCount || value == value.rounded() else { return nil }
      return value
    }

    /// Creates a parameter; `default` must be in the range.
    public init(
      _ name: String, _ summary: String, in range: ClosedRange<Double>, default: Double, isCount: Bool = false
    ) {
      self.name = name
      self.summary = summary
      self.range = range
      self.default = `default`
      self.isCount = isCount
    }
  }

  /// Name in the user interface: "window".
  public let name: String
  /// Description in one sentence.
  public let summary: String
  /// The standard, or the author of the idea.
  public let source: String
  /// Kinds of video it supports; the first is the default.
  public let kinds: [PatternSignal.Kind]
  /// Ranges of code values it is defined for; the first is the default.
  public let ranges: [VideoRange]
  /// Minimum bit depth that can show it.
  public let minimumBitDepth: Int
  /// The parameters of the pattern.
  public let parameters: [Parameter]
  /// Whether frames differ.
  public let isMoving: Bool
  private let draw: @Sendable (PatternCanvas, _ frame: Int) -> PatternDrawing

  /// Creates a pattern; `draw` gets a canvas with a value for every parameter, and the frame number.
  public init(
    _ name: String, _ summary: String, source: String, kinds: [PatternSignal.Kind] = PatternSignal.Kind.allCases,
    ranges: [VideoRange] = [.narrow, .full], minimumBitDepth: Int = 8, parameters: [Parameter] = [],
    isMoving: Bool = false, draw: @escaping @Sendable (PatternCanvas, _ frame: Int) -> PatternDrawing
  ) {
    self.name = name
    self.summary = summary
    self.source = source
    self.kinds = kinds
    self.ranges = ranges
    self.minimumBitDepth = minimumBitDepth
    self.parameters = parameters + [.labels]
    self.isMoving = isMoving
    self.draw = draw
  }

  /// Returns the drawing of one frame.
  /// - Parameters:
  ///   - canvas: A canvas with a supported kind, range and bit depth, and a value for each parameter.
  ///   - frame: Frame number, from 0; only moving patterns use it.
  public func drawing(on canvas: PatternCanvas, frame: Int = 0) -> PatternDrawing {
    var drawing = draw(canvas, frame)
    if !canvas.hasLabels { drawing.labels = [] }
    return drawing
  }

  /// The minimum picture size in pixels.
  public static let minimumSize = Size(width: 64, height: 64)
  /// The maximum picture size in pixels.
  public static let maximumSize = Size(width: 16384, height: 16384)

  /// Whether a pattern can be drawn at a size.
  public static func allows(_ size: Size) -> Bool {
    (minimumSize.width...maximumSize.width).contains(size.width)
      && (minimumSize.height...maximumSize.height).contains(size.height)
  }
}

extension TestPattern {
  /// All patterns, in list order.
  public static let all: [TestPattern] = [
    bt2111HLG, bt2111PQ, bt2111PQFull, edr, headroom, window, checkerboard, pluge, clipping, ramp, steps, banding,
    gamut,
    colorChecker, chromaSiting, zonePlate, pixelGrid, counter,
  ]

  /// Returns the pattern with a name; nil if there is none.
  public static func named(_ name: String) -> TestPattern? { all.first { $0.name == name } }
}
