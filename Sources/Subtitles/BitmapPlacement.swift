internal import Frames
internal import Media

/// The placement of canvas areas in a picture.
///
/// A canvas of square pixels is centred and scaled to cover the picture: films cropped after subtitling keep their
/// subtitles at the original size. Areas outside the picture are moved into it. Other canvases are stretched with the
/// video.
struct BitmapPlacement {
  private let geometry: SubtitleGeometry
  private let canvas: Size
  private let hasSquarePixels: Bool

  init(_ picture: SubtitlePicture, _ geometry: SubtitleGeometry) {
    self.geometry = geometry
    canvas = picture.canvas ?? geometry.storage
    hasSquarePixels = picture.hasSquarePixels && picture.canvas != nil
  }

  /// Returns the picture areas of canvas areas, in the same order.
  func areas(of parts: [PictureArea]) -> [PictureArea] {
    let size = geometry.size
    guard hasSquarePixels else {
      return parts.map { scaled($0, (ratio(size.width, canvas.width), ratio(size.height, canvas.height))) }
    }
    let aspect = geometry.pixelAspect
    let (across, down) = (ratio(size.width, canvas.width) * aspect, ratio(size.height, canvas.height))
    for scale in [max(across, down), min(across, down)] {
      let placed = parts.map { scaled($0, (scale / aspect, scale)) }
      guard let whole = Self.union(placed) else { return [] }
      if whole.width <= size.width, whole.height <= size.height {
        let move = Self.offset(of: whole, into: size)
        return placed.map { Self.moved($0, by: move) }
      }
      if placed.allSatisfy({ $0.width <= size.width && $0.height <= size.height }) {
        return placed.map { Self.moved($0, by: Self.offset(of: $0, into: size)) }
      }
    }
    return parts.map { scaled($0, (min(across, down) / aspect, min(across, down))) }
  }

  private func ratio(_ extent: Int, _ other: Int) -> Double { Double(extent) / Double(max(other, 1)) }

  /// Returns an area scaled about the centre, at least one pixel wide and high.
  private func scaled(_ area: PictureArea, _ scale: (x: Double, y: Double)) -> PictureArea {
    func place(_ position: Int, _ scale: Double, _ from: Int, _ to: Int) -> Int {
      Int(((Double(position) - Double(from) / 2) * scale + Double(to) / 2).rounded())
    }
    let left = place(area.x, scale.x, canvas.width, geometry.size.width)
    let top = place(area.y, scale.y, canvas.height, geometry.size.height)
    return PictureArea(
      x: left, y: top, width: max(place(area.maxX, scale.x, canvas.width, geometry.size.width) - left, 1),
      height: max(place(area.maxY, scale.y, canvas.height, geometry.size.height) - top, 1))
  }

  private static func union(_ areas: [PictureArea]) -> PictureArea? {
    guard let first = areas.first else { return nil }
    return areas.dropFirst().reduce(first) { whole, area in
      let (x, y) = (min(whole.x, area.x), min(whole.y, area.y))
      return PictureArea(
        x: x, y: y, width: max(whole.maxX, area.maxX) - x, height: max(whole.maxY, area.maxY) - y)
    }
  }

  private static func offset(of area: PictureArea, into size: Size) -> (x: Int, y: Int) {
    (
      min(max(area.x, 0), size.width - area.width) - area.x,
      min(max(area.y, 0), size.height - area.height) - area.y
    )
  }

  private static func moved(_ area: PictureArea, by offset: (x: Int, y: Int)) -> PictureArea {
    PictureArea(x: area.x + offset.x, y: area.y + offset.y, width: area.width, height: area.height)
  }
}
