/// Why the benchmark ends without its result, in one sentence or two.
struct BenchmarkFailure: Error {
  var message: String

  init(_ message: String) { self.message = message }

  /// Runs `body`; where it fails, its failure with `hint`: what to do about it.
  static func hinting<Result>(_ hint: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as BenchmarkFailure {
      throw BenchmarkFailure("\(failure.message)\n\(hint)")
    }
  }
}
