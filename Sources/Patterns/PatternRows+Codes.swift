extension PatternRows {
  /// The R'G'B' code values of the row. Runs of one signal are rounded once.
  func round(by rounding: CodeRounding, into codes: inout [SIMD3<UInt16>]) {
    var (last, code) = (SIMD3<Double>(repeating: .nan), SIMD3<UInt16>.zero)
    for x in signals.indices {
      let signal = signals[x]
      if signal != last {
        last = signal
        code = SIMD3(rounding.code(signal.x), rounding.code(signal.y), rounding.code(signal.z))
      }
      codes[x] = code
    }
  }
}
