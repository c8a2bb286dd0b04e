public import ColorScience
internal import Foundation
public import Rendering
internal import SIMDShims
internal import Synchronization

/// A stage that counts colours and light without changing them. Place it before the mapping to a display and before
/// filters.
///
/// Light is display light of the reference display, as for `LightLevelAnalyzer`. Rows shared by bands are skipped, so
/// that each pixel counts once.
public final class GamutAnalyzer: Stage {
  private let classes: PixelClass
  private let workers: [Worker]

  /// Creates a stage for bands of one width.
  /// - Parameters:
  ///   - width: Pixels in a row.
  ///   - content: Interpretation of the bands.
  ///   - sdrWhite: Luminance of SDR white in cd/m².
  ///   - workers: Number of workers of the rendering pool.
  public init(width: Int, content: ContentInterpretation, sdrWhite: Double, workers: Int) {
    classes = PixelClass(content, sdrWhite: sdrWhite)
    self.workers = (0..<workers).map { _ in Worker(width: width) }
  }

  public var leavesLight: Bool { true }

  public func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> { rgb }

  @unsafe
  public func process(_ band: LinearBand, tier: KernelTier, worker: Int) {
    unsafe workers[worker].count(band, classes, tier)
  }

  /// The counts since the last call.
  public func takeStatistics() -> ColorStatistics {
    var result = ColorStatistics()
    for worker in workers {
      for (value, count) in worker.takeBins().enumerated() where count > 0 {
        let (counts, hue) = classes.meaning(of: value, count: count)
        result.add(counts, hue: hue)
      }
    }
    return result
  }

  /// The bins of one worker.
  private final class Worker: @unchecked Sendable {
    // @unchecked: rows are accessed only inside `lock`, and bands are no wider than rows.
    private let lock = Mutex(())
    /// The class of each pixel in a row.
    private let indices: RowStorage<UInt16>
    /// Required by `tally` but unused.
    private let columns: RowStorage<UInt16>
    private let bins = RowStorage<UInt32>(rows: 1, width: PixelClass.count)
    private var sums = [Int](repeating: 0, count: PixelClass.count)
    /// Pixels in `bins`: at most the capacity of one bin.
    private var pending = 0

    init(width: Int) {
      indices = RowStorage(rows: 1, width: width)
      columns = RowStorage(rows: 1, width: width)
    }

    func count(_ band: LinearBand, _ classes: PixelClass, _ tier: KernelTier) {
      let (indices, columns, bins) = unsafe (self.indices.row(0), self.columns.row(0), self.bins.row(0))
      lock.withLock { _ in
        let pixels = unsafe band.width * band.ownRows.count
        if pending + pixels > UInt32.max { settle() }
        pending += pixels
        for index in unsafe band.ownRows {
          unsafe classes.classify(band.row(index), width: band.width, tier: tier, to: indices)
          _ = unsafe tier.kernels.tally(UnsafePointer(indices), bins, columns, band.width)
        }
      }
    }

    func takeBins() -> [Int] {
      lock.withLock { _ in
        settle()
        defer { for index in sums.indices { sums[index] = 0 } }
        return sums
      }
    }

    private func settle() {
      let bins = unsafe self.bins.row(0)
      for index in sums.indices { unsafe sums[index] += Int(bins[index]) }
      unsafe bins.update(repeating: 0, count: sums.count)
      pending = 0
    }
  }
}

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

/// A sixth of all hues: the colours nearest to a primary or secondary of BT.709, by direction from D65 in CIE 1976 u',
/// v'.
public enum HueSector: String, Sendable, Hashable, CaseIterable {
  /// The primaries and secondaries, by increasing hue angle.
  case red, yellow, green, cyan, blue, magenta

  /// Colours closer to white than this in u', v' have no hue. Source: the just noticeable distance is about 0.004.
  public static let minimumDistance = 0.01

  /// Linear BT.709 of the hue itself.
  private var color: SIMD3<Double> {
    switch self {
    case .red: SIMD3(1, 0, 0)
    case .yellow: SIMD3(1, 1, 0)
    case .green: SIMD3(0, 1, 0)
    case .cyan: SIMD3(0, 1, 1)
    case .blue: SIMD3(0, 0, 1)
    case .magenta: SIMD3(1, 0, 1)
    }
  }

  /// Direction from white in u', v', in radians counterclockwise from the u' axis, non-negative.
  private var angle: Double {
    let uniform = DisplayColor(nits: color * 100, in: .bt709).chromaticity?.uniform ?? .zero
    let direction = uniform - Chromaticity.d65.uniform
    let angle = atan2(direction.y, direction.x)
    return angle < 0 ? angle + 2 * .pi : angle
  }

  /// Start angles of the sectors: halfway between their hue and the previous one.
  private static let starts: [Double] = allCases.indices.map { index in
    let hue = allCases[index].angle
    let before = index == 0 ? allCases[allCases.count - 1].angle - 2 * .pi : allCases[index - 1].angle
    return (hue + before) / 2
  }

