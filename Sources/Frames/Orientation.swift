/// How a picture is turned and mirrored: one of the eight symmetries of a rectangle's grid.
public struct Orientation: Sendable, Hashable, Codable {
  /// Rows become columns.
  public var swapsAxes: Bool
  /// The source's columns are taken from right to left.
  public var reversesColumns: Bool
  /// The source's rows are taken from bottom to top.
  public var reversesRows: Bool

  /// Axes are swapped first, then columns and rows are reversed.
  public init(swapsAxes: Bool, reversesColumns: Bool, reversesRows: Bool) {
    self.swapsAxes = swapsAxes
    self.reversesColumns = reversesColumns
    self.reversesRows = reversesRows
  }

  /// The picture as it is.
  public static let identity = Orientation(swapsAxes: false, reversesColumns: false, reversesRows: false)
  /// A quarter turn: what was on the left comes to the top.
  public static let clockwise = Orientation(swapsAxes: true, reversesColumns: false, reversesRows: true)
  /// A quarter turn: what was on the right comes to the top.
  public static let counterclockwise = Orientation(swapsAxes: true, reversesColumns: true, reversesRows: false)
  /// Half a turn.
  public static let upsideDown = Orientation(swapsAxes: false, reversesColumns: true, reversesRows: true)

  /// Where in the source the pixel at column `x` and row `y` of the turned picture comes from, in a source of `size`.
  public func source(x: Int, y: Int, in size: Size) -> (x: Int, y: Int) {
    let (column, row) = swapsAxes ? (y, x) : (x, y)
    return (reversesColumns ? size.width - 1 - column : column, reversesRows ? size.height - 1 - row : row)
  }

  /// This turn, and then another.
  public func followed(by second: Orientation) -> Orientation {
    Orientation(
      swapsAxes: swapsAxes != second.swapsAxes,
      reversesColumns: reversesColumns != (swapsAxes ? second.reversesRows : second.reversesColumns),
      reversesRows: reversesRows != (swapsAxes ? second.reversesColumns : second.reversesRows))
  }

  /// Extent of the turned picture; and back, as the axes are swapped or are not.
  public func turned(_ size: Size) -> Size { swapsAxes ? Size(width: size.height, height: size.width) : size }

  /// Shape of a turned sample, width to height.
  public func turned(sampleAspectRatio ratio: Rational) -> Rational {
    swapsAxes ? Rational(ratio.denominator, ratio.numerator) : ratio
  }
}

extension Orientation: CaseIterable {
  public static let allCases: [Orientation] = [false, true].flatMap { swaps in
    [false, true].flatMap { columns in
      [false, true].map { Orientation(swapsAxes: swaps, reversesColumns: columns, reversesRows: $0) }
    }
  }
}

extension Orientation {
  /// From the number that TIFF and Exif have for it.
  /// - Parameter code: 1...8.
  /// - Returns: nil for other numbers.
  /// Source: TIFF 6.0 (1992), "Orientation"; CIPA DC-008 (Exif 2.32), 4.6.4.
  public init?(exif code: Int) {
    switch code {
    case 1: self = .identity
    case 2: self = Orientation(swapsAxes: false, reversesColumns: true, reversesRows: false)
    case 3: self = .upsideDown
    case 4: self = Orientation(swapsAxes: false, reversesColumns: false, reversesRows: true)
    case 5: self = Orientation(swapsAxes: true, reversesColumns: false, reversesRows: false)
    case 6: self = .clockwise
    case 7: self = Orientation(swapsAxes: true, reversesColumns: true, reversesRows: true)
    case 8: self = .counterclockwise
    default: return nil
    }
  }
}
