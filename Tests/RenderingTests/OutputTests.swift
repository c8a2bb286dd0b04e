import ColorScience
import Frames
import Synchronization
import Testing
import ToneMapping

import Rendering

/// Several outputs of one renderer: each is what it would be alone.
@Suite struct OutputTests {
  /// Counts the rows and pixels that pass, each once.
  final class Census: Stage {
    let pixels = Atomic(0)
    let rows = Mutex<[Int]>([])

    var leavesLight: Bool { true }

    func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> { rgb }

    @unsafe
    func process(_ band: LinearBand, tier: KernelTier, worker: Int) {
      unsafe pixels.wrappingAdd(band.width * band.ownRows.count, ordering: .relaxed)
      let found = unsafe band.ownRows.map { unsafe band.frameRow($0) }
      rows.withLock { $0 += found }
    }
  }

  static let layouts = [
    PixelLayout(.ycbcr420, bitDepth: 10), PixelLayout(.ycbcr422, bitDepth: 8), PixelLayout(.rgb, bitDepth: 12),
    .linearRGB,
  ]

  static func source(_ size: Size) -> FrameRenderer.Endpoint {
    Signal.endpoint(size, PixelLayout(.ycbcr420, bitDepth: 10), .bt2100PQ)
  }

  /// Coded outputs of each layout, mapped and not, in every orientation that is asked for, and the light.
  static func outputs(_ size: Size, _ orientations: [Orientation] = [.identity]) -> [FrameRenderer.Output] {
    var outputs: [FrameRenderer.Output] = [.init(end: .linear)]
    for (index, layout) in layouts.enumerated() {
      let orientation = orientations[index % orientations.count]
      let size = orientation.rotated(size)
      let sdr = ColorDescription.bt709.with(matrix: layout.components == .rgb ? .rgb : nil)
      let end = FrameRenderer.Output.End.coded(
        FrameRenderer.Endpoint(
          format: PixelFormat(size: size, layout: layout, color: sdr),
          transfer: layout.samples == .half ? .linear(unit: 2) : .bt1886(peak: 1)),
        dithers: true)
      outputs.append(.init(stages: [Signal.mapping(.bt2100PQ)], end: end, orientation: orientation))
      let stages: [any Stage] = [Signal.mapping(.bt2100PQ), Census()]
      outputs.append(.init(stages: stages, end: index == 1 ? .linear : end, orientation: orientation))
    }
    return outputs
  }

  static func destination(
    _ output: FrameRenderer.Output, _ size: Size, fieldOrder: FieldOrder?
  ) -> FrameRenderer.Destination {
    switch output.end {
    case .coded(let target, _), .copied(let target): .coded(CodedFrame(target.format, fieldOrder: fieldOrder))
    case .linear: .linear(LinearFrame(size: output.orientation.rotated(size)))
    case .counted: .counted
    }
  }

  /// What lies in a destination, as numbers.
  static func samples(_ destination: FrameRenderer.Destination) -> [Int] {
    switch destination {
    case .coded(let frame, _):
      return (0..<frame.layout.planeCount).flatMap { plane in
        let size = frame.layout.planeSize(plane, of: frame.size)
        return (0..<size.height).flatMap { y in
          (0..<size.width).map { frame.sample(plane: plane, x: $0, y: y) }
        }
      }
    case .linear(let frame):
      return LinearFrame.Component.allCases.flatMap { component in
        (0..<frame.size.height).flatMap { y in
          let row = frame.row(y, component)
          return row.indices.map { Int(row[$0].bitPattern) }
        }
      }
    case .counted, .skipped: return []
    }
  }

  static func render(
    _ frame: CodedFrame, _ source: FrameRenderer.Endpoint, _ outputs: [FrameRenderer.Output],
    wanted: (Int) -> Bool = { _ in true }, tier: KernelTier
  ) throws -> [[Int]] {
    let renderer = try FrameRenderer(source: source, outputs: outputs, tier: tier, pool: Comparison.pool)
    let destinations = outputs.enumerated().map { index, output in
      wanted(index) ? destination(output, frame.size, fieldOrder: frame.fieldOrder) : .skipped
    }
    try renderer.render(frame, into: destinations)
    return destinations.map(samples)
  }

