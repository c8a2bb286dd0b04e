public import Frames

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
    let least = try Self.minimumSize(unique.count, scale: scale)
    let points = Size(width: Int(Double(size.width) / scale), height: Int(Double(size.height) / scale))
    let arrangements = ScopeRows.all(of: unique).filter { $0.fits(points) }
    guard let best = arrangements.max(by: { $0.usefulness(in: points) < $1.usefulness(in: points) }) else {
      throw .tooSmall(size, least: least, scopes: unique.count, scale: scale)
    }
    let grid = PointGrid(points: points, size: size, scale: scale)
    places = zip(unique, best.cells(in: points)).map { kind, cell in
      let plots = ScopePlots(kind: kind, cell: cell)
      return ScopePlace(kind: kind, area: grid.pixels(cell), plots: plots.areas.map(grid.pixels))
    }
    self.kinds = unique
    self.size = size
    self.scale = scale
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
    places.reduce(1) { most, place in
      switch place.kind {
      case .waveform, .parade: max(most, place.plots.map(\.width).max() ?? 1)
      case .vectorscope, .histogram, .chromaticity: most
      }
    }
  }
}
