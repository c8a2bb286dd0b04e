/// The reason why the benchmark fails, in one or two sentences.
struct BenchmarkFailure: Error {
  var message: String

  init(_ message: String) { self.message = message }

  /// Runs `body`; appends `hint`, a remedy, to its failure.
  static func hinting<Result>(_ hint: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as BenchmarkFailure {
      throw BenchmarkFailure("\(failure.message)\n\(hint)")
    }
  }
}
