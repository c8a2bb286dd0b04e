import Glibc

/// The reference display of standard dynamic range: a power of 2.4 between the black and the white of a screen.
///
/// Source: ITU-R BT.1886-0 (2011), annex 1.
public struct BT1886: Sendable, Hashable {
  /// Luminance of signal 1 in cd/m².
  public let white: Double
  /// Luminance of signal 0 in cd/m².
  public let black: Double
  /// Legacy "contrast" a in cd/m² and "brightness" b in signal units.
  private let gain: Double
  private let lift: Double

  /// The power of the curve. Source: ITU-R BT.1886-0 (2011), annex 1.
  public static let exponent = 2.4

  /// A display with given luminances of white and black.
  /// - Parameters:
  ///   - white: Luminance of signal 1 in cd/m², above `black`. At 1 the light is relative to white.
  ///   - black: Luminance of signal 0 in the same unit, not negative.
  public init(white: Double = 1, black: Double = 0) {
    precondition(white > black && black >= 0)
    self.white = white
    self.black = black
    let whiteRoot = pow(white, 1 / Self.exponent)
    let blackRoot = pow(black, 1 / Self.exponent)
    // Without black the root and the power cancel; leaving them out keeps the curve an exact power.
    gain = black == 0 ? white : pow(whiteRoot - blackRoot, Self.exponent)
    lift = blackRoot / (whiteRoot - blackRoot)
  }

  /// Signal to light.
  /// - Parameter signal: Non-linear signal, nominally 0...1; above 1 the curve continues.
  /// - Returns: Light in cd/m²; 0 if signal plus lift is not above 0.
  public func eotf(_ signal: Double) -> Double { gain * pow(nonNegative(signal + lift), Self.exponent) }

  /// Light to signal.
  /// - Parameter light: Light in cd/m²; negative light is treated as 0.
  /// - Returns: Non-linear signal: 0 at `black`, 1 at `white`.
  public func inverseEOTF(_ light: Double) -> Double { pow(nonNegative(light) / gain, 1 / Self.exponent) - lift }
}
