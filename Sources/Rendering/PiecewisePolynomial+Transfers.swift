internal import SIMDShims

extension PiecewisePolynomial {
  /// Returns a root of the light of a signal, in band units, as a function of the signal over `reach`.
  /// - Parameter reach: The largest signal.
  package static func light(
    of transfer: SignalTransfer, reach: Double = 1, for tier: KernelTier
  ) -> PiecewisePolynomial {
    let root = 1 / transfer.rootPower
    return PiecewisePolynomial(
      degree: HR_LIGHT_DEGREE, pieces: tier.pieces, transfer.lightSpacing(pieces: tier.pieces, reach: reach)
    ) { raise(transfer.light(fromSignal: $0 * reach, reach: reach), root) }
  }

  /// Returns the signal of light, as a function of the root of the light relative to the light of the largest signal.
  /// - Parameter reach: The largest signal.
  package static func signal(
    of transfer: SignalTransfer, reach: Double = 1, for tier: KernelTier
  ) -> PiecewisePolynomial {
    let (power, peak) = (transfer.rootPower, transfer.peak(reach: reach))
    return PiecewisePolynomial(
      degree: HR_SIGNAL_DEGREE, pieces: tier.pieces, transfer.signalSpacing(pieces: tier.pieces, reach: reach)
    ) { transfer.signal(fromLight: raise($0, power) * peak, reach: reach) }
  }
}

extension SignalTransfer {
  /// The root of light that the polynomials use, 2 or 4: PQ is so steep at black that it needs the fourth.
  package var rootPower: Double {
    if case .pq = self { 4 } else { 2 }
  }

  // Found by searching for the smallest error; `ApproximationTests` bounds the error.

  fileprivate func lightSpacing(pieces: Int, reach: Double) -> PiecewisePolynomial.Spacing {
    let isCoarse = pieces == 8
    if reach > 1, self == .hlg {
      // The formula changes at half of the signal: z = 1.25 or 1, the end of a piece.
      return .init(
        division: 2, offset: isCoarse ? 0.6165 : 0.157, meeting: isCoarse ? 1.25 : 1, at: 0.5 / reach)
    }
    return switch self {
    case .pq:
      isCoarse ? .init(division: 0, offset: 0.0089, top: 1.5) : .init(division: 1, offset: 0.00816, top: 1.25)
    case .hlg:
      .init(division: 2, offset: isCoarse ? 0.5 : 0.125, top: isCoarse ? 1.999 : 1.875)
    case .power, .bt1886Black, .linear:
      .init(division: isCoarse ? 0 : 1, offset: 0x1p-7, top: 1.999)
    case .sRGB:
      // The formula changes at 0.04045, which is z = 2^-4, the end of a piece.
      .init(division: isCoarse ? 0 : 1, offset: 0x1p-7, top: 0x1p-7 + (0x1p-4 - 0x1p-7) / 0.04045)
    }
  }

  fileprivate func signalSpacing(pieces: Int, reach: Double) -> PiecewisePolynomial.Spacing {
    let isCoarse = pieces == 8
    if reach > 1, self == .hlg {
      // As above, at a twelfth of the light of signal 1: z = 0.875 or 0.75.
      let root = (1 / 12 / peak(reach: reach)).squareRoot()
      return .init(division: 2, offset: isCoarse ? 0.55 : 0.389, meeting: isCoarse ? 0.875 : 0.75, at: root)
    }
    return switch self {
    case .pq:
      isCoarse ? .init(division: 1, offset: 0.14865, top: 1.999) : .init(division: 2, offset: 0.13631, top: 1.999)
    case .hlg:
      .init(division: 2, offset: isCoarse ? 0.56939 : 0.2394, top: isCoarse ? 1.625 : 1.999)
    case .power, .bt1886Black, .linear:
      isCoarse ? .init(division: 0, offset: 0.01372, top: 1.999) : .init(division: 1, offset: 0.01105, top: 1.999)
    case .sRGB:
      isCoarse ? .init(division: 1, offset: 0.125, top: 1.25) : .init(division: 1, offset: 0.01779, top: 1.375)
    }
  }
}

extension PiecewisePolynomial.Spacing {
  /// Creates pieces, one of which ends at `z`, where the argument is `x`.
  fileprivate init(division: Int, offset: Double, meeting z: Double, at x: Double) {
    self.init(division: division, offset: offset, top: offset + (z - offset) / x)
  }
}
