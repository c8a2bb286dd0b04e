public import Frames

/// The counts of one frame for scopes. Arrays unused by the settings are empty.
///
/// Light is display light of the reference display, in cd/m², PQ-coded on light axes.
public struct ScopeCounts: Sendable, Hashable {
  /// Levels of waveform, parade and histogram: the full-range ten-bit codes of PQ.
  public static let levels = 1024
  /// Bins along each side of the two planes.
  public static let side = 512
  /// Bins per unit of u' or v': bin = floor(800 u'), up to 0.64.
  public static let binsPerUnit = 800.0
  /// Minimum luminance in cd/m² of pixels whose chromaticity is counted.
  public static let minimumLuminance = 0.1

  /// Picture size in pixels.
  public let size: Size
  /// Number of columns of waveform and parade: pixel x is in column x * columns / width.
  public let columns: Int
  /// Number of pixels per column and level of luminance, at [column * levels + level]. No bin can overflow, because
  /// `columns` is large enough for the picture.
  public internal(set) var luminance: [UInt16] = []
  /// Counts of R in the same bins.
  public internal(set) var red: [UInt16] = []
  /// Counts of G in the same bins.
  public internal(set) var green: [UInt16] = []
  /// Counts of B in the same bins.
  public internal(set) var blue: [UInt16] = []
  /// Number of pixels at [y * side + x], where x = floor((c + 0.5) * side) for Ct or Cb, and y likewise for Cp or Cr.
  public internal(set) var vectors: [UInt32] = []
  /// Number of pixels at [v * side + u], where u = floor(800 u'), v = floor(800 v').
  public internal(set) var chromaticities: [UInt32] = []
  /// Statistics of the pixels with a chromaticity.
  public internal(set) var chromaticity = ChromaticityRange()

  /// Creates empty counts.
  public init(size: Size, columns: Int) { (self.size, self.columns) = (size, columns) }

  /// Creates counts from other data; each array is empty or of the length that `ScopeCounts` specifies.
  package init(
    size: Size, columns: Int, luminance: [UInt16] = [], red: [UInt16] = [], green: [UInt16] = [],
    blue: [UInt16] = [], vectors: [UInt32] = [], chromaticities: [UInt32] = []
  ) {
    self.init(size: size, columns: columns)
    (self.luminance, self.red, self.green, self.blue) = (luminance, red, green, blue)
    (self.vectors, self.chromaticities) = (vectors, chromaticities)
  }
}

/// Mean and extremes of CIE 1976 u', v', accumulated as integers to be independent of the order.
public struct ChromaticityRange: Sendable, Hashable {
  /// Precision of u' and v'.
  static let stepsPerUnit = 65_536.0

  /// Number of pixels with a chromaticity.
  public internal(set) var pixels = 0
  /// Sum of u' and v' in steps.
  var sum = SIMD2<Int>()
  var smallest = SIMD2<Int>(repeating: .max)
  var largest = SIMD2<Int>(repeating: .min)

  /// No pixels.
  public init() {}

  /// u', v'; nil without pixels.
  public var mean: SIMD2<Double>? {
    pixels == 0 ? nil : SIMD2(Double(sum.x), Double(sum.y)) / (Double(pixels) * Self.stepsPerUnit)
  }
  /// The minimum u' and the minimum v', possibly of different pixels; nil without pixels.
  public var minimum: SIMD2<Double>? {
    pixels == 0 ? nil : SIMD2(Double(smallest.x), Double(smallest.y)) / Self.stepsPerUnit
  }
  /// The maximum u' and the maximum v', possibly of different pixels; nil without pixels.
  public var maximum: SIMD2<Double>? {
    pixels == 0 ? nil : SIMD2(Double(largest.x), Double(largest.y)) / Self.stepsPerUnit
  }

  init(pixels: Int, sum: SIMD2<Int>, smallest: SIMD2<Int>, largest: SIMD2<Int>) {
    self.init()
    (self.pixels, self.sum, self.smallest, self.largest) = (pixels, sum, smallest, largest)
  }

  mutating func add(_ other: ChromaticityRange) {
    guard other.pixels > 0 else { return }
    pixels += other.pixels
    sum &+= other.sum
    smallest = SIMD2(min(smallest.x, other.smallest.x), min(smallest.y, other.smallest.y))
    largest = SIMD2(max(largest.x, other.largest.x), max(largest.y, other.largest.y))
  }
}