  /// Returns the sector of a colour; nil for near-neutral colours and black.
  /// - Parameters:
  ///   - rgb: Linear components.
  ///   - primaries: Primaries of the components.
  public static func of(_ rgb: SIMD3<Double>, in primaries: RGBSpace) -> HueSector? {
    let plane = Plane(primaries)
    let (x, y, unit) = ((plane.horizontal * rgb).sum(), (plane.vertical * rgb).sum(), (plane.unit * rgb).sum())
    guard x * x + y * y >= minimumDistance * minimumDistance * unit * unit, x != 0 || y != 0 else { return nil }
    let angle = atan2(y, x)
    // The first sector begins below zero.
    let index = starts.indices.last { starts[$0] <= angle } ?? starts.indices.last { starts[$0] <= angle + 2 * .pi }
    return index.map { allCases[$0] }
  }

  /// u' = 4X / (X + 15Y + 3Z) and v' = 9Y / (X + 15Y + 3Z), minus white, as sums of the components. Source: ISO/CIE
  /// 11664-5:2016, clause 4.1.
  private struct Plane {
    let horizontal: SIMD3<Double>
    let vertical: SIMD3<Double>
    let unit: SIMD3<Double>

    init(_ primaries: RGBSpace) {
      let xyz = primaries.rgbToXYZ
      let white = primaries.white.uniform
      unit = xyz.row0 + 15 * xyz.row1 + 3 * xyz.row2
      horizontal = 4 * xyz.row0 - white.x * unit
      vertical = 9 * xyz.row1 - white.y * unit
    }
  }

  /// The kernel parameters; sectors are numbered from 1 in the order of the cases.
  static func parameters(_ primaries: RGBSpace) -> hr_hues {
    let plane = Plane(primaries)
    let (x, y) = (starts.map { Float(cos($0)) }, starts.map { Float(sin($0)) })
    return hr_hues(
      horizontal: plane.horizontal.kernelRow, vertical: plane.vertical.kernelRow, unit: plane.unit.kernelRow,
      neutral: Float(minimumDistance * minimumDistance), x: (x[0], x[1], x[2], x[3], x[4], x[5]),
      y: (y[0], y[1], y[2], y[3], y[4], y[5]))
  }
}

/// Encodes the counted properties of a pixel in one number: the number of the four levels its luminance exceeds, plus 5
/// if it is outside BT.709, plus 10 if it is outside P3, plus 20 times its hue sector, starting at 1.
struct PixelClass: Sendable {
  static let count = 140

  /// SDR white and three fixed levels, in cd/m² in this order, and ascending in band units.
  private let nits: [Double]
  private let zones: hr_zones
  private let bt709: hr_gamut_boundary
  private let p3: hr_gamut_boundary
  private let hues: hr_hues

  init(_ content: ContentInterpretation, sdrWhite: Double) {
    let form = ContentLightForm(content, sdrWhite: sdrWhite)
    nits = [sdrWhite, 203, 1000, 4000]
    zones = hr_zones(
      weights: form.luminance(of: content.primaries), levels: nits.sorted().map { form.light(above: $0) })
    bt709 = hr_gamut_boundary(form.boundary(of: .bt709, from: content.primaries))
    p3 = hr_gamut_boundary(form.boundary(of: .displayP3, from: content.primaries))
    hues = HueSector.parameters(content.primaries)
  }

  /// Computes the classes of a row's pixels.
  @unsafe
  func classify(_ row: LinearBand.Row, width: Int, tier: KernelTier, to indices: UnsafeMutablePointer<UInt16>) {
    let (kernels, light) = unsafe (tier.kernels, row.kernelRows)
    var (zones, bt709, p3, hues) = (zones, bt709, p3, hues)
    unsafe kernels.zones(&zones, light, indices, width)
    unsafe kernels.add_outside(&bt709, 5, light, indices, width)
    unsafe kernels.add_outside(&p3, 10, light, indices, width)
    unsafe kernels.add_hues(&hues, 20, light, indices, width)
  }

  /// Returns the properties of `count` pixels of a class.
  func meaning(of index: Int, count: Int) -> (ColorStatistics.Counts, hue: Int?) {
    var result = ColorStatistics.Counts()
    result.pixels = count
    result.outsideBT709 = index / 5 % 2 == 1 ? count : 0
    result.outsideP3 = index / 10 % 2 == 1 ? count : 0
    func above(_ level: Double) -> Int { nits.count { $0 < level } < index % 5 ? count : 0 }
    (result.aboveSDRWhite, result.above203) = (above(nits[0]), above(nits[1]))
    (result.above1000, result.above4000) = (above(nits[2]), above(nits[3]))
    return (result, index / 20 == 0 ? nil : index / 20 - 1)
  }
}
