public import Frames

/// What scopes show of one frame: how many pixels lie where. What no scope of the settings needs is empty.
///
/// Light is that which the reference display shows, in cd/m², coded as PQ for axes of nits.
public struct ScopeCounts: Sendable, Hashable {
  /// Levels of waveform, parade and histogram: the full-range ten-bit codes of PQ.
  public static let levels = 1024
  /// Bins across and down of the two planes.
  public static let side = 512
  /// Bins of the chromaticity plane in 1 of u' or v': bin = floor(800 u'), so that it reaches to 0.64.
  public static let binsPerUnit = 800.0
  /// In cd/m². Darker pixels have no chromaticity.
  public static let minimumLuminance = 0.1

  /// Pixels of the picture.
  public let size: Size
  /// Columns of waveform and parade: pixel x is in column x * columns / width.
  public let columns: Int
  /// Luminance: pixels of each level in each column, at [column * levels + level]. No bin can overflow: `columns` is as
  /// large as the picture needs.
  public internal(set) var luminance: [UInt16] = []
  /// R, in the same bins.
  public internal(set) var red: [UInt16] = []
  /// G, in the same bins.
  public internal(set) var green: [UInt16] = []
  /// B, in the same bins.
  public internal(set) var blue: [UInt16] = []
  /// Pixels at [y * side + x], where x = floor((c + 0.5) * side) for Ct or Cb, y for Cp or Cr alike.
  public internal(set) var vectors: [UInt32] = []
  /// Pixels at [v * side + u], where u = floor(800 u'), v = floor(800 v').
  public internal(set) var chromaticities: [UInt32] = []
  /// Of the pixels that have a chromaticity.
  public internal(set) var chromaticity = ChromaticityRange()

  /// Counts of nothing.
  public init(size: Size, columns: Int) {
    self.size = size
    self.columns = columns
  }
}

/// Mean and extremes of CIE 1976 u', v', added up as integers, so that they do not depend on who counted what.
public struct ChromaticityRange: Sendable, Hashable {
  /// What u' and v' are rounded to.
  static let stepsPerUnit = 65_536.0

  /// Pixels that have a chromaticity.
  public internal(set) var pixels = 0
  /// In steps.
  var sum = SIMD2<Int>()
  var least = SIMD2<Int>(repeating: .max)
  var most = SIMD2<Int>(repeating: .min)

  /// No pixels.
  public init() {}

  /// u', v'; nil without pixels.
  public var mean: SIMD2<Double>? {
    pixels == 0 ? nil : SIMD2(Double(sum.x), Double(sum.y)) / (Double(pixels) * Self.stepsPerUnit)
  }
  /// The least u' and the least v', which need not be of one pixel; nil without pixels.
  public var minimum: SIMD2<Double>? {
    pixels == 0 ? nil : SIMD2(Double(least.x), Double(least.y)) / Self.stepsPerUnit
  }
  /// The largest u' and the largest v', which need not be of one pixel; nil without pixels.
  public var maximum: SIMD2<Double>? {
    pixels == 0 ? nil : SIMD2(Double(most.x), Double(most.y)) / Self.stepsPerUnit
  }
}

extension ChromaticityRange {
  init(pixels: Int, sum: SIMD2<Int>, least: SIMD2<Int>, most: SIMD2<Int>) {
    self.init()
    (self.pixels, self.sum, self.least, self.most) = (pixels, sum, least, most)
  }

  mutating func add(_ other: ChromaticityRange) {
    guard other.pixels > 0 else { return }
    pixels += other.pixels
    sum &+= other.sum
    least = SIMD2(min(least.x, other.least.x), min(least.y, other.least.y))
    most = SIMD2(max(most.x, other.most.x), max(most.y, other.most.y))
  }
}

extension ScopeCounts {
  /// Counts that were made elsewhere; each list is empty or as long as `ScopeCounts` says.
  package init(
    size: Size, columns: Int, luminance: [UInt16] = [], red: [UInt16] = [], green: [UInt16] = [],
    blue: [UInt16] = [], vectors: [UInt32] = [], chromaticities: [UInt32] = []
  ) {
    self.init(size: size, columns: columns)
    (self.luminance, self.red, self.green, self.blue) = (luminance, red, green, blue)
    (self.vectors, self.chromaticities) = (vectors, chromaticities)
  }
}
