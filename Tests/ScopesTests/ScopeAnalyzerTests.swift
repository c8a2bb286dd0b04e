import ColorScience
import Frames
import Rendering
import Scopes
import Testing
import ToneMapping

/// Bands of any light against the reference in `Double`.
@Suite struct ScopeAnalyzerTests {
  static let all = Set(ScopeKind.allCases)
  static let colors: [ColorDescription] = [.bt2100PQ, .bt2100HLG, .bt709]
  static let awkward: [Float16] = [.nan, .infinity, -.infinity, 65504, -65504, 0, -0.0, 6e-8, -1, 200]

  /// Light from black to far above white, with negative components here and there.
  static func light(_ size: Size, isFinite: Bool) -> [[SIMD3<Float16>]] {
    (0..<size.height).map { y in
      (0..<size.width).map { x in
        var pixel = SIMD3<Float16>()
        for component in 0..<3 {
          let hash = UInt32(truncatingIfNeeded: (y * size.width + x) / 3 * 3 + component + 1) &* 0x9E37_79B1
          let unit = Double(((hash ^ hash >> 15) &* 0x85EB_CA77) >> 8) / 0xFF_FFFF
          pixel[component] = Float16(unit * unit * unit * 1.2 - 0.01)
          if !isFinite, hash >> 7 & 15 == 0 { pixel[component] = awkward[Int(hash >> 16) % awkward.count] }
        }
        return pixel
      }
    }
  }

  /// Counts of a picture in bands of seven rows that overlap by one.
  static func counts(
    _ light: [[SIMD3<Float16>]], _ meter: ScopeAnalyzer, tier: KernelTier = .detected, workers: Int = 1
  ) -> ScopeCounts {
    let (width, height) = (light[0].count, light.count)
    for (index, first) in stride(from: 0, to: height, by: 7).enumerated() {
      let own = first..<min(first + 7, height)
      let rows = max(own.lowerBound - 1, 0)..<min(own.upperBound + 1, height)
      let storage = RowStorage<Float16>(rows: 27, width: width)
      let band = unsafe LinearBand(
        storage, planeHeight: 9, firstRow: rows.lowerBound, height: rows.count, width: width,
        ownRows: (own.lowerBound - rows.lowerBound)..<(own.upperBound - rows.lowerBound))
      for (y, row) in rows.enumerated() {
        for x in 0..<width {
          unsafe band.row(y).red[x] = light[row][x].x
          unsafe band.row(y).green[x] = light[row][x].y
          unsafe band.row(y).blue[x] = light[row][x].z
        }
      }
      unsafe meter.process(band, tier: tier, worker: index % workers)
      // The band is as it was.
      #expect(unsafe band.row(0).red[width - 1].bitPattern == light[rows.lowerBound][width - 1].x.bitPattern)
    }
    return meter.takeCounts()
  }

  /// - Parameter share: Of the pixels, may be in a neighbouring bin.
  static func expect(_ counts: ScopeCounts, _ expected: ReferenceCounts, share: Double) {
    let pixels = counts.size.width * counts.size.height
    let most = Int(Double(pixels) * share)
    #expect(difference(counts.luminance, expected.luminance) <= most)
    #expect(difference(counts.red, expected.red) <= most)
    #expect(difference(counts.green, expected.green) <= most)
    #expect(difference(counts.blue, expected.blue) <= most)
    #expect(difference(counts.vectors, expected.vectors) <= most)
    #expect(difference(counts.chromaticities, expected.chromaticities) <= most)
    #expect(abs(counts.chromaticity.pixels - expected.colors.count) <= most)
  }

