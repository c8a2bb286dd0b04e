internal import Glibc

/// Alternating blocks of -1 and 1, with sharp or raised-cosine edges.
struct BlockWave: Sendable {
  /// Block width in pixels.
  let half: Int
  /// Edge width in pixels; 0 is sharp.
  let edge: Double

  /// Returns the wave, -1...1.
  /// - Parameter position: Pixels from the middle of a rising edge.
  func value(_ position: Double) -> Double {
    let block = Double(half)
    let phase = position - 2 * block * (position / (2 * block)).rounded(.down)
    // Distance to the nearest edge, positive in blocks of 1.
    let distance = phase < block / 2 ? phase : phase < block * 1.5 ? block - phase : phase - 2 * block
    if distance >= edge / 2 { return 1 }
    return distance < -edge / 2 ? -1 : edge > 0 ? sin(.pi * distance / edge) : -1
  }
}
