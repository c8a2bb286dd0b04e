internal import ColorScience
internal import Frames
internal import Rendering
internal import SIMDShims
internal import Synchronization

/// Counts the light of bands for one worker, whose calls never block; other threads may take the counts.
@safe
final class ScopeTally: @unchecked Sendable {
  // @unchecked and @safe: everything is accessed only inside `lock`, and bands are no wider than rows.

  /// Rows counted at a time, column by column.
  private static let stripHeight = 32
  private static let planeBins = ScopeCounts.side * ScopeCounts.side

  private let parameters: ScopeParameters
  private let lock = Mutex(())
  /// Light of the reference display, if bands hold other light.
  private let shown: RowStorage<Float16>
  private let luminance: RowStorage<Float16>
  private let cones: RowStorage<Float16>
  private let indices: RowStorage<UInt32>
  /// Rows of bins: columns of luminance, red, green and blue, as requested.
  private let columnBins: RowStorage<UInt16>
  private let vectors: RowStorage<UInt32>
  private let chromaticities: RowStorage<UInt32>
  private var sums = ScopeTally.noSums

  init(_ parameters: ScopeParameters) {
    let (width, settings) = (parameters.size.width, parameters.settings)
    self.parameters = parameters
    shown = RowStorage(rows: parameters.ootf == nil ? 0 : 3 * Self.stripHeight, width: width)
    luminance = RowStorage(rows: settings.needsLuminance ? Self.stripHeight : 0, width: width)
    cones = RowStorage(rows: 3, width: width)
    indices = RowStorage(rows: 1, width: width)
    let channels = (settings.needsLuminance ? 1 : 0) + (settings.needsComponents ? 3 : 0)
    columnBins = RowStorage(rows: channels * parameters.columns, width: ScopeCounts.levels)
    vectors = RowStorage(rows: settings.needsVectors ? 1 : 0, width: Self.planeBins)
    // One extra bin for pixels without a chromaticity.
    chromaticities = RowStorage(rows: settings.needsChromaticities ? 1 : 0, width: Self.planeBins + 1)
  }

  private static var noSums: hr_chromaticity_sums {
    hr_chromaticity_sums(
      pixels: 0, sum_u: 0, sum_v: 0, least_u: .max, least_v: .max, most_u: .min, most_v: .min)
  }

  /// Counts the rows of `band` that are in no other band; the band is unchanged.
  @unsafe
  func count(_ band: LinearBand, rowStep step: Int, tier: KernelTier) {
    precondition(unsafe band.width <= parameters.size.width)
    lock.withLock { _ in
      // The first multiple of the step, in picture rows.
      let before = unsafe band.firstRow + band.ownRows.lowerBound
      var first = unsafe band.ownRows.lowerBound + (before + step - 1) / step * step - before
      while unsafe first < band.ownRows.upperBound {
        let left = unsafe (band.ownRows.upperBound - first + step - 1) / step
        let count = min(left, Self.stripHeight)
        unsafe countStrip(lit(band, first, count, step, tier), tier)
        first += count * step
      }
    }
  }

  /// Returns the light to count: rows of the band, or their light on the reference display.
  private func lit(
    _ band: LinearBand, _ first: Int, _ count: Int, _ step: Int, _ tier: KernelTier
  ) -> LinearBand {
    let width = unsafe band.width
    guard let ootf = parameters.ootf else {
      return unsafe LinearBand(
        planes: band.row(first), width: width, height: count, stride: step * band.stride, firstRow: 0)
    }
    let result = unsafe LinearBand(
      shown, planeHeight: Self.stripHeight, firstRow: 0, height: count, width: width)
    for index in 0..<count {
      let (source, target) = unsafe (band.row(first + index * step), result.row(index))
      unsafe target.red.update(from: source.red, count: width)
      unsafe target.green.update(from: source.green, count: width)
      unsafe target.blue.update(from: source.blue, count: width)
    }
    unsafe ootf.process(result, tier: tier)
    return unsafe result
  }

  private func countStrip(_ strip: LinearBand, _ tier: KernelTier) {
    let (settings, kernels, width) = unsafe (parameters.settings, tier.kernels, strip.width)
    var channel = 0
    if settings.needsLuminance {
      var weights = parameters.luminance
      for y in unsafe 0..<strip.height {
        unsafe kernels.weigh(&weights, strip.row(y).kernelRows, luminance.row(y), width)
      }
      unsafe countLevels(luminance.row(0), luminance.stride, strip, &channel, kernels)
    }
    if settings.needsComponents {
      let first = unsafe strip.row(0)
      unsafe countLevels(first.red, strip.stride, strip, &channel, kernels)
      unsafe countLevels(first.green, strip.stride, strip, &channel, kernels)
      unsafe countLevels(first.blue, strip.stride, strip, &channel, kernels)
    }
    for y in unsafe 0..<strip.height {
      if settings.needsVectors { unsafe countVectors(strip.row(y).kernelRows, width, kernels) }
      if settings.needsChromaticities { unsafe countChromaticities(strip.row(y).kernelRows, width, kernels) }
    }
  }

