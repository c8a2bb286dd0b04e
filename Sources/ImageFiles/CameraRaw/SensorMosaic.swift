internal import Frames
internal import Threads

/// The light on the sites of a sensor with filters: 0 is black, 1 white.
@safe
final class SensorMosaic: @unchecked Sendable {
  // @unchecked: written while it is made, then only read.
  // @safe: `row` is the only access to the memory, which lives as long as this object.

  /// Sites added around the picture, so that neighbours need no bounds check.
  static let margin = 2

  let size: Size
  private let memory: UnsafeMutablePointer<Float>
  private let pitch: Int

  init(_ samples: LibRawSamples, _ levels: SensorLevels, _ pattern: FilterPattern) {
    size = unsafe samples.size
    pitch = unsafe samples.size.width + 2 * Self.margin
    unsafe memory = .allocate(capacity: pitch * (size.height + 2 * Self.margin))
    RowStrips(rows: size.height + 2 * Self.margin).run(threads: nil) { [self] _, rows in
      for line in rows {
        let y = Self.reflected(line - Self.margin, size.height)
        unsafe fill(line, samples.row(y), Self.levels(levels, pattern, y, width: size.width))
      }
    }
  }

  deinit { unsafe memory.deallocate() }

  /// The site at column 0 of a row; rows and columns reach `margin` beyond the picture.
  @unsafe
  func row(_ y: Int) -> UnsafePointer<Float> {
    unsafe UnsafePointer(memory + (y + Self.margin) * pitch + Self.margin)
  }

  /// Mirrored at the outermost site, which keeps the colours of Bayer's pattern.
  private static func reflected(_ place: Int, _ count: Int) -> Int {
    place < 0 ? -place : place >= count ? 2 * (count - 1) - place : place
  }

  /// The levels of a row's sites until they repeat.
  private static func levels(
    _ levels: SensorLevels, _ pattern: FilterPattern, _ y: Int, width: Int
  ) -> [SensorLevels.Site] {
    (0..<min(levels.period(pattern.size.width), width)).map { levels.site(pattern.site(x: $0, y: y), x: $0, y: y) }
  }

  private func fill(_ line: Int, _ samples: UnsafePointer<UInt16>, _ levels: [SensorLevels.Site]) {
    let target = unsafe memory + line * pitch + Self.margin
    for phase in levels.indices {
      let site = levels[phase]
      for x in stride(from: phase, to: size.width, by: levels.count) {
        unsafe target[x] = site.light(samples[x])
      }
    }
    for x in [-2, -1, size.width, size.width + 1] { unsafe target[x] = target[Self.reflected(x, size.width)] }
  }
}
