internal import ColorScience

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
    (self.kinds, self.plane, self.columns) = (kinds, plane, columns)
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
    let minimum = (width + pixelsPerColumn - 1) / pixelsPerColumn
    return min(max(columns, minimum, 1), max(width, 1))
  }
}

/// A way to plot the light of a picture.
public enum ScopeKind: String, Sendable, Hashable, Codable, CaseIterable {
  /// Luminance over the columns of the picture.
  case waveform
  /// R, G and B over the columns of the picture, side by side.
  case parade
  /// Hue and saturation, regardless of luminance.
  case vectorscope
  /// Histograms of R, G, B and luminance.
  case histogram
  /// CIE 1976 u', v'.
  case chromaticity
}

/// The plane of a vectorscope.
public enum VectorPlane: String, Sendable, Hashable, Codable, CaseIterable {
  /// Ct to the right, Cp upwards, of PQ-coded cone responses. Source: ITU-R BT.2100-2, table 7.
  case ictcp
  /// Cb to the right, Cr upwards, of PQ-coded R'G'B' in the content's primaries.
  case ycbcr

  /// Returns the Y'CbCr matrix: BT.2020 luma for BT.2020 primaries, BT.709 luma for all others. Source: ITU-R
  /// BT.2100-2, table 6; BT.709-6, items 3.2 and 3.3.
  static func matrix(for primaries: RGBSpace) -> YCbCrMatrix { primaries == .bt2020 ? .bt2020 : .bt709 }
}

/// Luminances in cd/m² marked on light axes.
public struct ScopeMarks: Sendable, Hashable {
  /// The threshold of HDR displays, and the most useful axis label.
  public static let thousand = 1000.0

  /// Luminance of SDR white.
  public var sdrWhite: Double
  /// Luminance of HDR diffuse white. Source: ITU-R BT.2408-7, clause 2.1: 203 cd/m².
  public var referenceWhite: Double
  /// Peak of the display or of the content; nil: unknown.
  public var peak: Double?

  /// Creates marks; luminances are in cd/m².
  public init(sdrWhite: Double = 100, referenceWhite: Double = 203, peak: Double? = nil) {
    (self.sdrWhite, self.referenceWhite, self.peak) = (sdrWhite, referenceWhite, peak)
  }

  /// The peak over SDR white; nil if one is unknown or invalid.
  public var headroom: Double? {
    guard let peak, peak.isFinite, peak > 0, sdrWhite.isFinite, sdrWhite > 0 else { return nil }
    return peak / sdrWhite
  }
}
