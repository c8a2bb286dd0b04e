/// Numbers of pixels outside gamuts and above levels of luminance, in total and by hue.
public struct ColorStatistics: Sendable, Hashable {
  /// A category of pixels.
  public struct Counts: Sendable, Hashable {
    /// Total number of pixels.
    public var pixels = 0
    /// Outside BT.709, according to `GamutBoundary` with its default tolerance.
    public var outsideBT709 = 0
    /// Outside P3-D65, with the same tolerance.
    public var outsideP3 = 0
    /// Luminance above SDR white.
    public var aboveSDRWhite = 0
    /// Luminance above 203 cd/m², the reference white of BT.2408.
    public var above203 = 0
    /// Luminance above 1000 cd/m².
    public var above1000 = 0
    /// Luminance above 4000 cd/m².
    public var above4000 = 0

    /// No pixels.
    public init() {}

    mutating func add(_ other: Counts) {
      pixels += other.pixels
      outsideBT709 += other.outsideBT709
      outsideP3 += other.outsideP3
      aboveSDRWhite += other.aboveSDRWhite
      above203 += other.above203
      above1000 += other.above1000
      above4000 += other.above4000
    }
  }

  /// In the order of `HueSector`.
  private var sectors = [Counts](repeating: Counts(), count: HueSector.allCases.count)
  /// Pixels without a hue.
  public private(set) var neutral = Counts()

  /// No pixels.
  public init() {}

  /// The counts of one hue.
  public subscript(_ hue: HueSector) -> Counts {
    sectors[HueSector.allCases.firstIndex(of: hue) ?? 0]
  }

  /// All pixels.
  public var all: Counts { sectors.reduce(into: neutral) { $0.add($1) } }

  /// Adds the counts of another frame.
  public mutating func add(_ other: ColorStatistics) {
    for index in sectors.indices { sectors[index].add(other.sectors[index]) }
    neutral.add(other.neutral)
  }

  /// - Parameter hue: Index of the `HueSector`; nil: none.
  mutating func add(_ counts: Counts, hue: Int?) {
    if let hue { sectors[hue].add(counts) } else { neutral.add(counts) }
  }
}
