/// What scopes count of a picture.
public struct ScopeSettings: Sendable, Hashable, Codable {
  /// Columns of waveform and parade unless stated.
  public static let defaultColumns = 480

  /// Scopes to count for.
  public var kinds: Set<ScopeKind>
  /// What the vectorscope plots.
  public var plane: VectorPlane
  /// Columns of waveform and parade, 1 or more. A picture has no more than pixels in a row, and as many as it takes that
  /// no column has more than 65535 pixels.
  public var columns: Int

  /// Every nth row is counted, from the first of the picture or field on; 1 counts all. Live scopes see no difference
  /// where
  /// a hundred rows and more are left.
  public var rowStep: Int

  /// A `rowStep` below 1 counts as 1.
  public init(
    kinds: Set<ScopeKind>, plane: VectorPlane = .ictcp, columns: Int = defaultColumns, rowStep: Int = 1
  ) {
    self.kinds = kinds
    self.plane = plane
    self.columns = columns
    self.rowStep = max(rowStep, 1)
  }

  /// What leaves 135 rows of a picture: enough for live scopes to look the same.
  public static func liveRowStep(height: Int) -> Int { max(height / 135, 1) }

  var needsLuminance: Bool { !kinds.isDisjoint(with: [.waveform, .histogram]) }
  var needsComponents: Bool { !kinds.isDisjoint(with: [.parade, .histogram]) }
  var needsVectors: Bool { kinds.contains(.vectorscope) }
  var needsChromaticities: Bool { kinds.contains(.chromaticity) }

  /// Columns of a picture of a width and a height: no bin of them can overflow.
  func columns(width: Int, height: Int) -> Int {
    let pixelsPerColumn = max(Int(UInt16.max) / max(height, 1), 1)
    let least = (width + pixelsPerColumn - 1) / pixelsPerColumn
    return min(max(columns, least, 1), max(width, 1))
  }
}
