internal import Frames

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
