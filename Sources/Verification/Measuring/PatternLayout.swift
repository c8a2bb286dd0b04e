internal import Frames
internal import Patterns

/// The measured areas of a pattern in the picture.
struct PatternLayout: Sendable {
  let drawing: PatternDrawing
  let placement: Placement

  /// Returns the measured area of a patch: without edges and overlays; nil: not visible.
  func area(of patch: PatternDrawing.Patch) -> PictureArea? {
    let obstacles = obstacles(over: patch.area) { content in
      if case .flat(patch.signal) = content { true } else { false }
    }
    let free = FreeArea.largest(in: patch.area, without: obstacles) ?? patch.area
    let pixels = placement.pixels(of: free)
    guard !pixels.isEmpty else { return nil }
    return pixels.inset(Self.margin(pixels.width, placement.scale.x), Self.margin(pixels.height, placement.scale.y))
  }

  /// Returns the measured area of a ramp: its full length, without its long edges and overlays.
  func area(of ramp: PatternDrawing.Ramp) -> PictureArea? {
    let obstacles = obstacles(over: ramp.area) { _ in false }.map { obstacle in
      ramp.axis == .horizontal
        ? PictureArea(x: ramp.area.x, y: obstacle.y, width: ramp.area.width, height: obstacle.height)
        : PictureArea(x: obstacle.x, y: ramp.area.y, width: obstacle.width, height: ramp.area.height)
    }
    let free = FreeArea.largest(in: ramp.area, without: obstacles) ?? ramp.area
    let pixels = placement.pixels(of: free)
    guard !pixels.isEmpty else { return nil }
    return isHorizontal(ramp)
      ? pixels.inset(0, Self.margin(pixels.height, placement.scale.y))
      : pixels.inset(Self.margin(pixels.width, placement.scale.x), 0)
  }

  /// Whether the ramp is horizontal in the picture.
  func isHorizontal(_ ramp: PatternDrawing.Ramp) -> Bool {
    (ramp.axis == .horizontal) != placement.orientation.swapsAxes
  }

  /// Returns the pixels at an edge that chroma filters, scaling and coding mix with neighbours: 3 plus a tenth, fewer
  /// in small areas.
  static func margin(_ extent: Int, _ scale: Double) -> Int {
    let wanted = Int((3 * min(max(scale, 1), 64)).rounded(.up)) + min(extent / 10, 16)
    return min(wanted, (extent - 1) / 3)
  }

  /// Returns the areas drawn over an area after the last element that covers it entirely.
  /// - Parameter isSame: Contents that may overlap the area without obstructing it.
  private func obstacles(over area: PictureArea, isSame: (PatternDrawing.Content) -> Bool) -> [PictureArea] {
    let ground = drawing.elements.lastIndex { $0.area.intersection(area) == area }
    let later = drawing.elements[(ground.map { $0 + 1 } ?? 0)...]
    return
      (later.filter { !isSame($0.content) }.map(\.area) + drawing.labels.map(\.area)
      + [drawing.frameCode].compactMap { $0 }).touching(area)
  }
}
