public import ColorScience
public import Frames
internal import Rendering

/// A histogram of light with a bin for every half float: maximum, mean and percentiles are exact except for rounding to
/// half float, 2^-11 of the value.
///
/// The light of a pixel is max(R, G, B), linear, with negative values treated as 0. Merging is order-independent, so
/// results do not depend on the number of workers.
public struct LightHistogram: Sendable, Hashable {
  /// Light in cd/m² of half float 1.
  public let nitsPerUnit: Double
  /// Number of pixels per half-float bit pattern, from 0 to the largest.
  private var bins: [Int]

  /// Creates an empty histogram.
  public init(nitsPerUnit: Double) {
    self.init(nitsPerUnit: nitsPerUnit, bins: [Int](repeating: 0, count: MaxRGBCounts.binCount))
  }

  init(nitsPerUnit: Double, bins: [Int]) { (self.nitsPerUnit, self.bins) = (nitsPerUnit, bins) }

  /// Counts `count` pixels of `nits` cd/m², rounded to half float; negative values and NaN are treated as 0.
  public mutating func add(_ nits: Double, count: Int = 1) {
    let value = Float16(nits > 0 ? min(nits / nitsPerUnit, Double(Float16.greatestFiniteMagnitude)) : 0)
    bins[Int(value.bitPattern)] += count
  }

  /// Adds the pixels of another histogram of the same unit.
  public mutating func merge(_ other: LightHistogram) {
    precondition(nitsPerUnit == other.nitsPerUnit)
    for level in bins.indices { bins[level] += other.bins[level] }
  }

  /// Removes the `count` darkest pixels, or all if it has fewer.
  public mutating func removeDarkest(_ count: Int) {
    var left = count
    for level in bins.indices where left > 0 {
      let taken = min(left, bins[level])
      bins[level] -= taken
      left -= taken
    }
  }

  /// Number of pixels.
  public var count: Int { bins.reduce(0, +) }

  /// The maximum light of any pixel in cd/m²; 0 without pixels.
  public var maximum: Double { bins.lastIndex { $0 > 0 }.map(nits) ?? 0 }

  /// The sum of the light of all pixels in cd/m², added from dark to bright.
  public var sum: Double {
    bins.indices.reduce(0.0) { sum, level in bins[level] == 0 ? sum : sum + Double(bins[level]) * nits(level) }
  }

  /// The mean light of a pixel in cd/m²; 0 without pixels.
  public var mean: Double { sum / Double(max(count, 1)) }

  /// Returns the minimum light in cd/m² that a percentage of the pixels do not exceed; 0 without pixels.
  /// - Parameter percent: 0...100.
  public func percentile(_ percent: Double) -> Double {
    let needed = max((Double(count) * percent / 100).rounded(.up), 1)
    var seen = 0
    for level in bins.indices {
      seen += bins[level]
      if Double(seen) >= needed { return nits(level) }
    }
    return maximum
  }

  /// Returns the number of pixels above a luminance in cd/m².
  public func count(above nits: Double) -> Int {
    bins.indices.reduce(0) { self.nits($1) > nits ? $0 + bins[$1] : $0 }
  }

  private func nits(_ level: Int) -> Double { Double(Float16(bitPattern: UInt16(level))) * nitsPerUnit }
}

/// Combines the light of frames, in order.
public struct ContentLightAccumulator: Sendable {
  private var size: Size?
  private var histogram: LightHistogram?
  private var rowMaxima: [UInt16] = []
  private var columnMaxima: [UInt16] = []
  private var rows: [LineLight] = []
  private var columns: [LineLight] = []
  private var frames: [Sum] = []
  private let peakPercentile: Double
  /// The maximum over frames of the light in cd/m² that a percentage of the frame's pixels do not exceed.
  public private(set) var robustPeak = 0.0

  /// A frame; its average depends on the active picture.
  private struct Sum: Sendable {
    var time: Double
    var peak: Double
    var sum: Double
  }

  /// Creates an empty accumulator.
  /// - Parameter peakPercentile: Percentage of the pixels of a frame for `robustPeak`, 0...100.
  public init(peakPercentile: Double = 100) { self.peakPercentile = peakPercentile }

  /// Adds a frame of the same size as the previous ones.
  /// - Parameters:
  ///   - light: The measured light.
  ///   - time: Presentation time in seconds.
  public mutating func add(_ light: FrameLight, time: Double) {
    precondition(size == nil || size == light.size)
    frames.append(Sum(time: time.isFinite ? time : 0, peak: light.peak, sum: light.histogram.sum))
    robustPeak = max(robustPeak, light.histogram.percentile(peakPercentile))
    if let lines = light.lines {
      Self.merge(&rows, lines.rowMeans, lines.rowShares)
      Self.merge(&columns, lines.columnMeans, lines.columnShares)
    }
    guard histogram != nil else {
      (size, histogram) = (light.size, light.histogram)
      (rowMaxima, columnMaxima) = (light.rowMaxima, light.columnMaxima)
      return
    }
    histogram?.merge(light.histogram)
    for y in rowMaxima.indices { rowMaxima[y] = max(rowMaxima[y], light.rowMaxima[y]) }
    for x in columnMaxima.indices { columnMaxima[x] = max(columnMaxima[x], light.columnMaxima[x]) }
  }