  @Test(arguments: KernelTier.supported, [nil, FieldOrder.topFirst])
  func eachIsWhatItIsAlone(_ tier: KernelTier, _ fieldOrder: FieldOrder?) throws {
    let size = Size(width: 70, height: 152)
    let source = Self.source(size)
    let frame = CodedFrame.random(source.format, fieldOrder: fieldOrder, seed: 21)
    let outputs = Self.outputs(size)
    let alone = try outputs.map { try Self.render(frame, source, [$0], tier: tier)[0] }
    #expect(try Self.render(frame, source, outputs, tier: tier) == alone)
    #expect(try Self.render(frame, source, outputs.reversed(), tier: tier) == alone.reversed())
    // Whichever are skipped.
    for kept in 0..<3 {
      let some = try Self.render(frame, source, outputs, wanted: { $0 % 3 == kept }, tier: tier)
      for index in outputs.indices { #expect(some[index] == (index % 3 == kept ? alone[index] : [])) }
    }
  }

  @Test(arguments: KernelTier.supported) func turnedBesideUpright(_ tier: KernelTier) throws {
    let size = Size(width: 70, height: 152)
    let source = Self.source(size)
    let frame = CodedFrame.random(source.format, seed: 22)
    let outputs = Self.outputs(size, [.clockwise, .identity, .upsideDown, .counterclockwise])
    let alone = try outputs.map { try Self.render(frame, source, [$0], tier: tier)[0] }
    #expect(try Self.render(frame, source, outputs, tier: tier) == alone)
  }

  @Test func trunkActsOnEveryOutputOnce() throws {
    let size = Size(width: 48, height: 132)
    let source = Self.source(size)
    for fieldOrder in [nil, FieldOrder.bottomFirst] {
      let frame = CodedFrame.random(source.format, fieldOrder: fieldOrder, seed: 23)
      let mapping = Signal.mapping(.bt2100PQ)
      let target = Signal.endpoint(size, PixelLayout(.ycbcr420, bitDepth: 10), .bt709)
      let census = Census()
      let outputs: [FrameRenderer.Output] = [.init(end: .coded(target)), .init(end: .linear), .init(end: .counted)]
      let renderer = try FrameRenderer(
        source: source, trunk: [census, mapping], outputs: outputs, pool: Comparison.pool)
      let coded = CodedFrame(target.format, fieldOrder: fieldOrder)
      let light = LinearFrame(size: size)
      try renderer.render(frame, into: [.coded(coded), .linear(light), .counted])
      let expected = try FrameRenderer(
        source: source, outputs: [.init(stages: [mapping], end: .linear)], pool: Comparison.pool
      ).linearFrame(frame)
      #expect(Self.samples(.linear(light)) == Self.samples(.linear(expected)))
      #expect(census.pixels.load(ordering: .relaxed) == size.width * size.height)
      #expect(census.rows.withLock { $0.sorted() } == Array(0..<size.height))
      // The reference has the same shape.
      let exact = CodedFrame(target.format, fieldOrder: fieldOrder)
      let exactLight = LinearFrame(size: size)
      try ReferencePipeline(source: source, trunk: [census, mapping], outputs: outputs).render(
        frame, into: [.coded(exact), .linear(exactLight), .counted])
      #expect(CodeDifference(coded, exact).largest <= 1)
      for (fast, slow) in zip(Self.samples(.linear(light)), Self.samples(.linear(exactLight))) {
        let (a, b) = (Float16(bitPattern: UInt16(fast)), Float16(bitPattern: UInt16(slow)))
        // Half a step of the brightest components, which are about 1.
        #expect(abs(a - b) <= max(abs(b) * 0x1p-8, 0x1p-11))
      }
    }
  }

  /// Every nth row of the picture, and no other.
  @Test(arguments: [1, 2, 7, 40]) func rowsAreLeftOut(_ step: Int) throws {
    let size = Size(width: 32, height: 150)
    let source = Self.source(size)
    let frame = CodedFrame.random(source.format, seed: 24)
    let census = Census()
    let renderer = try FrameRenderer(
      source: source, outputs: [.init(stages: [census], end: .counted)], rowStep: step, pool: Comparison.pool)
    try renderer.render(frame, into: [.counted])
    #expect(census.rows.withLock { $0.sorted() } == Array(stride(from: 0, to: size.height, by: step)))
  }

  @Test func interlacedPicturesAreNotTurned() throws {
    let size = Size(width: 32, height: 32)
    let source = Self.source(size)
    let outputs: [FrameRenderer.Output] = [.init(end: .linear), .init(end: .linear, orientation: .clockwise)]
    let renderer = try FrameRenderer(source: source, outputs: outputs, pool: Comparison.pool)
    let frame = CodedFrame.random(source.format, fieldOrder: .topFirst, seed: 25)
    #expect(throws: RenderingError.interlacedTurn) {
      try renderer.render(frame, into: outputs.map { Self.destination($0, size, fieldOrder: nil) })
    }
  }
}
