import ColorScience
import Frames
internal import Media
import Synchronization

/// What fails says so.
struct Broken: Error, Equatable { let place: String }

/// What passes beside a frame: its number.
struct Number: PassingData {
  let value: Int
  init(_ value: Int) { self.value = value }
}

/// Frame `index` of 25 a second.
func numberedFrame(_ index: Int) -> CodedFrame {
  CodedFrame(
    size: Size(width: 2, height: 2), layout: PixelLayout(.ycbcr420, bitDepth: 8), color: .bt709, time: time(index))
}

func time(_ index: Int) -> FrameTime {
  FrameTime(presentation: Int64(index), duration: 1, timeBase: Rational(1, 25))
}

extension CodedFrame {
  var number: Int { Int(time.presentation) }
}

/// A file of numbered frames, each after data of the same number.
final class Numbers: FrameSource {
  let count: Int
  let failing: Int?
  let next = Atomic(0)
  private let make: @Sendable (Int) -> CodedFrame

  init(_ count: Int, failing: Int? = nil, make: @escaping @Sendable (Int) -> CodedFrame = numberedFrame) {
    self.count = count
    self.failing = failing
    self.make = make
  }

  func interrupt() {}

  func read() throws -> StreamItem? {
    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
    if index == failing { throw Broken(place: "source") }
    return index < count ? StreamItem(passing: Number(index), frame: make(index)) : nil
  }
}
