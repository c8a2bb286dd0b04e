internal import Frames
internal import Glibc

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
  var least: Size {
    let cell = ScopeLayout.minimumCell
    return Size(width: cell.width * (rows.map(\.count).max() ?? 0), height: cell.height * rows.count)
  }

  func fits(_ points: Size) -> Bool { points.width >= least.width && points.height >= least.height }

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
