internal import Rendering

extension WorkerPool {
  /// Rows per band: constant, so that sums do not depend on the number of workers.
  static var bandHeight: Int { 16 }

  /// Calls `body` for bands of rows that together cover `height` rows.
  func forRows(of height: Int, _ body: @escaping @Sendable (_ rows: Range<Int>) -> Void) {
    forEachBand(of: height, span: Self.bandHeight) { rows, _, _ in body(rows) }
  }

  /// Returns the results of `body` for bands of rows that together cover `height` rows, in order.
  func results<Result: Sendable>(
    of height: Int, _ body: @escaping @Sendable (_ rows: Range<Int>) -> Result
  ) -> [Result] {
    let results = BandResults<Result>(count: (height + Self.bandHeight - 1) / Self.bandHeight)
    forRows(of: height) { rows in results.set(rows.lowerBound / Self.bandHeight, body(rows)) }
    return results.all
  }
}

/// Results of bands, written by several threads, each in a separate slot.
@safe
private final class BandResults<Result: Sendable>: @unchecked Sendable {
  // @unchecked: each slot is written by one thread, and read after all have finished.
  private let places: UnsafeMutableBufferPointer<Result?>

  init(count: Int) {
    unsafe places = .allocate(capacity: count)
    unsafe places.initialize(repeating: nil)
  }

  deinit {
    unsafe places.deinitialize()
    unsafe places.deallocate()
  }

  func set(_ index: Int, _ result: Result) { unsafe places[index] = result }

  var all: [Result] { unsafe places.compactMap { $0 } }
}
