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

/// A pattern with parameter values, as users write it: "window", or "window=percent=10:nits=1000".
public struct ChosenPattern: Sendable {
  /// The pattern itself.
  public let pattern: TestPattern
  /// A value for every parameter.
  public let values: [String: Double]

  /// Parses a pattern.
  /// - Throws: `PatternError` for an unknown pattern or parameter, or a value out of range.
  public init(_ text: String) throws(PatternError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let pattern = TestPattern.named(name) else { throw .unknownPattern(name) }
    self.pattern = pattern
    var values: [String: Double] = [:]
    for parameter in pattern.parameters { values[parameter.name] = parameter.default }
    if parts.count == 2 {
      for option in parts[1].split(separator: ":", omittingEmptySubsequences: false) {
        let pair = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let key = String(pair[0])
        guard let parameter = pattern.parameters.first(where: { $0.name == key }) else {
          throw .unknownParameter(key, pattern: pattern)
        }
        guard pair.count == 2, let value = parameter.value(String(pair[1])) else {
          throw .invalidValue(pair.count == 2 ? String(pair[1]) : "", parameter: parameter)
        }
        values[key] = value
      }
    }
    self.values = values
  }

  /// As users write it, with non-default values only: "window=nits=500".
  public var text: String {
    let chosen = pattern.parameters.compactMap { parameter -> String? in
      guard let value = values[parameter.name], value != parameter.default else { return nil }
      return "\(parameter.name)=\(parameter.text(value))"
    }
    return pattern.name + (chosen.isEmpty ? "" : "=" + chosen.joined(separator: ":"))
  }

  /// The canvas for a picture of the pattern.
  public func canvas(size: Size, scale: Double = 1, signal: PatternSignal) -> PatternCanvas {
    PatternCanvas(size: size, scale: scale, signal: signal, values: values)
  }
}

/// Why a pattern is invalid.
public enum PatternError: Error, Sendable, CustomStringConvertible {
  /// No pattern has this name.
  case unknownPattern(String)
  /// The pattern has no parameter of this name.
  case unknownParameter(String, pattern: TestPattern)
  /// The text is not a number, or is out of the parameter's range.
  case invalidValue(String, parameter: TestPattern.Parameter)

  public var description: String {
    switch self {
    case .unknownPattern(let name):
      "There is no pattern '\(name)': choose one of \(TestPattern.all.map(\.name).joined(separator: ", "))."
    case .unknownParameter(let name, let pattern):
      "The pattern \(pattern.name) has no parameter '\(name)': it takes "
        + "\(pattern.parameters.map(\.name).joined(separator: ", "))."
    case .invalidValue(let value, let parameter) where parameter.isSwitch:
      "'\(value)' is not a value for \(parameter.name): it takes on or off."
    case .invalidValue(let value, let parameter):
      "'\(value)' is not a value for \(parameter.name): it takes "
        + (parameter.isCount ? "whole numbers" : "numbers")
        + " from \(parameter.range.lowerBound) to \(parameter.range.upperBound)."
    }
  }
}
