public import ColorScience
public import Frames

/// A pattern: its name, where it comes from, what it takes, and how it is drawn.
public struct TestPattern: Sendable {
  /// A number that a pattern takes.
  public struct Parameter: Sendable, Hashable {
    /// As users write it: "percent".
    public var name: String
    /// What it says, with its unit.
    public var summary: String
    /// Values that can be asked for.
    public var range: ClosedRange<Double>
    /// The value where nothing is asked for.
    public var usual: Double
    /// Whole numbers only.
    public var isCount: Bool
    /// Written as "on" (1) and "off" (0).
    public var isSwitch = false

    /// Of every pattern: without, nothing lights up but what the pattern is made of.
    public static let labels: Parameter = {
      var labels = Parameter(
        "labels", "writing, ticks and the mark in the corner: on or off", in: 0...1, usual: 1, isCount: true)
      labels.isSwitch = true
      return labels
    }()

    /// A value as users write it: "500", "on".
    public func text(_ value: Double) -> String {
      if isSwitch { return value == 0 ? "off" : "on" }
      return value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }

    /// The value of what a user writes; nil where it is none, or out of the range.
    func value(_ text: String) -> Double? {
      if isSwitch { return ["on": 1, "off": 0][text] }
      guard let value = Double(text), range.contains(value), !isCount || value == value.rounded() else { return nil }
      return value
    }

    /// `usual` lies within the range.
    public init(
      _ name: String, _ summary: String, in range: ClosedRange<Double>, usual: Double, isCount: Bool = false
    ) {
      self.name = name
      self.summary = summary
      self.range = range
      self.usual = usual
      self.isCount = isCount
    }
  }

  /// As users write it: "window".
  public let name: String
  /// What it shows, in a sentence.
  public let summary: String
  /// The standard, or whose idea it is.
  public let source: String
  /// What it can be made as; the first is usual.
  public let kinds: [PatternSignal.Kind]
  /// Ranges of codes that it is defined for; the first is usual.
  public let ranges: [VideoRange]
  /// Fewer bits cannot show it.
  public let minimumBitDepth: Int
  /// The numbers that it takes.
  public let parameters: [Parameter]
  /// Frames differ.
  public let isMoving: Bool
  private let draw: @Sendable (PatternCanvas, _ frame: Int) -> PatternDrawing

  /// `draw` gets a canvas with a value for every parameter, and the number of the frame.
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

  /// What one frame looks like.
  /// - Parameters:
  ///   - canvas: Of a kind, range and depth that the pattern takes, with a value for each parameter.
  ///   - frame: Number of the frame, from 0; others than moving patterns do not look at it.
  public func drawing(on canvas: PatternCanvas, frame: Int = 0) -> PatternDrawing {
    var drawing = draw(canvas, frame)
    if !canvas.hasLabels { drawing.labels = [] }
    return drawing
  }

  /// The smallest picture that patterns are drawn on, in pixels.
  public static let minimumSize = Size(width: 64, height: 64)
  /// The largest.
  public static let maximumSize = Size(width: 16384, height: 16384)

  /// Whether a pattern can be drawn at a size.
  public static func allows(_ size: Size) -> Bool {
    (minimumSize.width...maximumSize.width).contains(size.width)
      && (minimumSize.height...maximumSize.height).contains(size.height)
  }
}

extension TestPattern {
  /// All of them, in the order in which they are listed.
  public static let all: [TestPattern] = [
    bt2111HLG, bt2111PQ, bt2111PQFull, edr, headroom, window, checkerboard, pluge, clipping, ramp, steps, banding,
    gamut,
    colorChecker, chromaSiting, zonePlate, pixelGrid, counter,
  ]

  /// The pattern of a name; nil where there is none.
  public static func named(_ name: String) -> TestPattern? { all.first { $0.name == name } }
}
