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

/// Converts the samples of a file to a picture.
@safe
struct SensorSamples {
  // @safe: the samples live as long as the file.
  private let file: LibRawFile
  private let levels: SensorLevels
  private let samples: LibRawSamples

  init(_ file: LibRawFile, _ levels: SensorLevels) throws(ImageFileError) {
    (self.file, self.levels) = (file, levels)
    unsafe samples = try unsafe file.samples()
  }

  /// - Parameter white: The response to white, for comparing colours at edges.
  func image(_ description: SceneDescription, white: SIMD3<Float>) throws(ImageFileError) -> SceneImage {
    guard file.hasFilters else {
      let image = SceneImage(size: unsafe samples.size, description: description)
      fill(image)
      return image
    }
    let pattern = try FilterPattern(file)
    var description = description
    description.sampleDensity = pattern.shares
    let image = SceneImage(size: unsafe samples.size, description: description)
    let mosaic = unsafe SensorMosaic(samples, levels, pattern)
    if pattern.isBayer {
      BayerInterpolation(mosaic: mosaic, pattern: pattern, white: white).fill(image)
    } else {
      try FilterInterpolation(mosaic: mosaic, pattern: pattern, file).fill(image)
    }
    return image
  }

  /// Fills pixels that have all colours.
  private func fill(_ image: SceneImage) {
    let (levels, samples) = unsafe (levels, samples)
    RowStrips(rows: image.size.height).run(threads: nil) { _, rows in
      for y in rows {
        let source = unsafe samples.row(y)
        for channel in 0..<3 {
          let target = unsafe image.row(channel, y)
          for x in 0..<image.size.width {
            let sample = unsafe source[x * samples.perPixel + channel]
            unsafe target[x] = levels.site(channel, x: x, y: y).light(sample)
          }
        }
      }
    }
  }
}

/// The black and white levels of a sensor's sites.
struct SensorLevels: Sendable {
  /// By colour: red, green, blue, second green.
  private let black: [Int]
  private let white: [Int]
  /// Size of a repeated black pattern that is added to the colours' levels.
  private let pattern: Size
  private let siteBlack: [Int]

  /// - Throws: `ImageFileError.unsupported` if white is not above black.
  init(_ file: LibRawFile) throws(ImageFileError) {
    black = (0..<4).map { file.black($0) }
    white = (0..<4).map { file.white($0) }
    let pattern = file.blackPattern
    let isPattern = pattern.width > 0 && pattern.height > 0 && pattern.width * pattern.height <= 4096
    self.pattern = isPattern ? pattern : Size(width: 1, height: 1)
    siteBlack = isPattern ? (0..<pattern.width * pattern.height).map { file.siteBlack($0) } : [0]
    let highest = siteBlack.max() ?? 0
    for (black, white) in zip(black, white) where white <= black + highest {
      throw file.unsupported("its white level \(white) is not above its black level \(black + highest)")
    }
  }

  /// The largest sample step relative to white.
  var quantum: Float { 1 / Float((0..<3).map { white[$0] - black[$0] }.min() ?? 1) }

  /// The levels of a colour at a site.
  func site(_ color: Int, x: Int, y: Int) -> Site {
    let black = black[color] + siteBlack[y % pattern.height * pattern.width + x % pattern.width]
    return Site(black: Float(black), scale: 1 / Float(white[color] - black))
  }

  /// Columns after which levels repeat, for filters that repeat after `columns`.
  func period(_ columns: Int) -> Int { pattern.width == 1 ? columns : columns * pattern.width }

  struct Site {
    let black: Float
    /// 1 over the distance from black to white.
    let scale: Float

    /// - Returns: 0 for black and 1 for white, unclipped.
    func light(_ sample: UInt16) -> Float { (Float(sample) - black) * scale }
  }
}

/// The repeated pattern of the colour filters on a sensor's sites.
struct FilterPattern: Sendable {
  /// Rows and columns after which the pattern repeats.
  let size: Size
  /// By rows: 0 is red, 1 green, 2 blue, 3 the second green.
  private let sites: [Int]

  /// - Throws: `ImageFileError.unsupported` for sensors other than Bayer's, X-Trans and similar ones.
  init(_ file: LibRawFile) throws(ImageFileError) {
    guard file.isXTrans || file.isRegular else { throw file.unsupported("the pattern of its filters is not supported") }
    let size = file.isXTrans ? Size(width: 6, height: 6) : Size(width: 2, height: 8)
    self.size = size
    sites = (0..<size.width * size.height).map { file.color(x: $0 % size.width, y: $0 / size.width) }
    guard sites.allSatisfy({ 0...3 ~= $0 }), Set(sites).isSuperset(of: 0...2)
    else { throw file.unsupported("its filters are not red, green and blue") }
  }

  /// 0 is red, 1 green, 2 blue, 3 the second green; `x` and `y` are at least 0.
  func site(x: Int, y: Int) -> Int { sites[y % size.height * size.width + x % size.width] }

  /// 0 is red, 1 green, 2 blue.
  func color(x: Int, y: Int) -> Int {
    let site = site(x: x, y: y)
    return site == 3 ? 1 : site
  }

  /// The shares of the sites that are red, green and blue.
  var shares: SIMD3<Double> {
    var shares = SIMD3<Double>.zero
    for place in sites.indices { shares[color(x: place % size.width, y: place / size.width)] += 1 }
    return shares / Double(sites.count)
  }

  /// Whether both greens are on one diagonal of each 2 x 2 square, and red and blue on the other.
  var isBayer: Bool {
    guard size.width == 2 else { return false }
    let first = (0..<4).map { color(x: $0 % 2, y: $0 / 2) }
    guard [[0, 1, 1, 2], [2, 1, 1, 0], [1, 0, 2, 1], [1, 2, 0, 1]].contains(first) else { return false }
    return (0..<size.height).allSatisfy { y in (0..<2).allSatisfy { color(x: $0, y: y) == first[y % 2 * 2 + $0] } }
  }
}
