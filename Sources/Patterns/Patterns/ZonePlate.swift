internal import Frames
internal import Glibc

/// A circular wave whose frequency increases with the distance from the centre.
///
/// Source: a Fresnel zone plate: the phase is the square of the distance.
struct ZonePlate: Sendable {
  private let centerX: Double
  private let centerY: Double
  private let radius: Double
  private let highest: Double

  /// - Parameter highest: Frequency at the edge of the circle, in cycles per pixel; 0.5 is Nyquist.
  init(_ area: PictureArea, highest: Double) {
    centerX = Double(area.width - 1) / 2
    centerY = Double(area.height - 1) / 2
    radius = max(Double(min(area.width, area.height)) / 2, 1)
    self.highest = highest
  }

  /// Returns the wave, -1...1; 0 outside the circle.
  /// - Parameters: Relative to the area.
  func wave(_ x: Int, _ y: Int) -> Double {
    let (dx, dy) = (Double(x) - centerX, Double(y) - centerY)
    let square = dx * dx + dy * dy
    guard square <= radius * radius else { return 0 }
    return cos(.pi * highest / radius * square)
  }
}
