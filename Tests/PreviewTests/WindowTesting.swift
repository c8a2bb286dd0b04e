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
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (green, blue, red) = Self.sample(x, y, layout.bitDepth)
        for (plane, value) in [green, blue, red].enumerated() {
          frame.setSample(Int(value), plane: plane, x: x, y: y)
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
    zip(shown.pixels, pixels(in: shown.size, x: left, y: top, format: shown.format)).count {
      $0 != $1
    }
  }

  /// Whether a window of its size shows it, and nothing else.
  func isAlone(in window: OpenWindow) -> Bool {
    window.screen.presentedPixels().map { differences(in: $0, x: 0, y: 0) == 0 } ?? false
  }

  /// Whether rows are the picture's, which is as wide as the window.
  func isSame(in shown: Shown, rows: Range<Int>) -> Bool {
    let range = rows.lowerBound * shown.size.width..<rows.upperBound * shown.size.width
    return shown.pixels[range].elementsEqual(
      pixels(in: shown.size, x: 0, y: 0, format: shown.format)[range])
  }

  /// What a window of a size is to show.
  private func pixels(in size: Size, x left: Int, y top: Int, format: PackedFormat) -> [UInt32] {
    var pixels = Array(
      repeating: format.pixel(red: 0, green: 0, blue: 0), count: size.width * size.height)
    for y in max(top, 0)..<min(top + frame.size.height, size.height) {
      for x in max(left, 0)..<min(left + frame.size.width, size.width) {
        let (green, blue, red) = Self.sample(x - left, y - top, format.bitDepth)
        pixels[y * size.width + x] = format.pixel(red: red, green: green, blue: blue)
      }
    }
    return pixels
  }

  /// G', B', R'.
  private static func sample(_ x: Int, _ y: Int, _ bitDepth: Int) -> (UInt32, UInt32, UInt32) {
    let last = 1 << bitDepth - 1
    return (UInt32((x * 3 + y) & last), UInt32((y * 5 + x) & last), UInt32((x * y + 7) & last))
  }
}
