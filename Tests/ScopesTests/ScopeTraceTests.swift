import ColorScience
import Frames
import Scopes
import Testing

/// Where counts are drawn, by the mapping that `ScopePlace` documents.
@Suite struct ScopeTraceTests {
  private let size = Size(width: 64, height: 64)

  /// The row of pixels of a level.
  private func row(_ level: Int, _ plot: PictureArea) -> Int {
    Int((Double(plot.maxY) - (Double(level) + 0.5) / 1024 * Double(plot.height)).rounded(.down))
  }

  @Test(arguments: [(900, 600), (261, 221), (700, 1300)])
  func aLevelLightsItsPixel(_ width: Int, _ height: Int) throws {
    let scopes = try PaintedScopes([.waveform], width: width, height: height)
    let (plot, columns) = (scopes.layout.places[0].plots[0], scopes.layout.columns)
    for (column, level) in [(0, 0), (17, 300), (40, 640), (columns - 1, 1023)] {
      let counts = ScopeCounts(size: size, columns: columns, luminance: levels(columns: columns, column, level))
      let lit = scopes.lit(counts)
      #expect(lit.contains(Pixel(x: plot.x + column, y: row(level, plot))))
      #expect(lit.allSatisfy { $0.x == plot.x + column && abs($0.y - row(level, plot)) <= 1 })
      if plot.height <= 1024 { #expect(lit.count == 1) }
    }
  }

  @Test func narrowPicturesFillTheWidth() throws {
    let scopes = try PaintedScopes([.waveform])
    let plot = scopes.layout.places[0].plots[0]
    let counts = ScopeCounts(size: size, columns: 4, luminance: levels(columns: 4, 1, 700))
    let lit = scopes.lit(counts).map(\.x).sorted()
    #expect(lit.count == plot.width / 4 || lit.count == plot.width / 4 + 1)
    #expect(abs(lit[0] - plot.x - plot.width / 4) <= 1)
  }

  @Test func partsOfAParadeShowTheirComponent() throws {
    let scopes = try PaintedScopes([.parade])
    let plots = scopes.layout.places[0].plots
    // Three columns to a pixel.
    let columns = 3 * plots[0].width
    for part in 0..<3 {
      var lists: [[UInt16]] = Array(repeating: [], count: 3)
      lists[part] = levels(columns: columns, 3 * 50 + part, 800)
      let counts = ScopeCounts(
        size: size, columns: columns, red: lists[0], green: lists[1], blue: lists[2])
      #expect(scopes.lit(counts) == [Pixel(x: plots[part].x + 50, y: row(800, plots[part]))])
      let color = scopes.painted(counts).rgb(plots[part].x + 50, row(800, plots[part]))
      #expect(color[part] == color.max())
    }
  }

  @Test func moreThanSixteenBitsCountIsBright() throws {
    let scopes = try PaintedScopes([.parade])
    let plot = scopes.layout.places[0].plots[0]
    let columns = 3 * plot.width
    // Three times as many are two more than sixteen bits hold.
    var many = [UInt16](repeating: 0, count: columns * ScopeCounts.levels)
    for column in 0..<columns { many[column * ScopeCounts.levels + 800] = 21_846 }
    let large = Size(width: columns * 64, height: 1024)
    let picture = scopes.painted(ScopeCounts(size: large, columns: columns, red: many))
    #expect(picture.rgb(plot.x + 9, row(800, plot)).x >= 250)
  }

  @Test func moreIsBrighter() throws {
    let scopes = try PaintedScopes([.waveform])
    let (plot, columns) = (scopes.layout.places[0].plots[0], scopes.layout.columns)
    let large = Size(width: 1920, height: 1080)
    let light = [1, 4, 16, 64].map { count in
      scopes.painted(
        ScopeCounts(size: large, columns: columns, luminance: levels(columns: columns, 20, 700, count: count))
      ).rgb(plot.x + 20, row(700, plot)).y
    }
    #expect(light == light.sorted() && Set(light).count == 4)
    // A single pixel is seen on the ground of about 20.
    #expect(light[0] >= 50)
  }

  @Test(arguments: VectorPlane.allCases) func aVectorLightsItsPlace(_ vectors: VectorPlane) throws {
    let scopes = try PaintedScopes([.vectorscope], plane: vectors)
    let plot = scopes.layout.places[0].plots[0]
    for (x, y) in [(256, 256), (300, 200), (120, 333)] {
      let lit = scopes.lit(ScopeCounts(size: size, columns: 1, vectors: plane(x, y)))
      let value = SIMD2(Double(x) + 0.5, Double(y) + 0.5) / 512 - 0.5
      let part = (value + vectors.reach) / (2 * vectors.reach)
      let place = SIMD2(
        Double(plot.x) + part.x * Double(plot.width), Double(plot.maxY) - part.y * Double(plot.height))
      #expect(!lit.isEmpty)
      #expect(
        lit.allSatisfy { abs(Double($0.x) + 0.5 - place.x) <= 1.01 && abs(Double($0.y) + 0.5 - place.y) <= 1.01 })
    }
  }

