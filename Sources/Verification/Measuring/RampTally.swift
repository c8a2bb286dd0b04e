internal import Frames

/// Profile of a ramp: means across it, over all frames, and in the frame that differs most from the first.
struct RampTally: Sendable {
  /// A profile of the ramp.
  enum Part: CaseIterable, Sendable {
    case mean, worst
  }

  /// Maximum number of rows or columns in a mean.
  private static let maximumLines = 32

  let area: PictureArea
  let isHorizontal: Bool
  private(set) var frames = 0
  /// Sums by component and position along the ramp, in samples of the component.
  private var sums: [[Double]] = [[], [], []]
  /// Means of the first frame, of the one that differs most from it, and of the current one.
  private var firstProfile: [[Double]] = [[], [], []]
  private var worstProfile: [[Double]] = [[], [], []]
  private var profile: [[Double]] = [[], [], []]
  private var worstDifference = 0.0
  /// The frame that differs most from the first; nil: none differs.
  private(set) var worstFrame: Int?
  /// Position of `sums` per component: start in the plane, and log2 of the subsampling.
  private var starts = [0, 0, 0]
  private var shifts = [0, 0, 0]
  /// Histogram of Y' or G codes.
  private(set) var levels: [Int: Int] = [:]

  init(_ area: PictureArea, isHorizontal: Bool) { (self.area, self.isHorizontal) = (area, isHorizontal) }

  /// Length of the ramp in pixels.
  var length: Int { isHorizontal ? area.width : area.height }

  mutating func add(_ reader: SampleReader, isRGB: Bool, frame: Int) {
    guard !area.isEmpty else { return }
    for component in 0..<3 {
      let samples = reader.area(component, of: area)
      guard !samples.isEmpty else { return }
      let count = isHorizontal ? samples.width : samples.height
      if frames == 0 {
        sums[component] = [Double](repeating: 0, count: count)
        starts[component] = isHorizontal ? samples.x : samples.y
        let shift = reader.shifts(component)
        shifts[component] = isHorizontal ? shift.x : shift.y
      }
      profile[component] = [Double](repeating: 0, count: count)
      let counts = component == (isRGB ? 1 : 0)
      isHorizontal
        ? addRows(reader, component, samples, counts: counts) : addColumns(reader, component, samples, counts: counts)
    }
    frames += 1
    for component in 0..<3 {
      for place in profile[component].indices { sums[component][place] += profile[component][place] }
    }
    if frames == 1 { firstProfile = profile } else { compare(frame, unit: reader.tenBitCode) }
  }

  /// Stores the profile of a frame that differs most from the first so far.
  private mutating func compare(_ frame: Int, unit: Double) {
    for component in 0..<3 {
      let length = profile[component].count
      for start in stride(from: 0, to: length - Self.run + 1, by: Self.run / 2) {
        let sum = (start..<start + Self.run).reduce(0) {
          $0 + profile[component][$1] - firstProfile[component][$1]
        }
        let difference = abs(sum) / Double(Self.run) / unit
        guard difference > max(worstDifference, Self.defaultDifference) else { continue }
        (worstDifference, worstProfile, worstFrame) = (difference, profile, frame)
      }
    }
  }

  /// Positions averaged for a frame difference, and the difference of healthy streams in ten-bit codes.
  private static let run = 8
  private static let defaultDifference = 1.0

  private mutating func addRows(_ reader: SampleReader, _ component: Int, _ samples: PictureArea, counts: Bool) {
    let lines = min(samples.height, Self.maximumLines)
    for line in 0..<lines {
      let y = samples.y + (2 * line + 1) * samples.height / (2 * lines)
      reader.row(component, y, from: samples.x, count: samples.width) { index, sample in
        profile[component][index] += sample / Double(lines)
        if counts, frames == 0, line < 8 { count(sample) }
      }
    }
  }

  private mutating func addColumns(_ reader: SampleReader, _ component: Int, _ samples: PictureArea, counts: Bool) {
    let lines = min(samples.width, Self.maximumLines)
    let left = samples.x + (samples.width - lines) / 2
    for y in 0..<samples.height {
      reader.row(component, samples.y + y, from: left, count: lines) { index, sample in
        profile[component][y] += sample / Double(lines)
        if counts, frames == 0, index < 8 { count(sample) }
      }
    }
  }

  private mutating func count(_ sample: Double) {
    guard abs(sample) < 65_536 else { return }
    levels[Int(sample), default: 0] += 1
  }

  /// Returns sample means at a pixel along the ramp: Y', Cb, Cr or R, G, B; chroma is interpolated.
  /// - Parameter offset: Position of chroma sample 0 along the ramp, in luma samples.
  func samples(at index: Int, chromaOffset offset: Double, of part: Part = .mean) -> SIMD3<Double> {
    var result = SIMD3<Double>.zero
    let place = Double((isHorizontal ? area.x : area.y) + index)
    for component in 0..<3 {
      let values = part == .mean ? sums[component] : worstProfile[component]
      let position = shifts[component] == 0 ? place : (place - offset) / 2
      let inside = min(max(position - Double(starts[component]), 0), Double(values.count - 1))
      let first = Int(inside)
      let second = min(first + 1, values.count - 1)
      let fraction = inside - Double(first)
      result[component] =
        ((1 - fraction) * values[first] + fraction * values[second]) / Double(part == .mean ? max(frames, 1) : 1)
    }
    return result
  }
}
