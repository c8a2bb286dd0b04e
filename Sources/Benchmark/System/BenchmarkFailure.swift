/// Why the benchmark ends without its result, in one sentence or two.
struct BenchmarkFailure: Error {
  var message: String

  init(_ message: String) { self.message = message }
}
