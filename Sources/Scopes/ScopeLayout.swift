public import Frames
internal import Glibc

/// The scopes of a picture and their positions.
///
/// Everything is placed on whole points and then rounded to pixels, so that twice the size at twice the scale gives the
/// same picture. Scopes are arranged in rows, in order, with the row breaks that maximize their useful areas: planes
/// only use the largest square in their area, and other scopes are of little use as narrow strips.
public struct ScopeLayout: Sendable, Hashable {
  /// Pixels per point.
  public static let scales = 0.5...16.0
  /// Minimum size of a scope with its labels, in points.
  static let minimumCell = Size(width: 260, height: 220)

  /// The scopes, without duplicates.
  public let kinds: [ScopeKind]
  /// Size of the picture in pixels.
  public let size: Size
  /// Pixels per point, which scales text and lines.
  public let scale: Double
  /// One per scope, in order.
  public let places: [ScopePlace]

  /// Computes the arrangement with the largest useful areas.
  /// - Parameters:
  ///   - kinds: Scopes in reading order; duplicates are dropped.
  ///   - size: Size of the picture in pixels.
  ///   - scale: Pixels per point; lines are about a point wide and most text is 13 points high.
  /// - Throws: `ScopeError` if there are no scopes, the scale is invalid, or there is not enough space.
  public init(kinds: [ScopeKind], size: Size, scale: Double) throws(ScopeError) {
    let unique = kinds.enumerated().filter { index, kind in !kinds[..<index].contains(kind) }.map(\.element)
    let minimum = try Self.minimumSize(unique.count, scale: scale)
    let points = Size(width: Int(Double(size.width) / scale), height: Int(Double(size.height) / scale))
    let arrangements = ScopeRows.all(of: unique).filter { $0.fits(points) }
    guard let best = arrangements.max(by: { $0.usefulness(in: points) < $1.usefulness(in: points) })
    else { throw .tooSmall(size, minimum: minimum, scopes: unique.count, scale: scale) }
    let grid = PointGrid(points: points, size: size, scale: scale)
    places = zip(unique, best.cells(in: points)).map { kind, cell in
      let plots = ScopePlots(kind: kind, cell: cell)
      return ScopePlace(kind: kind, area: grid.pixels(cell), plots: plots.areas.map(grid.pixels))
    }
    (self.kinds, self.size, self.scale) = (unique, size, scale)
  }

  /// Returns a minimum size for a number of scopes; every larger size fits them too.
  /// - Parameters:
  ///   - count: Number of scopes.
  ///   - scale: Pixels per point.
  /// - Throws: `ScopeError` if there are no scopes or the scale is invalid.
  public static func minimumSize(_ count: Int, scale: Double) throws(ScopeError) -> Size {
    guard count > 0 else { throw .noKinds }
    guard scales.contains(scale) else { throw .scale(scale) }
    let rows = count < 3 ? 1 : 2
    let columns = (count + rows - 1) / rows
    let (width, height) = (columns * minimumCell.width, rows * minimumCell.height)
    return Size(
      width: Int((Double(width) * scale).rounded(.up)), height: Int((Double(height) * scale).rounded(.up)))
  }

  /// Useful number of columns to count: the widest level plot's; 1 if there is none.
  public var columns: Int {
    places.reduce(1) { maximum, place in
      switch place.kind {
      case .waveform, .parade: max(maximum, place.plots.map(\.width).max() ?? 1)
      case .vectorscope, .histogram, .chromaticity: maximum
      }
    }
  }
}

/// The position of a scope in the picture of scopes, in pixels.
public struct ScopePlace: Sendable, Hashable {
  /// The kind of scope.
  public let kind: ScopeKind
  /// Area of the scope including title and labels.
  public let area: PictureArea
  /// Plot areas: one; for a parade R, G and B from the left; for a histogram R, G, B and Y from the top.
  ///
  /// Levels have equal lengths: the centre of level l is at (l + 0.5) / 1024 from the bottom, or from the left in
  /// histograms. Vectorscopes span -`reach` to `reach` of their plane in both directions; chromaticity plots show
  /// `chromaticityU` and `chromaticityV`. A pixel shows the bins whose centres lie in it.
  public let plots: [PictureArea]

  /// Ranges of u' and v' in a chromaticity plot: of equal length, so that both axes have the same scale.
  public static let (chromaticityU, chromaticityV) = (-0.06..<0.64, -0.05..<0.65)
}

/// Why scopes cannot be laid out.
public enum ScopeError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No scope was requested.
  case noKinds
  /// A scale outside `ScopeLayout.scales`, or NaN.
  case scale(Double)
  /// The picture is too small for the scopes; `least` is large enough.
  case tooSmall(Size, minimum: Size, scopes: Int, scale: Double)

  public var description: String {
    switch self {
    case .noKinds:
      "No scope was named: choose from \(ScopeKind.allCases.map(\.rawValue).joined(separator: ", "))."
    case .scale(let scale):
      "The scale of scopes is \(ScopeLayout.scales.lowerBound) to \(ScopeLayout.scales.upperBound), not \(scale)."
    case .tooSmall(let size, let minimum, let scopes, let scale):
      "\(scopes == 1 ? "A scope does" : "\(scopes) scopes do") not fit in \(size): "
        + "at scale \(scale) they need \(minimum) or more."
    }
  }
}

/// An arrangement of scopes in rows of equal height.
struct ScopeRows {
  let rows: [[ScopeKind]]

