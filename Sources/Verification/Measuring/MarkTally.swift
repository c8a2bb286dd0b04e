internal import ColorScience
internal import Frames
internal import Patterns

/// Whether what moves in a pattern is in each frame what the frame's number says.
struct MarkTally: Sendable {
  /// A frame whose marks are not its own, and the mark that shows it most.
  struct Finding: Sendable {
    var frame: Int
    var mark: String
    /// Share of another frame in the mark, 0...1.
    var share: Double
  }

  /// Places are kept for this many frames of a kind.
  private static let maximumPlaces = 10_000
  /// Marks of fewer samples are only told to be in one state or the other.
  private static let minimumSamples = 48
  /// Beyond the tolerance of patches, in ΔE ITP: marks are small.
  private static let slack = 0.5
  /// A small mark, and one of those that belong to another frame, has so much of the other state.
  private static let minimumShare = 0.3
  private static let mostlyOther = 0.7
  /// Share of a mark that is something else where a tear goes through it.
  private static let minimumTorn = 0.1

  private(set) var torn: [Finding] = []
  private(set) var blended: [Finding] = []

  mutating func add(
    _ reader: inout SampleReader, _ drawing: PatternDrawing, _ placement: Placement, _ rendition: Rendition,
    tolerance: Tolerance, at index: Int
  ) {
    var isTorn = false
    var worst: Finding?
    for mark in drawing.marks {
      guard let (share, isPart) = Self.look(&reader, mark, placement, rendition, tolerance) else { continue }
      isTorn = isTorn || isPart || share >= Self.mostlyOther
      if share > worst?.share ?? -1 { worst = Finding(frame: index, mark: mark.name, share: share) }
    }
    guard let worst else { return }
    if isTorn {
      if torn.count < Self.maximumPlaces { torn.append(worst) }
    } else if blended.count < Self.maximumPlaces {
      blended.append(worst)
    }
  }

  /// How much of its other state a mark has, and whether a part of it is in it; nil: it is as it should be, or cannot be told.
  private static func look(
    _ reader: inout SampleReader, _ mark: PatternDrawing.Mark, _ placement: Placement, _ rendition: Rendition,
    _ tolerance: Tolerance
  ) -> (share: Double, isPart: Bool)? {
    let reading = rendition.reading
    let pixels = placement.pixels(of: mark.area)
    guard min(pixels.width, pixels.height) >= 3 else { return nil }
    let area = pixels.inset(min(max(pixels.width / 4, 1), 4), min(max(pixels.height / 4, 1), 4))
    // Marks are grey: chroma, which is coarser than they are, is left out.
    guard let seen = reader.statistics(reading.isRGB ? 1 : 0, area) else { return nil }
    func signal(_ level: Double) -> SIMD3<Double> {
      if reading.linearUnit != nil { return reading.signal(samples: SIMD3(repeating: level)) }
      let neutral = reading.isRGB ? level : reading.scale.chromaOffset
      return reading.signal(components: SIMD3(level, neutral, neutral))
    }
    let (expected, other) = (rendition.signal(mark.signal), rendition.signal(mark.other))
    let measured = signal(seen.mean)
    let way = (expected - other).sum()
    guard abs(way) > 0.05 else { return nil }
    let share = abs((expected - measured).sum() / way)
    let isPart = seen.rejected >= minimumTorn && area.width * area.height >= minimumSamples
    if isPart { return (share, true) }
    if area.width * area.height < minimumSamples { return share > minimumShare ? (share, false) : nil }
    let stored = reading.signal(components: reading.stored(expected))
    let difference = min(reading.deltaE(measured, expected), reading.deltaE(measured, stored))
    return difference > tolerance.deltaE + slack ? (share, false) : nil
  }
}