  private static func merge(_ lines: inout [LineLight], _ means: [Float], _ shares: [Float]) {
    if lines.isEmpty { lines = [LineLight](repeating: LineLight(), count: means.count) }
    for index in lines.indices { lines[index].merge(mean: means[index], litShare: shares[index]) }
  }

  /// Returns the picture without black bars, even if a lossy encoder rings over them.
  /// - Parameter light: Light in cd/m² at multiples of the signal that the analyzer used as black.
  /// - Returns: nil if everything is black.
  public func pictureArea(_ light: (Double) -> Double) -> PictureArea? {
    guard let unit = histogram?.nitsPerUnit, !rows.isEmpty else { return nil }
    func lines(_ lines: [LineLight], _ maxima: [UInt16]) -> [LineLight] {
      zip(lines, maxima).map { line, maximum in
        var line = line
        line.peak = Double(Float16(bitPattern: maximum)) * unit
        return line
      }
    }
    let edge = BarEdge(light)
    let (rows, columns) = (lines(rows, rowMaxima), lines(columns, columnMaxima))
    guard let top = edge.first(rows), let bottom = edge.first(rows.reversed()), let left = edge.first(columns),
      let right = edge.first(columns.reversed())
    else { return nil }
    return PictureArea(x: left, y: top, width: columns.count - right - left, height: rows.count - bottom - top)
  }

  /// Returns the smallest area that contains every pixel above `nits` in any frame.
  /// - Parameter nits: Light in cd/m².
  /// - Returns: nil if there are no such pixels.
  public func litArea(above nits: Double) -> PictureArea? {
    guard let unit = histogram?.nitsPerUnit else { return nil }
    let isLit = { (level: UInt16) in Double(Float16(bitPattern: level)) * unit > nits }
    guard let top = rowMaxima.firstIndex(where: isLit), let bottom = rowMaxima.lastIndex(where: isLit),
      let left = columnMaxima.firstIndex(where: isLit), let right = columnMaxima.lastIndex(where: isLit)
    else { return nil }
    return PictureArea(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
  }

  /// Returns the result; nil without frames.
  /// - Parameters:
  ///   - excludesLetterbox: Excludes bars from averages and percentiles. Bars are rows and columns at the edges that
  ///     are black in every frame; their little light stays in the sums, and the darkest pixels of the file are removed
  ///     instead.
  ///   - coversFile: Whether the frames are all frames of the file.
  public func measurement(excludesLetterbox: Bool, coversFile: Bool) -> ContentMeasurement? {
    guard let size else { return nil }
    let area = excludesLetterbox ? litArea(above: PictureArea.blackThreshold) ?? PictureArea(size) : nil
    return measurement(of: area, coversFile: coversFile)
  }

  /// Returns the result for an area of the picture with black surroundings.
  /// - Parameters:
  ///   - active: The area; nil: the whole picture.
  ///   - coversFile: Whether the frames are all frames of the file.
  /// - Returns: nil without frames.
  public func measurement(of active: PictureArea?, coversFile: Bool) -> ContentMeasurement? {
    guard let size, var histogram else { return nil }
    let area = active ?? PictureArea(size)
    let pixels = area.width * area.height
    histogram.removeDarkest((size.width * size.height - pixels) * frames.count)
    return ContentMeasurement(
      size: size, activePicture: active, coversFile: coversFile,
      percentiles: ContentMeasurement.Percentile.reported.map {
        ContentMeasurement.Percentile(percent: $0, nits: histogram.percentile($0))
      },
      frames: frames.map {
        ContentMeasurement.Frame(time: $0.time, peak: $0.peak, average: $0.sum / Double(max(pixels, 1)))
      })
  }
}

extension PictureArea {
  /// Rows and columns at the edges that never exceed this light, in cd/m², are bars. It is 55 ten-bit codes above the
  /// black of PQ, 33 of HLG and 49 of SDR: above the coding noise on black.
  static let blackThreshold = 0.1

  /// Maximum signal of black bars, as a fraction of the nominal range: 13 eight-bit codes above black, or 54 ten-bit
  /// ones. Noise and coding artefacts on black are below it, dim lettering is not.
  public static let blackSignal = 1.0 / 16

  /// Returns the light in cd/m² of a signal on the reference display of the content. The maximum for bars is 0.1 for
  /// PQ, 0.35 for HLG and 0.13 for SDR.
  /// Source: ITU-R BT.2100-2, table 5, for the OOTF of HLG; BT.1886, with a black of 0.
  /// - Parameters:
  ///   - transfer: The transfer characteristics of the signal.
  ///   - signal: A fraction of the nominal range.
  public static func blackBarLight(_ transfer: TransferCharacteristics, signal: Double = blackSignal) -> Double {
    switch transfer {
    case .pq: PQ.eotf(min(signal, 1))
    case .hlg:
      HLG.ootf(
        SIMD3(repeating: HLG.inverseOETF(signal)), peak: EDRMetadata.defaultMaxLuminance,
        gamma: HLG.gamma(peak: EDRMetadata.defaultMaxLuminance)
      ).x
    case .linear: blackThreshold * signal / blackSignal
    default: BT1886(white: LightLevelAnalyzer.defaultSDRWhite).eotf(signal)
    }
  }
}