  /// Returns all arrangements in the given order.
  static func all(of kinds: [ScopeKind]) -> [ScopeRows] {
    guard let first = kinds.first else { return [ScopeRows(rows: [])] }
    guard kinds.count > 1 else { return [ScopeRows(rows: [kinds])] }
    return all(of: Array(kinds.dropFirst())).flatMap { rest in
      [
        ScopeRows(rows: [[first] + (rest.rows.first ?? [])] + rest.rows.dropFirst()),
        ScopeRows(rows: [[first]] + rest.rows),
      ]
    }
  }

  /// Minimum size in points.
  var minimum: Size {
    let cell = ScopeLayout.minimumCell
    return Size(width: cell.width * (rows.map(\.count).max() ?? 0), height: cell.height * rows.count)
  }

  func fits(_ points: Size) -> Bool { points.width >= minimum.width && points.height >= minimum.height }

  /// Returns the area of each scope in points: planes get a square as long as the others in the row are at least as
  /// wide; all other space is divided evenly.
  func cells(in points: Size) -> [PictureArea] {
    rows.enumerated().flatMap { index, kinds -> [PictureArea] in
      let (top, bottom) = (index * points.height / rows.count, (index + 1) * points.height / rows.count)
      let share = points.width / kinds.count
      let square = min(max(bottom - top, ScopeLayout.minimumCell.width), share)
      let planes = kinds.count { $0.isPlane }
      let isMixed = planes > 0 && planes < kinds.count
      var (left, others, rest) = (0, 0, points.width - (isMixed ? planes * square : 0))
      let sharing = isMixed ? kinds.count - planes : kinds.count
      return kinds.map { kind in
        let width: Int
        if isMixed && kind.isPlane {
          width = square
        } else {
          width = rest / (sharing - others)
          rest -= width
          others += 1
        }
        defer { left += width }
        return PictureArea(x: left, y: top, width: width, height: bottom - top)
      }
    }
  }

  /// Returns the logarithm of the product of the useful areas of all scopes.
  func usefulness(in points: Size) -> Double {
    zip(rows.joined(), cells(in: points)).reduce(0) { sum, scope in
      let (width, height) = (Double(scope.1.width), Double(scope.1.height))
      let useful =
        scope.0.isPlane
        ? pow(min(width, height), 2) : min(width, 3.2 * height) * min(height, width / 1.1)
      return sum + log(useful)
    }
  }
}

extension ScopeKind {
  /// Whether both axes have the same unit, so that the plot is square.
  var isPlane: Bool { self == .vectorscope || self == .chromaticity }
}

/// The plot areas inside a scope, in points; the rest is for title and labels.
struct ScopePlots {
  let areas: [PictureArea]

  /// Height of the title line, and of the label line below a plot.
  static let (titleBand, footer) = (34, 24)
  /// Height of one of the two lines of marks above a histogram.
  static let flagBand = 14

  init(kind: ScopeKind, cell: PictureArea) {
    // Long labels are used if the plot keeps more than half of the width.
    let marks = cell.width >= 420 ? 124 : 52
    switch kind {
    case .waveform, .parade:
      let panels = kind == .parade ? 3 : 1
      let box = cell.inset(left: 54, top: Self.titleBand, right: marks, bottom: Self.footer)
      let gap = 6
      let width = (box.width - gap * (panels - 1)) / panels
      areas = (0..<panels).map {
        PictureArea(x: box.x + $0 * (width + gap), y: box.y, width: width, height: box.height)
      }
    case .histogram:
      let box = cell.inset(left: 30, top: Self.titleBand + 2 * Self.flagBand - 4, right: 28, bottom: Self.footer)
      let gap = 4
      let height = (box.height - 3 * gap) / 4
      areas = (0..<4).map {
        PictureArea(x: box.x, y: box.y + $0 * (height + gap), width: box.width, height: height)
      }
    case .vectorscope:
      areas = [Self.square(in: cell.inset(left: 12, top: Self.titleBand, right: 12, bottom: Self.footer))]
    case .chromaticity:
      areas = [Self.square(in: cell.inset(left: 38, top: Self.titleBand, right: 14, bottom: Self.footer))]
    }
  }

  /// The largest square, centred.
  private static func square(in area: PictureArea) -> PictureArea {
    let side = min(area.width, area.height)
    return PictureArea(
      x: area.x + (area.width - side) / 2, y: area.y + (area.height - side) / 2, width: side, height: side)
  }
}

extension PictureArea {
  fileprivate func inset(left: Int, top: Int, right: Int, bottom: Int) -> PictureArea {
    PictureArea(x: x + left, y: y + top, width: width - left - right, height: height - top - bottom)
  }
}

/// Converts whole points to pixels.
struct PointGrid {
  /// Number of whole points that fit in the picture.
  let points: Size
  let size: Size
  let scale: Double

  /// Returns the area in pixels; an area that ends at the last point ends at the picture's edge.
  func pixels(_ area: PictureArea) -> PictureArea {
    let (left, right) = (edge(area.x, points.width, size.width), edge(area.maxX, points.width, size.width))
    let (top, bottom) = (edge(area.y, points.height, size.height), edge(area.maxY, points.height, size.height))
    return PictureArea(x: left, y: top, width: right - left, height: bottom - top)
  }

  private func edge(_ point: Int, _ last: Int, _ end: Int) -> Int {
    point == last ? end : Int((Double(point) * scale).rounded())
  }
}
