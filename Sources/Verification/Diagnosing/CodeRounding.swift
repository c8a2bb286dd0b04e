/// Code values that were made of fewer bits: only every nth code is left.
struct CodeRounding: Sendable {
  enum Method: Sendable, CaseIterable {
    /// The low bits of codes are truncated.
    case cut
    /// Whole codes go to the nearest.
    case rounded
    /// What codes are made of goes to the nearest.
    case coded
  }

  /// Codes from one that is left to the next.
  var step: Double
  var method: Method

  func apply(_ components: SIMD3<Double>) -> SIMD3<Double> {
    let whole = (components + 0.5).rounded(.down)
    return switch method {
    case .cut: (whole / step).rounded(.down) * step
    case .rounded: (whole / step + 0.5).rounded(.down) * step
    case .coded: (components / step + 0.5).rounded(.down) * step
    }
  }
}
