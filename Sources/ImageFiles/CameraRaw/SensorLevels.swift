internal import Frames

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
  func period(_ columns: Int) -> Int {
    pattern.width == 1 ? columns : columns * pattern.width
  }

  struct Site {
    let black: Float
    /// 1 over the distance from black to white.
    let scale: Float

    /// - Returns: 0 for black and 1 for white, unclipped.
    func light(_ sample: UInt16) -> Float { (Float(sample) - black) * scale }
  }
}
