internal import Frames
internal import Patterns

/// Finds the frame whose details differ most from the first frame's.
struct DetailWatch {
  /// Samples every nth row of a detail.
  private static let rowStep = 4
  /// Mean difference of a detail in ten-bit codes that occurs in healthy streams.
  private static let defaultDifference = 1.0

  private let details: [PatternDrawing.Detail]
  private let first: [[Double]]
  private let unit: Double
  private var worst = defaultDifference
  private(set) var other: (frame: CodedFrame, index: Int)?

  init(_ reader: SampleReader, _ details: [PatternDrawing.Detail]) {
    self.details = details
    first = details.map { Self.samples(reader, $0) }
    unit = reader.tenBitCode
  }

  mutating func look(at frame: CodedFrame, _ reader: SampleReader, index: Int) {
    for (detail, before) in zip(details, first) where !before.isEmpty {
      let now = Self.samples(reader, detail)
      let sum = zip(now, before).reduce(0) { $0 + abs($1.0 - $1.1) }
      let difference = sum / Double(before.count) / unit
      if difference > worst { (worst, other) = (difference, (frame, index)) }
    }
  }

  private static func samples(_ reader: SampleReader, _ detail: PatternDrawing.Detail) -> [Double] {
    var result: [Double] = []
    for component in detail.kind == .chroma ? [1, 2] : [0] {
      let area = reader.area(component, of: detail.area)
      for y in stride(from: area.y, to: area.maxY, by: rowStep) {
        reader.row(component, y, from: area.x, count: area.width) { result.append($1) }
      }
    }
    return result
  }
}
