/// The counts that scopes collect from a picture.
public struct ScopeSettings: Sendable, Hashable, Codable {
  /// Default number of columns of waveform and parade.
  public static let defaultColumns = 480

  /// Scopes to count for.
  public var kinds: Set<ScopeKind>
  /// The plane of the vectorscope.
  public var plane: VectorPlane
  /// Columns of waveform and parade, at least 1. Limited to the picture's width, and raised so that no column has more
  /// than 65535 pixels.
  public var columns: Int

  /// Every nth row is counted, from the first of the picture or field; 1 counts all. A hundred rows are enough for live
  /// scopes to look the same.
  public var rowStep: Int

  /// Creates settings; a `rowStep` below 1 is treated as 1.
  public init(
    kinds: Set<ScopeKind>, plane: VectorPlane = .ictcp, columns: Int = defaultColumns, rowStep: Int = 1
  ) {
    self.kinds = kinds
    self.plane = plane
    self.columns = columns
    self.rowStep = max(rowStep, 1)
  }

  /// Returns a step that leaves about 135 rows of a picture, enough for live scopes to look the same.
  public static func liveRowStep(height: Int) -> Int { max(height / 135, 1) }

  var needsLuminance: Bool { !kinds.isDisjoint(with: [.waveform, .histogram]) }
  var needsComponents: Bool { !kinds.isDisjoint(with: [.parade, .histogram]) }
  var needsVectors: Bool { kinds.contains(.vectorscope) }
  var needsChromaticities: Bool { kinds.contains(.chromaticity) }

  /// Returns the number of columns for a picture such that no bin can overflow.
  func columns(width: Int, height: Int) -> Int {
    let pixelsPerColumn = max(Int(UInt16.max) / max(height, 1), 1)
    let least = (width + pixelsPerColumn - 1) / pixelsPerColumn
    return min(max(columns, least, 1), max(width, 1))
  }
}
