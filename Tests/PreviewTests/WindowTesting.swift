import ColorScience
import Foundation
import Frames
import Media
import Preview
import Synchronization

/// A window without a display, and what it has reported.
final class OpenWindow: Sendable {
  /// What a screen has reported.
  final class Inputs: Sendable {
    private let list = Mutex<[ScreenInput]>([])

    var all: [ScreenInput] { list.withLock { $0 } }
    var commands: [PreviewCommand] {
      all.compactMap { input in
        guard case .command(let command) = input else { return nil }
        return command
      }
    }

    func append(_ input: ScreenInput) { list.withLock { $0.append(input) } }
    func removeAll() { list.withLock { $0 = [] } }
    func contains(_ input: ScreenInput) -> Bool { all.contains(input) }
  }

  let screen: WindowScreen
  let inputs = Inputs()

  /// - Parameter driver: nil: that of the environment.
  init(preferred: Size, driver: String? = "dummy") throws {
    screen = try WindowScreen(title: "Headroom: test", preferred: preferred, driver: driver)
    try screen.open { [inputs] input in inputs.append(input) }
  }
}

extension WindowScreen {
  /// A key goes down and types its character.
  func send(_ press: PreviewKey.Press, isRepeat: Bool = false) {
    switch press {
    case .special(let key):
      send(.key(key, isRepeat: isRepeat))
      if key == .space { send(.text(" ")) }
    case .character(let character):
      send(.key(nil, isRepeat: isRepeat))
      send(.text(String(character)))
    }
  }
}

/// A picture in which every pixel differs from its neighbours.
struct WindowPicture {
  let frame: CodedFrame

  init(size: Size, layout: PixelLayout) {
    let color = ColorDescription(primaries: .bt709, transfer: .sRGB, matrix: .rgb, range: .full)
    frame = CodedFrame(size: size, layout: layout, color: color)
    let last = 1 << layout.bitDepth - 1
    for y in 0..<size.height {
      for x in 0..<size.width {
        // G', B', R'.
        for (plane, value) in [x * 3 + y, y * 5 + x, x * y + 7].enumerated() {
          frame.setSample(value & last, plane: plane, x: x, y: y)
        }
      }
    }
  }

  typealias Shown = (pixels: [UInt32], size: Size, format: PackedFormat)

  /// Pixels that are neither the picture's nor black around it.
  /// - Parameters:
  ///   - x: Column of the picture's first, in the window.
  ///   - y: Its row.
  func differences(in shown: Shown, x left: Int, y top: Int) -> Int {
    (0..<shown.size.height).reduce(0) { count, y in
      count
        + (0..<shown.size.width).count { x in
          shown.format.components(of: shown.pixels[y * shown.size.width + x])
            != expected(x - left, y - top)
        }
    }
  }

  func isSame(in shown: Shown, row: Int) -> Bool {
    (0..<shown.size.width).allSatisfy { x in
      shown.format.components(of: shown.pixels[row * shown.size.width + x]) == expected(x, row)
    }
  }

  private func expected(_ x: Int, _ y: Int) -> SIMD3<UInt32> {
    guard x >= 0, y >= 0, x < frame.size.width, y < frame.size.height else { return .zero }
    return SIMD3(
      UInt32(frame.sample(plane: 2, x: x, y: y)), UInt32(frame.sample(plane: 0, x: x, y: y)),
      UInt32(frame.sample(plane: 1, x: x, y: y)))
  }
}
