internal import Frames
internal import Patterns

/// Edges between patches of different chroma, as areas that show the chroma siting in patterns without chroma details.
struct ChromaEdges {
  /// Pixels across and down of an area.
  private static let extent = 64
  /// Pixels from an edge to where its two colours are looked up.
  private static let distance = 6
  /// Minimum chroma difference of useful edges, in ten-bit codes.
  private static let minimumStep = 40.0
  /// Maximum number of areas around vertical edges, and around horizontal ones.
  private static let most = 4

  private let drawing: PatternDrawing
  private let rendition: Rendition

  /// - Returns: Areas of the picture, if the pattern fills it pixel by pixel; empty if they would not determine both
  ///   axes.
  static func areas(_ drawing: PatternDrawing, _ rendition: Rendition) -> [PictureArea] {
    // Tone curves shift edges where luma changes with chroma, so mapped patterns are inconclusive.
    guard !rendition.reading.isRGB, rendition.expectation.name == nil, !rendition.isRetagged else { return [] }
    let edges = ChromaEdges(drawing: drawing, rendition: rendition)
    let (across, down) = (edges.areas(isVertical: true), edges.areas(isVertical: false))
    return across.isEmpty || down.isEmpty ? [] : across + down
  }

  private func areas(isVertical: Bool) -> [PictureArea] {
    let edges = drawing.patches.compactMap { patch -> (x: Int, y: Int, step: Double)? in
      let (x, y) =
        isVertical
        ? (patch.area.maxX, patch.area.y + patch.area.height / 2)
        : (patch.area.x + patch.area.width / 2, patch.area.maxY)
      let step = isVertical ? (Self.distance, 0) : (0, Self.distance)
      guard let near = chroma(x - step.0, y - step.1), let far = chroma(x + step.0, y + step.1) else { return nil }
      let difference = far - near
      let size = (difference * difference).sum().squareRoot() / rendition.reading.unit
      return size >= Self.minimumStep ? (x, y, size) : nil
    }
    var result: [PictureArea] = []
    for edge in edges.sorted(by: { $0.step > $1.step }) where result.count < Self.most {
      let half = Self.extent / 2
      let area = PictureArea(x: edge.x - half, y: edge.y - half, width: Self.extent, height: Self.extent)
      let isInside = area.intersection(PictureArea(drawing.size)) == area
      if isInside, result.touching(area).isEmpty { result.append(area) }
    }
    return result
  }

  /// Returns Cb and Cr of the flat colour visible at a pixel.
  private func chroma(_ x: Int, _ y: Int) -> SIMD2<Double>? {
    var signal = drawing.background
    if let element = drawing.elements.last(where: { $0.area.contains(x: x, y: y) }) {
      guard case .flat(let color) = element.content else { return nil }
      signal = color
    }
    let components = rendition.reading.components(rendition.signal(signal))
    return SIMD2(components.y, components.z)
  }
}
