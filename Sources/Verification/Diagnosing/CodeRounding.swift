/// Code values that were rounded to fewer bits: only every nth code remains.
struct CodeRounding: Sendable {
  enum Method: Sendable, CaseIterable {
    /// The low bits of codes are truncated.
    case cut
    /// Codes are rounded to the nearest.
    case rounded
    /// Signals are rounded to the nearest before coding.
    case coded
  }

  /// Distance between remaining codes.
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
