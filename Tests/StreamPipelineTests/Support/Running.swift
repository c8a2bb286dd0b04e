import Foundation
import Frames
import StreamPipeline
import Testing

/// A run on a thread of its own, so that one that hangs is an error of the test.
final class Running: Sendable {
  private let result = Watched<Result<StreamPipeline.Outcome, any Error>?>(nil)

  /// Runs `pipeline`; each open output gets the frame that `render` returns.
  init(_ pipeline: StreamPipeline, render: @escaping @Sendable (CodedFrame) throws -> CodedFrame = { $0 }) {
    start {
      try pipeline.run { frame, open in
        let rendered = try render(frame)
        return (0..<open.count).map { open.contains($0) ? .frame(rendered) : .nothing }
      }
    }
  }

  init(
    _ pipeline: StreamPipeline,
    _ render: @escaping @Sendable (CodedFrame, StreamPipeline.OutputSet) throws -> [StreamPipeline.Rendered]
  ) {
    start { try pipeline.run(render) }
  }

  private func start(_ body: @escaping @Sendable () throws -> StreamPipeline.Outcome) {
    Thread { [result] in
      let outcome = Result { try body() }
      result.update { $0 = outcome }
    }.start()
  }

  /// Whether the run ends within some seconds.
  func hasEnded(within seconds: Double) -> Bool {
    Thread.sleep(forTimeInterval: seconds)
    return result.value != nil
  }

  /// The outcome, when it is there; a run that hangs throws.
  func end(_ location: SourceLocation = #_sourceLocation) throws -> StreamPipeline.Outcome {
    result.wait(location) { $0 != nil }
    return try #require(result.value, sourceLocation: location).get()
  }
}
