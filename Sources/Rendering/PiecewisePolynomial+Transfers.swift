internal import SIMDShims

extension PiecewisePolynomial {
  /// A root of the light of a signal, in band units.
  package static func light(of transfer: SignalTransfer, for tier: KernelTier) -> PiecewisePolynomial {
    let root = 1 / transfer.rootPower
    return PiecewisePolynomial(
      degree: HR_LIGHT_DEGREE, pieces: tier.pieces, transfer.lightSpacing(pieces: tier.pieces)
    ) { raise(transfer.light(fromSignal: $0), root) }
  }

  /// The signal of light, as a function of the root of the light relative to that of signal 1.
  package static func signal(of transfer: SignalTransfer, for tier: KernelTier) -> PiecewisePolynomial {
    let power = transfer.rootPower
    return PiecewisePolynomial(
      degree: HR_SIGNAL_DEGREE, pieces: tier.pieces, transfer.signalSpacing(pieces: tier.pieces)
    ) { transfer.signal(fromLight: raise($0, power) * transfer.peak) }
  }
}

extension SignalTransfer {
  /// Polynomials are to and from this root of light, 2 or 4: PQ is too steep at black for less than the fourth.
  package var rootPower: Double {
    if case .pq = self { 4 } else { 2 }
  }

  // Found by search for the smallest error; `ApproximationTests` bounds what is left.

  fileprivate func lightSpacing(pieces: Int) -> PiecewisePolynomial.Spacing {
    let isCoarse = pieces == 8
    return switch self {
    case .pq:
      isCoarse ? .init(division: 0, offset: 0.0089, top: 1.5) : .init(division: 1, offset: 0.00816, top: 1.25)
    case .hlg:
      .init(division: 2, offset: isCoarse ? 0.5 : 0.125, top: isCoarse ? 1.999 : 1.875)
    case .power, .linear:
      .init(division: isCoarse ? 0 : 1, offset: 0x1p-7, top: 1.999)
    case .sRGB:
      // The function changes its formula at 0.04045, which is z = 2^-4, the end of a piece.
      .init(division: isCoarse ? 0 : 1, offset: 0x1p-7, top: 0x1p-7 + (0x1p-4 - 0x1p-7) / 0.04045)
    }
  }

  fileprivate func signalSpacing(pieces: Int) -> PiecewisePolynomial.Spacing {
    let isCoarse = pieces == 8
    return switch self {
    case .pq:
      isCoarse ? .init(division: 1, offset: 0.14865, top: 1.999) : .init(division: 2, offset: 0.13631, top: 1.999)
    case .hlg:
      .init(division: 2, offset: isCoarse ? 0.56939 : 0.2394, top: isCoarse ? 1.625 : 1.999)
    case .power, .linear:
      isCoarse ? .init(division: 0, offset: 0.01372, top: 1.999) : .init(division: 1, offset: 0.01105, top: 1.999)
    case .sRGB:
      isCoarse ? .init(division: 1, offset: 0.125, top: 1.25) : .init(division: 1, offset: 0.01779, top: 1.375)
    }
  }
}
