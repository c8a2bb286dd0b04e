/// A rectangle of a picture, in pixels from its top left.
public struct PictureArea: Sendable, Hashable, Codable {
  /// The leftmost column, from 0.
  public var x: Int
  /// The topmost row, from 0.
  public var y: Int
  /// Number of columns.
  public var width: Int
  /// Number of rows.
  public var height: Int

  /// Any rectangle; one without columns or rows is empty.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The range of numbers in real pictures, within which sums cannot overflow.
  private static let possible = -(1 << 20)...1 << 20

  /// - Throws: `DecodingError` for numbers outside `possible`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys) throws -> Int { try values.decode(Int.self, forKey: key, in: Self.possible) }
    self.init(x: try number(.x), y: try number(.y), width: try number(.width), height: try number(.height))
  }

  /// A whole picture.
  public init(_ size: Size) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

  /// The column after the last.
  public var maxX: Int { x + width }
  /// The row after the last.
  public var maxY: Int { y + height }

  /// Whether the area contains no pixels.
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The intersection of two areas; empty if they do not overlap.
  public func intersection(_ other: PictureArea) -> PictureArea {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return PictureArea(
      x: left, y: top, width: max(min(maxX, other.maxX) - left, 0), height: max(min(maxY, other.maxY) - top, 0))
  }

  /// The area reduced by a border of a number of pixels.
  public func inset(_ columns: Int, _ rows: Int) -> PictureArea {
    PictureArea(x: x + columns, y: y + rows, width: width - 2 * columns, height: height - 2 * rows)
  }

  /// Whether the area is not empty and lies inside a picture; coordinates may be arbitrary.
  public func isInside(_ size: Size) -> Bool {
    // Checked separately, because sums of untrusted numbers may overflow.
    0..<size.width ~= x && 0..<size.height ~= y && 1...max(size.width - x, 1) ~= width
      && 1...max(size.height - y, 1) ~= height
  }

  /// Whether a picture of a size can be cropped to the area without splitting chroma samples or exchanging fields.
  /// - Parameters:
  ///   - size: The size of the picture, whose edges may be odd.
  ///   - multiples: Of the columns and rows (`PixelLayout.cropMultiples`).
  public func divides(_ size: Size, multiples: Size) -> Bool {
    isInside(size) && x % multiples.width == 0 && y % multiples.height == 0
      && (width % multiples.width == 0 || maxX == size.width)
      && (height % multiples.height == 0 || maxY == size.height)
  }

  /// The area, enlarged until a picture can be cropped to it (`divides(_:multiples:)`).
  package func enlarged(in size: Size, multiples: Size) -> PictureArea {
    let (left, top) = (x / multiples.width * multiples.width, y / multiples.height * multiples.height)
    let right = min((maxX + multiples.width - 1) / multiples.width * multiples.width, size.width)
    let bottom = min((maxY + multiples.height - 1) / multiples.height * multiples.height, size.height)
    return PictureArea(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Whether the area contains a pixel.
  public func contains(x column: Int, y row: Int) -> Bool {
    column >= x && column < maxX && row >= y && row < maxY
  }
}

extension PictureArea: CustomStringConvertible {
  /// Size and position: "1920x800+0+140".
  public var description: String { "\(width)x\(height)+\(x)+\(y)" }
}

extension PixelLayout {
  /// The multiples of columns and rows at which a crop begins and ends: the size of a chroma sample, with twice the
  /// rows if fields must keep their parity.
  public func cropMultiples(byField: Bool) -> Size {
    Size(width: 1 << chromaShiftX, height: (byField ? 2 : 1) << chromaShiftY)
  }
}