  private func countLevels(
    _ rows: UnsafeMutablePointer<Float16>, _ stride: Int, _ strip: LinearBand, _ channel: inout Int,
    _ kernels: hr_row_kernels
  ) {
    var tally = unsafe parameters.tally
    let halves = unsafe UnsafeRawPointer(rows).assumingMemoryBound(to: UInt16.self)
    let bins = unsafe columnBins.row(channel * parameters.columns)
    unsafe kernels.tally_levels(&tally, halves, stride, strip.height, bins, strip.width)
    channel += 1
  }

  private func countVectors(_ light: hr_light_rows, _ width: Int, _ kernels: hr_row_kernels) {
    var (plane, source) = unsafe (parameters.vectors, light)
    if var weights = parameters.cones {
      unsafe source = hr_light_rows(red: cones.row(0), green: cones.row(1), blue: cones.row(2))
      unsafe kernels.weigh(&weights.0, light, source.red, width)
      unsafe kernels.weigh(&weights.1, light, source.green, width)
      unsafe kernels.weigh(&weights.2, light, source.blue, width)
    }
    unsafe kernels.vector_bins(&plane, source, indices.row(0), width)
    unsafe kernels.tally_bins(indices.row(0), vectors.row(0), width)
  }

  private func countChromaticities(_ light: hr_light_rows, _ width: Int, _ kernels: hr_row_kernels) {
    var plane = parameters.chromaticities
    unsafe kernels.chromaticity_bins(&plane, light, indices.row(0), &sums, width)
    unsafe kernels.tally_bins(indices.row(0), chromaticities.row(0), width)
  }

  /// Adds the counts to `counts` and resets them.
  /// - Parameter isFirst: Whether previous contents of `counts` are discarded.
  func move(to counts: inout ScopeCounts, isFirst: Bool) {
    lock.withLock { _ in
      var channel = 0
      if parameters.settings.needsLuminance { moveColumns(&channel, isFirst, to: &counts.luminance) }
      if parameters.settings.needsComponents {
        moveColumns(&channel, isFirst, to: &counts.red)
        moveColumns(&channel, isFirst, to: &counts.green)
        moveColumns(&channel, isFirst, to: &counts.blue)
      }
      if parameters.settings.needsVectors { unsafe Self.move(vectors.row(0), isFirst, to: &counts.vectors) }
      if parameters.settings.needsChromaticities {
        unsafe Self.move(chromaticities.row(0), isFirst, to: &counts.chromaticities)
        unsafe chromaticities.row(0)[Self.planeBins] = 0
        counts.chromaticity.add(
          ChromaticityRange(
            pixels: Int(sums.pixels), sum: SIMD2(Int(sums.sum_u), Int(sums.sum_v)),
            smallest: SIMD2(Int(sums.least_u), Int(sums.least_v)), largest: SIMD2(Int(sums.most_u), Int(sums.most_v))))
        sums = Self.noSums
      }
    }
  }

  private func moveColumns(_ channel: inout Int, _ isFirst: Bool, to counts: inout [UInt16]) {
    let (first, levels) = (channel * parameters.columns, ScopeCounts.levels)
    channel += 1
    if counts.isEmpty { counts = [UInt16](repeating: 0, count: parameters.columns * levels) }
    unsafe counts.withUnsafeMutableBufferPointer { target in
      guard let base = target.baseAddress else { return }
      for column in 0..<parameters.columns {
        unsafe Self.move(columnBins.row(first + column), to: base + column * levels, count: levels, isFirst)
      }
    }
  }

  private static func move(_ bins: UnsafeMutablePointer<UInt32>, _ isFirst: Bool, to counts: inout [UInt32]) {
    if counts.isEmpty { counts = [UInt32](repeating: 0, count: planeBins) }
    unsafe counts.withUnsafeMutableBufferPointer { target in
      guard let base = target.baseAddress else { return }
      unsafe move(bins, to: base, count: planeBins, isFirst)
    }
  }

  private static func move<Count: FixedWidthInteger>(
    _ bins: UnsafeMutablePointer<Count>, to counts: UnsafeMutablePointer<Count>, count: Int, _ isFirst: Bool
  ) {
    if isFirst {
      unsafe counts.update(from: bins, count: count)
    } else {
      for index in 0..<count { unsafe counts[index] &+= bins[index] }
    }
    unsafe bins.update(repeating: 0, count: count)
  }
}

/// Parameters of counting, shared by all workers, in kernel form.
@safe
final class ScopeParameters: @unchecked Sendable {
  // @unchecked and @safe: written only in `init`; the pointers point into `tables` and `offsets`, which outlive them.
  let size: Size
  let columns: Int
  let settings: ScopeSettings
  /// nil: bands do not hold scene light.
  let ootf: ColorTransform?
  let luminance: hr_weights
  /// Weights of the cone responses; nil: the vectorscope uses the components directly.
  let cones: (hr_weights, hr_weights, hr_weights)?
  let vectors: hr_vector_plane
  let chromaticities: hr_chromaticity_plane
  let tally: hr_column_tally
  /// Distance between the bins of adjacent columns.
  let columnStride: Int
  private let tables: ScopeTables
  private let offsets: RowStorage<UInt32>

