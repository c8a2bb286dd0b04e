public import Frames

/// Why scopes cannot be laid out.
public enum ScopeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No scope was requested.
  case noKinds
  /// A scale outside `ScopeLayout.scales`, or NaN.
  case scale(Double)
  /// The picture is too small for the scopes; `least` is large enough.
  case tooSmall(Size, least: Size, scopes: Int, scale: Double)

  public var description: String {
    switch self {
    case .noKinds:
      "No scope was named: choose from \(ScopeKind.allCases.map(\.rawValue).joined(separator: ", "))."
    case .scale(let scale):
      "The scale of scopes is \(ScopeLayout.scales.lowerBound) to \(ScopeLayout.scales.upperBound), not \(scale)."
    case .tooSmall(let size, let least, let scopes, let scale):
      "\(scopes == 1 ? "A scope does" : "\(scopes) scopes do") not fit in \(size): "
        + "at scale \(scale) they need \(least) or more."
    }
  }
}
