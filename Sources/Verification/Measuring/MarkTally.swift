internal import ColorScience
internal import Frames
internal import Patterns

/// Checks whether the moving marks of each frame match its frame number.
struct MarkTally: Sendable {
  /// A frame with marks of another frame, and its most conclusive mark.
  struct Finding: Sendable {
    var frame: Int
    var mark: String
    /// Share of the other frame in the mark, 0...1.
    var share: Double
  }

  /// Maximum number of frame indices stored per kind.
  private static let maximumPlaces = 10_000
  /// Marks with fewer samples are only classified as one state or the other.
  private static let minimumSamples = 48
  /// Additional tolerance over patches in ΔE ITP, because marks are small.
  private static let slack = 0.5
  /// Minimum share of the other state in a small mark that belongs to another frame.
  private static let minimumShare = 0.3
  private static let mostlyOther = 0.7
  /// Minimum deviating share of a mark that a tear crosses.
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

  /// Returns the share of the other state in a mark, and whether only part of it has that state; nil: correct or
  /// undetermined.
  private static func look(
    _ reader: inout SampleReader, _ mark: PatternDrawing.Mark, _ placement: Placement, _ rendition: Rendition,
    _ tolerance: Tolerance
  ) -> (share: Double, isPart: Bool)? {
    let reading = rendition.reading
    let pixels = placement.pixels(of: mark.area)
    guard min(pixels.width, pixels.height) >= 3 else { return nil }
    let area = pixels.inset(min(max(pixels.width / 4, 1), 4), min(max(pixels.height / 4, 1), 4))
    // Marks are grey: chroma, which is coarser than the marks, is ignored.
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
