extension OctavePolynomial {
  /// The fourth root of the light of a signal, in band units.
  package static func light(of transfer: SignalTransfer) -> OctavePolynomial {
    OctavePolynomial(breakpoint: transfer.breakpoint) { raise(transfer.light(fromSignal: $0), 0.25) }
  }

  /// The signal of light, as a function of the root of the light relative to that of signal 1.
  package static func signal(of transfer: SignalTransfer) -> OctavePolynomial {
    let power = transfer.roots
    let breakpoint = transfer.breakpoint.map { raise(transfer.light(fromSignal: $0) / transfer.peak, 1 / power) }
    return OctavePolynomial(breakpoint: breakpoint) { root in
      transfer.signal(fromLight: raise(root, power) * transfer.peak)
    }
  }
}

extension SignalTransfer {
  /// The power of the root that a coding polynomial takes its argument through, 2 or 4: PQ is too steep at black for
  /// less than the fourth.
  package var roots: Double {
    if case .pq = self { 4 } else { 2 }
  }

  /// Signal at which the function changes its formula, if it does.
  var breakpoint: Double? {
    switch self {
    case .hlg: 0.5
    case .sRGB: 0.04045
    case .pq, .power: nil
    }
  }
}
