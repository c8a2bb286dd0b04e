internal import Frames
internal import Patterns

/// Where in the picture the parts of a pattern are measured.
struct PatternLayout: Sendable {
  let drawing: PatternDrawing
  let placement: Placement

  /// Where a patch is measured: away from its edges and from what lies over it; nil: nothing of it is seen.
  func area(of patch: PatternDrawing.Patch) -> PictureArea? {
    let obstacles = obstacles(over: patch.area) { content in
      if case .flat(patch.signal) = content { true } else { false }
    }
    let free = FreeArea.largest(in: patch.area, without: obstacles) ?? patch.area
    let pixels = placement.pixels(of: free)
    guard !pixels.isEmpty else { return nil }
    return pixels.inset(Self.margin(pixels.width, placement.scale.x), Self.margin(pixels.height, placement.scale.y))
  }

  /// Where a ramp is measured: all of its length, away from its long edges and from what lies over it.
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

  /// The ramp's axis as it lies in the picture.
  func isHorizontal(_ ramp: PatternDrawing.Ramp) -> Bool {
    (ramp.axis == .horizontal) != placement.orientation.swapsAxes
  }

  /// Pixels at an edge that chroma filters, scaling and coding mix with their neighbours: three and a tenth, of small areas less.
  static func margin(_ extent: Int, _ scale: Double) -> Int {
    let wanted = Int((3 * min(max(scale, 1), 64)).rounded(.up)) + min(extent / 10, 16)
    return min(wanted, (extent - 1) / 3)
  }

  /// What is drawn over an area after the last element that covers all of it.
  /// - Parameter isSame: Contents that an area may as well be filled with.
  private func obstacles(over area: PictureArea, isSame: (PatternDrawing.Content) -> Bool) -> [PictureArea] {
    let ground = drawing.elements.lastIndex { $0.area.intersection(area) == area }
    let later = drawing.elements[(ground.map { $0 + 1 } ?? 0)...]
    return
      (later.filter { !isSame($0.content) }.map(\.area) + drawing.labels.map(\.area)
      + [drawing.frameCode].compactMap { $0 }).touching(area)
  }
}
