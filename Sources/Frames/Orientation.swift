/// Rotation by multiples of 90° and mirroring of a picture.
public struct Orientation: Sendable, Hashable, Codable {
  /// Rows become columns.
  public var swapsAxes: Bool
  /// The source's columns are read from right to left.
  public var reversesColumns: Bool
  /// The source's rows are read from bottom to top.
  public var reversesRows: Bool

  /// Axes are swapped first, then columns and rows are reversed.
  public init(swapsAxes: Bool, reversesColumns: Bool, reversesRows: Bool) {
    self.swapsAxes = swapsAxes
    self.reversesColumns = reversesColumns
    self.reversesRows = reversesRows
  }

  /// No rotation or mirroring.
  public static let identity = Orientation(swapsAxes: false, reversesColumns: false, reversesRows: false)
  /// 90° clockwise: the left edge becomes the top.
  public static let clockwise = Orientation(swapsAxes: true, reversesColumns: false, reversesRows: true)
  /// 90° counterclockwise: the right edge becomes the top.
  public static let counterclockwise = Orientation(swapsAxes: true, reversesColumns: true, reversesRows: false)
  /// 180°.
  public static let upsideDown = Orientation(swapsAxes: false, reversesColumns: true, reversesRows: true)

  /// The source position of the pixel at column `x` and row `y` of the rotated picture, for a source of `size`.
  public func source(x: Int, y: Int, in size: Size) -> (x: Int, y: Int) {
    let (column, row) = swapsAxes ? (y, x) : (x, y)
    return (reversesColumns ? size.width - 1 - column : column, reversesRows ? size.height - 1 - row : row)
  }

  /// The area of the source that becomes an area of the rotated picture.
  /// - Parameters:
  ///   - area: Not empty, and inside the rotated picture.
  ///   - size: The size of the source.
  public func source(of area: PictureArea, in size: Size) -> PictureArea {
    let first = source(x: area.x, y: area.y, in: size)
    let last = source(x: area.maxX - 1, y: area.maxY - 1, in: size)
    return PictureArea(
      x: min(first.x, last.x), y: min(first.y, last.y), width: abs(last.x - first.x) + 1,
      height: abs(last.y - first.y) + 1)
  }

  /// The orientation that undoes this one.
  public var inverse: Orientation {
    guard swapsAxes else { return self }
    return Orientation(swapsAxes: true, reversesColumns: reversesRows, reversesRows: reversesColumns)
  }

  /// The composition of this orientation and a second one.
  public func followed(by second: Orientation) -> Orientation {
    Orientation(
      swapsAxes: swapsAxes != second.swapsAxes,
      reversesColumns: reversesColumns != (swapsAxes ? second.reversesRows : second.reversesColumns),
      reversesRows: reversesRows != (swapsAxes ? second.reversesColumns : second.reversesRows))
  }

  /// Size of the rotated picture, and vice versa.
  public func rotated(_ size: Size) -> Size { swapsAxes ? Size(width: size.height, height: size.width) : size }

  /// Sample aspect ratio after the rotation.
  public func rotated(sampleAspectRatio ratio: Rational) -> Rational {
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
  /// From the TIFF and Exif value.
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
