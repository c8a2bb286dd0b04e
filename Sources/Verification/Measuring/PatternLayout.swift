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

/// Finds the unobstructed part of an area.
enum FreeArea {
  /// More obstacles than this are merged into their common bounds.
  private static let maximumObstacles = 24

  /// Returns the best rectangle of an area that does not touch the obstacles; nil if there is none.
  /// - Parameter margin: Pixels on each side that do not add to a rectangle's score.
  static func largest(in area: PictureArea, without obstacles: [PictureArea], margin: Int = 3) -> PictureArea? {
    var obstacles = obstacles.map(area.intersection).filter { !$0.isEmpty }
    guard !obstacles.isEmpty else { return area }
    if obstacles.count > maximumObstacles { obstacles = [bounds(obstacles)] }
    let columns = Set([area.x, area.maxX] + obstacles.flatMap { [$0.x, $0.maxX] }).sorted()
    let rows = Set([area.y, area.maxY] + obstacles.flatMap { [$0.y, $0.maxY] }).sorted()
    var best: PictureArea?
    var bestWorth = 0
    for left in columns.indices {
      for right in columns.indices where right > left {
        let (x, maxX) = (columns[left], columns[right])
        let over = obstacles.filter { $0.x < maxX && $0.maxX > x }
        // The longest run of rows without obstacles in these columns.
        var start: Int?
        for (row, next) in zip(rows, rows.dropFirst()) {
          let isFree = !over.contains { $0.y < next && $0.maxY > row }
          start = isFree ? start ?? row : nil
          guard let start else { continue }
          let worth = max(maxX - x - 2 * margin, 1) * max(next - start - 2 * margin, 1)
          if worth > bestWorth {
            bestWorth = worth
            best = PictureArea(x: x, y: start, width: maxX - x, height: next - start)
          }
        }
      }
    }
    return best
  }

  private static func bounds(_ areas: [PictureArea]) -> PictureArea {
    var (left, top, right, bottom) = (Int.max, Int.max, Int.min, Int.min)
    for area in areas {
      (left, top) = (min(left, area.x), min(top, area.y))
      (right, bottom) = (max(right, area.maxX), max(bottom, area.maxY))
    }
    return PictureArea(x: left, y: top, width: right - left, height: bottom - top)
  }
}

extension Array where Element == PictureArea {
  /// Returns the elements that intersect an area.
  func touching(_ area: PictureArea) -> [PictureArea] { filter { !$0.intersection(area).isEmpty } }
}

/// Measurement of a patch in a frame.
struct PatchReading: Sendable {
  /// Means of samples: Y', Cb, Cr or R, G, B.
  var mean = SIMD3<Double>.zero
  /// Standard deviation of Y' or G.
  var deviation = 0.0
  /// Number of samples in a mean, of the component with the fewest.
  var samples = Int.max
  /// Maximum share of outliers in the area over the components.
  var rejected = 0.0

  /// Reads an area of a frame; nil if it contains no samples.
  init?(_ reader: inout SampleReader, _ area: PictureArea, isRGB: Bool) {
    for component in 0..<3 {
      guard let statistics = reader.statistics(component, reader.area(component, of: area)) else { return nil }
      mean[component] = statistics.mean
      samples = min(samples, statistics.count)
      rejected = max(rejected, statistics.rejected)
      if component == (isRGB ? 1 : 0) { deviation = statistics.deviation }
    }
  }
}

/// Measurements of a patch over the frames.
struct PatchTally: Sendable {
  /// Number of samples in a mean, of the component with the fewest.
  private(set) var samples = 0
  private(set) var frames = 0
  private var sum = SIMD3<Double>.zero
  private var noise = 0.0
  /// Maximum ΔE ITP of a frame.
  private(set) var worstDeltaE = 0.0
  /// Index of the frame with the maximum ΔE, from the first of the input.
  private(set) var worstFrame = 0
  /// Maximum share of outliers in a frame.
  private(set) var rejected = 0.0
  private(set) var rejectedFrame = 0

  /// Means of samples: Y', Cb, Cr or R, G, B.
  var mean: SIMD3<Double> { sum / Double(max(frames, 1)) }

  /// Root mean square deviation from the mean of Y' or G.
  var deviation: Double { (noise / Double(max(frames, 1))).squareRoot() }

  mutating func add(_ reading: PatchReading, deltaE: Double, frame: Int) {
    samples = frames == 0 ? reading.samples : min(samples, reading.samples)
    frames += 1
    sum += reading.mean
    noise += reading.deviation * reading.deviation
    if deltaE > worstDeltaE { (worstDeltaE, worstFrame) = (deltaE, frame) }
    if reading.rejected > rejected { (rejected, rejectedFrame) = (reading.rejected, frame) }
  }
}