  @Test func vectorsBeyondTheEdgesAreOnThem() throws {
    let scopes = try PaintedScopes([.vectorscope], plane: .ycbcr)
    let plot = scopes.layout.places[0].plots[0]
    let lit = scopes.lit(ScopeCounts(size: size, columns: 1, vectors: plane(511, 0)))
    #expect(lit == [Pixel(x: plot.maxX - 1, y: plot.maxY - 1)])
  }

  @Test(arguments: [RGBSpace.bt2020.red, RGBSpace.bt2020.blue, RGBSpace.displayP3.green])
  func aChromaticityLightsItsPlace(_ chromaticity: Chromaticity) throws {
    let scopes = try PaintedScopes([.chromaticity])
    let plot = scopes.layout.places[0].plots[0]
    let uniform = chromaticity.uniform
    let bin = SIMD2<Int>(uniform * ScopeCounts.binsPerUnit)
    let lit = scopes.lit(
      ScopeCounts(size: size, columns: 1, chromaticities: plane(bin.x, bin.y, count: 4096)))
    let unit = Double(plot.width) / 0.7
    let place = SIMD2(
      Double(plot.x) + (uniform.x + 0.06) * unit, Double(plot.maxY) - (uniform.y + 0.05) * unit)
    #expect(!lit.isEmpty)
    #expect(
      lit.allSatisfy { abs(Double($0.x) + 0.5 - place.x) <= 3 && abs(Double($0.y) + 0.5 - place.y) <= 3 })
  }

  @Test func aLevelOfAHistogramIsAColumn() throws {
    let scopes = try PaintedScopes([.histogram])
    for (index, plot) in scopes.layout.places[0].plots.enumerated() {
      var lists: [[UInt16]] = Array(repeating: [], count: 4)
      lists[index] = levels(columns: 2, 1, 400, count: 9)
      let counts = ScopeCounts(
        size: size, columns: 2, luminance: lists[3], red: lists[0], green: lists[1], blue: lists[2])
      let x = Int((Double(plot.x) + 400.5 / 1024 * Double(plot.width)).rounded(.down))
      #expect(scopes.lit(counts) == Set((plot.y..<plot.maxY).map { Pixel(x: x, y: $0) }))
    }
  }

  /// Boxes of more rows than steps of a sixteenth fit in sixteen bits, too.
  @Test(arguments: [600, 11_000]) func heightsOfAHistogramAreSquareRoots(_ height: Int) throws {
    let scopes = try PaintedScopes([.histogram], height: height)
    let plot = scopes.layout.places[0].plots[0]
    var red = levels(columns: 1, 0, 400, count: 400)
    red[600] = 100
    // Black does not count.
    red[0] = 60_000
    let lit = scopes.lit(ScopeCounts(size: size, columns: 1, red: red))
    let x = Int((Double(plot.x) + 600.5 / 1024 * Double(plot.width)).rounded(.down))
    #expect(abs(lit.count { $0.x == x } - plot.height / 2) <= 1)
    #expect(lit.count { $0.x == plot.x } == plot.height)
  }
}