  init(size: Size, content: ContentInterpretation, sdrWhite: Double, settings: ScopeSettings) {
    let light = DisplayLight(content, sdrWhite: sdrWhite)
    let columns = settings.columns(width: size.width, height: size.height)
    let stride = RowStorage<UInt16>(rows: 0, width: ScopeCounts.levels).stride
    let tables = ScopeTables(nitsPerUnit: light.nitsPerUnit)
    let offsets = RowStorage<UInt32>(rows: 1, width: size.width)
    var areFours = true
    for x in 0..<size.width {
      let column = x * columns / size.width
      unsafe offsets.row(0)[x] = UInt32(column * stride)
      if column != x / 4 * 4 * columns / size.width { areFours = false }
    }
    (self.size, self.columns, self.settings, self.tables, self.offsets) = (size, columns, settings, tables, offsets)
    columnStride = stride
    ootf = light.ootf
    luminance = Self.weights(content.primaries.luminance)
    cones = settings.plane == .ictcp ? Self.cones(content.primaries) : nil
    unsafe vectors = Self.plane(settings.plane, content.primaries, tables)
    chromaticities = hr_chromaticity_plane(
      matrix: content.primaries.rgbToXYZ.kernelMatrix,
      least: Float(ScopeCounts.minimumLuminance / light.nitsPerUnit), bins_per_unit: Float(ScopeCounts.binsPerUnit))
    unsafe tally = hr_column_tally(levels: tables.levels, offsets: offsets.row(0), are_fours: areFours ? 1 : 0)
  }

  private static func weights(_ v: SIMD3<Double>) -> hr_weights {
    hr_weights(red: Float(v.x), green: Float(v.y), blue: Float(v.z))
  }

  /// Source: ITU-R BT.2100-2, table 7.
  private static func cones(_ primaries: RGBSpace) -> (hr_weights, hr_weights, hr_weights) {
    let rows = (ICtCp.lms * RGBSpace.conversion(from: primaries, to: .bt2020)).rows
    return (weights(rows.0), weights(rows.1), weights(rows.2))
  }

  /// Each coordinate is a row of weights that sum to zero, for differences to the second of three signals.
  private static func plane(_ plane: VectorPlane, _ primaries: RGBSpace, _ tables: ScopeTables) -> hr_vector_plane {
    let side = Double(ScopeCounts.side)
    let (first, third): (SIMD2<Double>, SIMD2<Double>)
    switch plane {
    case .ictcp:
      let opponents = ICtCp.opponentsPQ
      first = SIMD2(opponents.row1.x, opponents.row2.x)
      third = SIMD2(opponents.row1.z, opponents.row2.z)
    case .ycbcr:
      let matrix = VectorPlane.matrix(for: primaries)
      let (red, blue) = (matrix.ycbcr(fromRGB: SIMD3(1, 0, 0)), matrix.ycbcr(fromRGB: SIMD3(0, 0, 1)))
      first = SIMD2(red.y, red.z)
      third = SIMD2(blue.y, blue.z)
    }
    return unsafe hr_vector_plane(
      signals: tables.signals.base, x_first: Float(first.x * side), x_third: Float(third.x * side),
      y_first: Float(first.y * side), y_third: Float(third.y * side))
  }
}

/// PQ of every half float of light, indexed by its bit pattern: negative values and NaN are treated as 0, values above
/// 10,000 cd/m² are clipped.
@safe
final class ScopeTables: @unchecked Sendable {
  // @unchecked and @safe: written only in `init`; users of `levels` retain this object.
  private let levelStorage: RowStorage<UInt16>
  /// 0...1.
  let signals: FloatTable

  /// - Parameter nitsPerUnit: Luminance of 1.0 in cd/m².
  init(nitsPerUnit: Double) {
    let count = 1 << 16
    let black = PQ.inverseEOTF(0)
    var signals = [Float](repeating: Float(black), count: count)
    levelStorage = RowStorage(rows: 1, width: count)
    let levels = unsafe levelStorage.row(0)
    unsafe levels.update(repeating: Self.level(black), count: count)
    for bits in 0...Float16.infinity.bitPattern {
      let signal = PQ.inverseEOTF(Double(Float16(bitPattern: bits)) * nitsPerUnit)
      signals[Int(bits)] = Float(signal)
      unsafe levels[Int(bits)] = Self.level(signal)
    }
    self.signals = FloatTable(signals)
  }

  /// Returns the full-range ten-bit code value of a signal in 0...1. Source: ITU-R BT.2100-2, table 9.
  private static func level(_ signal: Double) -> UInt16 { UInt16(signal * Double(ScopeCounts.levels - 1) + 0.5) }

  /// Code values, 0...1023.
  @unsafe
  var levels: UnsafePointer<UInt16> { unsafe UnsafePointer(levelStorage.row(0)) }
}
