internal import Frames
internal import Media
internal import Rendering

/// Draws bitmap subtitles, scaled in linear light.
final class BitmapDrawing {
  private let pictures: [SubtitlePicture]
  private let geometry: SubtitleGeometry
  private let light: GraphicsLight
  /// Overrides the colour coding of Blu-ray palettes; nil: as stated by the bitmaps.
  private let palette: PaletteCoding?
  private var last: (index: Int, overlay: LightOverlay?)?

  /// - Parameter pictures: Bitmaps in presentation order.
  init(
    _ pictures: [SubtitlePicture], _ geometry: SubtitleGeometry, _ light: GraphicsLight, palette: PaletteCoding?
  ) {
    (self.pictures, self.geometry, self.light, self.palette) = (pictures, geometry, light, palette)
  }

  /// Returns the overlay at a time in microseconds.
  func overlay(at time: Int64) -> LightOverlay? {
    guard let index = index(at: time), !(pictures[index].end.map { time >= $0 } ?? false) else { return nil }
    if let last, last.index == index { return last.overlay }
    last = nil
    let overlay = compose(pictures[index])
    last = (index, overlay)
    return overlay
  }

  /// Returns the last bitmap that begins at or before a time.
  private func index(at time: Int64) -> Int? {
    var (low, high) = (0, pictures.count)
    while low < high {
      let middle = (low + high) / 2
      if pictures[middle].start <= time { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  private func compose(_ picture: SubtitlePicture) -> LightOverlay? {
    let visible = picture.parts.compactMap { part in part.picture.visibleArea.map { (part: part, area: $0) } }
    let placed = BitmapPlacement(picture, geometry).areas(
      of: visible.map { part, area in
        PictureArea(x: part.x + area.x, y: part.y + area.y, width: area.width, height: area.height)
      })
    let coding = picture.coding == .sRGB ? .sRGB : palette ?? picture.coding
    var canvas = OverlayCanvas(geometry.size, placed)
    for ((part, area), target) in zip(visible, placed) {
      // The margin beside the picture is for rounding; bitmaps may not take more memory than the picture.
      guard target.width * target.height <= 2 * geometry.size.width * geometry.size.height else { continue }
      canvas.blend(scaled(part.picture, area, coding, to: Size(width: target.width, height: target.height)), at: target)
    }
    return canvas.overlay(turnedBy: geometry.turn)
  }

  /// Returns the premultiplied light of an area, scaled to another size.
  private func scaled(
    _ picture: PalettePicture, _ area: PictureArea, _ coding: PaletteCoding, to size: Size
  ) -> [SIMD4<Float>] {
    let colors = Dictionary(
      picture.palette.map { color in
        let alpha = Float(color.w) / 255
        return (color, SIMD4(light.light(color, coding) * alpha, alpha))
      }, uniquingKeysWith: { first, _ in first })
    var source = [SIMD4<Float>](repeating: .zero, count: area.width * area.height)
    picture.forEachRun { x, y, count, color in
      let start = (y - area.y) * area.width + x - area.x
      for index in start..<start + count { source[index] = colors[color] ?? .zero }
    }
    let own = Size(width: area.width, height: area.height)
    return size == own ? source : Self.resampled(source, own, to: size)
  }

  private static func resampled(_ source: [SIMD4<Float>], _ from: Size, to size: Size) -> [SIMD4<Float>] {
    let (across, down) = (
      ResamplingFilter(from: from.width, to: size.width), ResamplingFilter(from: from.height, to: size.height)
    )
    var rows = [SIMD4<Float>](repeating: .zero, count: size.width * from.height)
    for y in 0..<from.height {
      for x in 0..<size.width {
        var sum = SIMD4<Float>.zero
        for (tap, weight) in across.weights[x].enumerated() {
          sum += source[y * from.width + across.starts[x] + tap] * weight
        }
        rows[y * size.width + x] = sum
      }
    }
    var result = [SIMD4<Float>](repeating: .zero, count: size.width * size.height)
    for y in 0..<size.height {
      for (tap, weight) in down.weights[y].enumerated() {
        let row = (down.starts[y] + tap) * size.width
        for x in 0..<size.width { result[y * size.width + x] += rows[row + x] * weight }
      }
    }
    return result
  }
}

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
    guard hasSquarePixels
    else { return parts.map { scaled($0, (ratio(size.width, canvas.width), ratio(size.height, canvas.height))) } }
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
