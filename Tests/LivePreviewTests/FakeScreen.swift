import Frames
import Media
import Preview
import Sessions
import Synchronization

/// A screen that keeps what it is shown, and whose keys a test presses.
final class FakeScreen: PreviewScreen {
  /// A picture that was shown.
  struct Shown: Sendable {
    let size: Size
    let time: FrameTime
    /// The mean of all samples.
    let mean: Double
  }

  private struct State {
    var area: ScreenArea
    var shown: [Shown] = []
    var messages: [String] = []
    var status = PreviewStatus()
    var onInput: (@Sendable (ScreenInput) -> Void)?
    var isClosed = false
    var pointer: SIMD2<Double>?
  }

  let layout: PixelLayout
  private let state: Mutex<State>
  private let onShow: @Sendable (FakeScreen, Int) -> Void

  /// - Parameter onShow: Called while a picture is presented, with its number; keys that it presses come from the screen's own thread.
  init(
    _ area: Size, scale: Double = 1, layout: PixelLayout = PixelLayout(.rgb, bitDepth: 8),
    onShow: @escaping @Sendable (FakeScreen, Int) -> Void = { _, _ in }
  ) {
    state = Mutex(State(area: ScreenArea(size: area, scale: scale)))
    (self.layout, self.onShow) = (layout, onShow)
  }

  var area: ScreenArea { state.withLock { $0.area } }
  var pointer: SIMD2<Double>? { state.withLock { $0.pointer } }
  var shown: [Shown] { state.withLock { $0.shown } }
  var messages: [String] { state.withLock { $0.messages } }
  var status: PreviewStatus { state.withLock { $0.status } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  func open(onInput: @escaping @Sendable (ScreenInput) -> Void) { state.withLock { $0.onInput = onInput } }
  func show(_ status: PreviewStatus) { state.withLock { $0.status = status } }
  func say(_ message: String) { state.withLock { $0.messages.append(message) } }
  func close() { state.withLock { $0.isClosed = true } }
  func pass(_ data: any PassingData) {}

  func press(_ command: PreviewCommand) { input(.command(command)) }
  func input(_ input: ScreenInput) { state.withLock { $0.onInput }?(input) }
  func point(at place: SIMD2<Double>?) { state.withLock { $0.pointer = place } }

  func resize(_ size: Size) {
    state.withLock { $0.area.size = size }
    input(.areaChanged)
  }

  func write(_ frame: CodedFrame) {
    var sum = 0
    for plane in 0..<3 {
      for y in 0..<frame.size.height {
        for x in 0..<frame.size.width { sum += frame.sample(plane: plane, x: x, y: y) }
      }
    }
    let mean = Double(sum) / Double(3 * frame.size.width * frame.size.height)
    let number = state.withLock { state in
      state.shown.append(Shown(size: frame.size, time: frame.time, mean: mean))
      return state.shown.count - 1
    }
    onShow(self, number)
  }
}