  @Test(arguments: KernelTier.supported, colors)
  func agreesWithTheReference(_ tier: KernelTier, _ color: ColorDescription) throws {
    let content = try ContentInterpretation(color: color)
    for (size, plane) in [(Size(width: 133, height: 45), VectorPlane.ictcp), (Size(width: 640, height: 20), .ycbcr)] {
      let settings = ScopeSettings(kinds: Self.all, plane: plane, columns: 40)
      let meter = ScopeAnalyzer(size: size, content: content, settings: settings, workers: 1)
      let light = Self.light(size, isFinite: true)
      let counts = Self.counts(light, meter, tier: tier)
      let expected = ReferenceCounts(light, content, plane, columns: 40)
      #expect(counts.size == size && counts.columns == 40)
      // HLG's light is rounded to half float after a tabulated gain.
      Self.expect(counts, expected, share: color.transfer == .hlg ? 0.05 : 0.003)
      if color.transfer != .hlg { #expect(difference(counts.red, expected.red) == 0) }
      let mean = expected.colors.reduce(SIMD2(), +) / Double(expected.colors.count)
      let found = try #require(counts.chromaticity.mean)
      #expect((found - mean).max().magnitude < 1e-3 && (mean - found).max().magnitude < 1e-3)
    }
  }

  /// Not-a-number and negative light counts as 0, infinity as 10,000 cd/m², and neither has a chromaticity.
  @Test(arguments: KernelTier.supported, VectorPlane.allCases)
  func lightThatIsNotFinite(_ tier: KernelTier, _ plane: VectorPlane) throws {
    let color: ColorDescription = plane == .ictcp ? .bt709 : .bt2100PQ
    let (size, content) = (Size(width: 67, height: 33), try ContentInterpretation(color: color))
    let settings = ScopeSettings(kinds: Self.all, plane: plane, columns: 10)
    let light = Self.light(size, isFinite: false)
    let counts = Self.counts(
      light, ScopeAnalyzer(size: size, content: content, settings: settings, workers: 1), tier: tier)
    let expected = ReferenceCounts(light, content, plane, columns: 10)
    Self.expect(counts, expected, share: 0.003)
    #expect(difference(counts.red, expected.red) == 0)
    #expect(counts.luminance.reduce(0) { $0 + Int($1) } == 67 * 33)
    #expect(counts.vectors.reduce(0) { $0 + Int($1) } == 67 * 33)
  }

  @Test(arguments: colors)
  func theSameForAnyNumberOfWorkers(_ color: ColorDescription) throws {
    let (size, content) = (Size(width: 301, height: 71), try ContentInterpretation(color: color))
    let light = Self.light(size, isFinite: false)
    let settings = ScopeSettings(kinds: Self.all)
    let counts = [1, 2, 5].map { workers in
      Self.counts(
        light, ScopeAnalyzer(size: size, content: content, settings: settings, workers: workers), workers: workers)
    }
    #expect(counts[0] == counts[1] && counts[0] == counts[2])
  }

  /// What was taken is forgotten.
  @Test func picturesAreCountedByThemselves() throws {
    let (size, content) = (Size(width: 40, height: 20), try ContentInterpretation(color: .bt2100PQ))
    let meter = ScopeAnalyzer(size: size, content: content, settings: ScopeSettings(kinds: Self.all), workers: 2)
    let light = Self.light(size, isFinite: true)
    let first = Self.counts(light, meter, workers: 2)
    _ = Self.counts(Self.light(size, isFinite: false), meter, workers: 2)
    #expect(Self.counts(light, meter, workers: 2) == first)
  }

  @Test func onlyWhatIsNeededIsCounted() throws {
    let (size, content) = (Size(width: 40, height: 20), try ContentInterpretation(color: .bt2100PQ))
    func counts(_ kind: ScopeKind) -> ScopeCounts {
      Self.counts(
        Self.light(size, isFinite: true),
        ScopeAnalyzer(size: size, content: content, settings: ScopeSettings(kinds: [kind]), workers: 1))
    }
    let (waveform, parade, histogram) = (counts(.waveform), counts(.parade), counts(.histogram))
    let (vectors, chromaticity) = (counts(.vectorscope), counts(.chromaticity))
    #expect(!waveform.luminance.isEmpty && waveform.red.isEmpty && waveform.vectors.isEmpty)
    #expect(parade.luminance.isEmpty && !parade.red.isEmpty && !parade.green.isEmpty && !parade.blue.isEmpty)
    #expect(histogram.luminance == waveform.luminance && histogram.blue == parade.blue)
    #expect(vectors.luminance.isEmpty && vectors.red.isEmpty && !vectors.vectors.isEmpty)
    #expect(chromaticity.vectors.isEmpty && chromaticity.chromaticity.pixels > 0)
  }

  /// A flat picture so high that the columns that were asked for would overflow.
  @Test func binsDoNotOverflow() throws {
    let (size, content) = (Size(width: 20, height: 9000), try ContentInterpretation(color: .bt2100PQ))
    let settings = ScopeSettings(kinds: [.waveform, .parade], columns: 2)
    let meter = ScopeAnalyzer(size: size, content: content, settings: settings, workers: 1)
    let row = [SIMD3<Float16>](repeating: SIMD3(repeating: 1), count: size.width)
    let counts = Self.counts([[SIMD3<Float16>]](repeating: row, count: size.height), meter)
    #expect(counts.columns == 3 && counts.luminance.count == 3 * 1024)
    // 100 cd/m² is 50.8 % of PQ.
    #expect(counts.luminance[520] == 7 * 9000 && counts.blue[2 * 1024 + 520] == 6 * 9000)
    #expect(
      ScopeAnalyzer(
        size: Size(width: 7680, height: 4320), content: content, settings: ScopeSettings(kinds: []), workers: 1
      ).takeCounts().columns == 512)
  }
}
