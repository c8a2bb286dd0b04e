import Frames
import Media
import Synchronization

/// A sink: the mean code of the first plane of every frame.
final class MeanSink: FrameSink {
  private let means = Mutex<[Double]>([])

  var values: [Double] { means.withLock { $0 } }

  func write(_ frame: CodedFrame) {
    var sum = 0
    for y in 0..<frame.size.height {
      for x in 0..<frame.size.width { sum += frame.sample(plane: 0, x: x, y: y) }
    }
    means.withLock { $0.append(Double(sum) / Double(frame.size.width * frame.size.height)) }
  }

  func pass(_ data: any PassingData) {}
}
