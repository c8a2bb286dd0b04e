public import Frames

/// The canvas of a pattern: the picture's size, its signal, and the values of the pattern's parameters.
public struct PatternCanvas: Sendable, Hashable {
  /// Pixels.
  public let size: Size
  /// Pixels per point. Layouts use fractions of the picture and points; single-pixel lines stay single-pixel.
  public let scale: Double
  /// The meaning of the pattern's signals, and their code values.
  public let signal: PatternSignal
  /// Values by the parameter's name; every parameter of the pattern has one.
  public let values: [String: Double]

  /// Creates a canvas; `values` must contain every parameter of the pattern.
  public init(size: Size, scale: Double = 1, signal: PatternSignal, values: [String: Double] = [:]) {
    self.size = size
    self.scale = scale
    self.signal = signal
    self.values = values
  }

  /// Returns the value of a parameter of the pattern.
  public subscript(name: String) -> Double {
    guard let value = values[name] else { preconditionFailure("the pattern has no parameter '\(name)'") }
    return value
  }

  /// Whether text, marks and ticks are drawn.
  var hasLabels: Bool { values[TestPattern.Parameter.labels.name] != 0 }

  /// Points rounded to whole pixels, at least one.
  public func pixels(_ points: Double) -> Int { max(Int((points * scale).rounded()), 1) }

  /// An area from fractions of the picture's width and height, 0...1; neighbours share their edges.
  public func area(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> PictureArea {
    func place(_ part: Double, _ extent: Int) -> Int { Int((part * Double(extent)).rounded()) }
    let (x, y) = (place(left, size.width), place(top, size.height))
    return PictureArea(
      x: x, y: y, width: place(right, size.width) - x, height: place(bottom, size.height) - y)
  }
}
