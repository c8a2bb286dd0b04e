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
            least: SIMD2(Int(sums.least_u), Int(sums.least_v)), most: SIMD2(Int(sums.most_u), Int(sums.most_v))))
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
