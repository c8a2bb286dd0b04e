internal import Foundation
public import Frames

/// The counts of a frame as a line of JSON, written directly because there are hundreds of thousands of numbers.
public struct ScopeLine: Sendable, Hashable {
  /// Without a line terminator.
  public let text: String

  /// Writes the counts of a frame.
  /// - Parameters:
  ///   - counts: The counts.
  ///   - kinds: Scopes whose bins are written.
  ///   - plane: The plane of the vectorscope.
  ///   - frame: Number from 0.
  ///   - time: Time of the frame.
  public init(_ counts: ScopeCounts, _ kinds: [ScopeKind], _ plane: VectorPlane, frame: Int, time: FrameTime) {
    var fields = [
      "\"frame\":\(frame)", "\"time\":\(Self.number(time.seconds))", "\"width\":\(counts.size.width)",
      "\"height\":\(counts.size.height)", "\"levels\":\(ScopeCounts.levels)",
    ]
    let components = [("red", counts.red), ("green", counts.green), ("blue", counts.blue)]
    for kind in kinds {
      switch kind {
      case .waveform: fields.append("\"waveform\":{\"luminance\":\(Self.columns(counts.luminance))}")
      case .parade:
        let bins = components.map { "\"\($0.0)\":\(Self.columns($0.1))" }
        fields.append("\"parade\":{\(bins.joined(separator: ","))}")
      case .histogram:
        let bins = (components + [("luminance", counts.luminance)]).map { "\"\($0.0)\":\(Self.sums($0.1))" }
        fields.append("\"histogram\":{\(bins.joined(separator: ","))}")
      case .vectorscope:
        fields.append("\"vectorscope\":{\"plane\":\"\(plane.rawValue)\",\"bins\":\(Self.bins(counts.vectors))}")
      case .chromaticity: fields.append("\"chromaticity\":\(Self.chromaticity(counts))")
      }
    }
    text = "{\(fields.joined(separator: ","))}"
  }

  /// Rounds to a millionth.
  private static func number(_ value: Double) -> String { String(format: "%.6f", value) }

  private static func list(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }

  /// Returns the number of pixels at each level, summed over columns.
  private static func sums(_ counts: [UInt16]) -> String {
    var sums = [Int](repeating: 0, count: ScopeCounts.levels)
    for first in stride(from: 0, to: counts.count, by: ScopeCounts.levels) {
      for level in sums.indices { sums[level] += Int(counts[first + level]) }
    }
    return list(sums.map(String.init))
  }

  /// Returns the non-zero levels of each column, each with its count.
  private static func columns(_ counts: [UInt16]) -> String {
    list(
      stride(from: 0, to: counts.count, by: ScopeCounts.levels).map { first in
        var items: [String] = []
        for level in 0..<ScopeCounts.levels where counts[first + level] > 0 {
          items.append("\(level),\(counts[first + level])")
        }
        return list(items)
      })
  }

  /// Returns the non-zero bins: x, y and count.
  private static func bins(_ counts: [UInt32]) -> String {
    var items: [String] = []
    for index in counts.indices where counts[index] > 0 {
      items.append("[\(index % ScopeCounts.side),\(index / ScopeCounts.side),\(counts[index])]")
    }
    return list(items)
  }

  private static func chromaticity(_ counts: ScopeCounts) -> String {
    let range = counts.chromaticity
    let values = [("mean", range.mean), ("minimum", range.minimum), ("maximum", range.maximum)]
    let pairs = values.compactMap { name, value in
      value.map { "\"\(name)\":[\(number($0.x)),\(number($0.y))]" }
    }
    let fields = ["\"pixels\":\(range.pixels)"] + pairs + ["\"bins\":\(bins(counts.chromaticities))"]
    return "{\(fields.joined(separator: ","))}"
  }
}
