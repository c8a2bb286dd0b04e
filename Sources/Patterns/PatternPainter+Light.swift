internal import Frames

extension PatternPainter {
  /// The light of a drawing on the reference display, of the signals as they are, not rounded to code values.
  /// - Parameters:
  ///   - signal: What the drawing's signals stand for.
  ///   - threads: The most to use; nil: one for each processor.
  ///   - row: Called once for each row, in no order and from several threads, with the row's number from the top and
  ///     its linear components in cd/m², in the signal's primaries.
  public func paintLight(
    of signal: PatternSignal, threads: Int? = nil, row: @Sendable (_ y: Int, _ light: [SIMD3<Double>]) -> Void
  ) {
    RowStrips(rows: size.height).run(threads: threads) { _, strip in
      var rows = PatternRows(self)
      var light = [SIMD3<Double>](repeating: .zero, count: size.width)
      for y in strip {
        if rows.move(to: y) {
          var (last, nits) = (SIMD3<Double>(repeating: .nan), SIMD3<Double>.zero)
          for x in light.indices {
            if rows.signals[x] != last { (last, nits) = (rows.signals[x], signal.nits(rows.signals[x])) }
            light[x] = nits
          }
        }
        row(y, light)
      }
    }
  }
}
