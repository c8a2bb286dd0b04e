internal import Frames

/// The samples of black and white of a sensor's sites.
struct SensorLevels: Sendable {
  /// By colour: red, green, blue, second green.
  private let black: [Int]
  private let white: [Int]
  /// A repeated pattern of black beyond that of the colours.
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

  /// The largest step of samples in the unit of white.
  var quantum: Float { 1 / Float((0..<3).map { white[$0] - black[$0] }.min() ?? 1) }

  /// Levels of a colour at a site.
  func site(_ color: Int, x: Int, y: Int) -> Site {
    let black = black[color] + siteBlack[y % pattern.height * pattern.width + x % pattern.width]
    return Site(black: Float(black), scale: 1 / Float(white[color] - black))
  }

  /// Columns after which levels repeat, for filters that repeat after `columns`.
  func period(_ columns: Int) -> Int {
    pattern.width == 1 ? columns : columns * pattern.width
  }

  struct Site {
    let black: Float
    /// 1 over the distance from black to white.
    let scale: Float

    /// - Returns: 0 for black, 1 for white, and what is below and above.
    func light(_ sample: UInt16) -> Float { (Float(sample) - black) * scale }
  }
}
