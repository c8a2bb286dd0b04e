/// Light of a row or column of a picture, the most of any frame.
struct LineLight: Sendable, Hashable {
  /// The brightest sample, in cd/m².
  var peak = 0.0
  /// The mean of its samples, in cd/m².
  var mean: Float = 0
  /// The share of its samples that are lit.
  var litShare: Float = 0

  /// Takes the most of both.
  mutating func merge(mean: Float, litShare: Float) {
    (self.mean, self.litShare) = (max(self.mean, mean), max(self.litShare, litShare))
  }
}

/// The end of a picture beside a black bar that a lossy encoder has coded: it rings over the edge.
///
/// Decision 0029 has what the numbers were found with.
struct BarEdge {
  /// Lines beside the edge in which encoders ring: a macroblock.
  private static let reach = 16
  /// Lines beside the edge that may ring over their whole length: a block of 4:2:0.
  private static let near = 4
  /// Share of the mean light of the picture's lines that lines of a bar stay below.
  private static let ringing: Float = 0.1
  /// Share of a line's samples that ringing lights beyond `near`.
  private static let ringingShare: Float = 0.5

  /// Light in cd/m² up to which a sample is black.
  private let black: Double
  /// That of a gap between letters and the picture.
  private let clean: Double
  /// That of ringing beyond `near`, and within it.
  private let dim, bright: Double

  /// - Parameter light: In cd/m², at multiples of the signal up to which a sample is black.
  init(_ light: (Double) -> Double) {
    (black, clean, dim, bright) = (light(1), light(0.25), light(6), light(9))
  }

  /// The first line that is not of the bar, from one end.
  /// - Parameter lines: From that end.
  /// - Returns: nil: all is black.
  func first(_ lines: [LineLight]) -> Int? {
    let edge = lines.indices.first { index in
      let inner = lines[(index + 1)...].prefix(Self.reach).map(\.mean).max() ?? 0
      return Double(lines[index].mean) >= black && lines[index].mean >= Self.ringing * inner
    }
    // A picture without a line that is lit all over has no edge that would ring.
    guard let edge else { return lines.firstIndex { $0.peak > black } }
    var hasGap = false
    var first = edge
    // From the edge outwards: letters and logos are bright, or apart from the picture.
    for index in (0..<edge).reversed() {
      let (line, distance) = (lines[index], edge - index)
      let isPicture =
        switch distance {
        case ...Self.near: line.peak > bright
        case ...Self.reach: line.peak > dim || line.litShare > Self.ringingShare || hasGap && line.peak > black
        default: line.peak > black
        }
      if isPicture { first = index }
      if line.peak <= clean { hasGap = true }
    }
    return first
  }
}
