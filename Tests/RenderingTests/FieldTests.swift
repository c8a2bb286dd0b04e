import ColorScience
import Frames
import Synchronization
import Testing
import ToneMapping

import Rendering

/// Interlaced frames: no line of one field has a part in the other.
@Suite struct FieldTests {
  static let layouts = [
    PixelLayout(.ycbcr420, bitDepth: 8), PixelLayout(.ycbcr420, bitDepth: 10), PixelLayout(.ycbcr420, bitDepth: 12),
    PixelLayout(.ycbcr422, bitDepth: 10), PixelLayout(.ycbcr444, bitDepth: 12), PixelLayout(.rgb, bitDepth: 10),
    PixelLayout(.ycbcr420, bitDepth: 10, packing: .semiplanar), PixelLayout(.ycbcr422, bitDepth: 10, packing: .yuyv),
    PixelLayout(.ycbcr422, bitDepth: 8, packing: .uyvy),
  ]

  private func comparison(
    _ size: Size, _ source: PixelLayout, _ target: PixelLayout, _ locations: (ChromaLocation, ChromaLocation)
  ) -> Comparison {
    let color = ColorDescription.bt2100PQ.with(location: locations.0, matrix: source.components == .rgb ? .rgb : nil)
    return Comparison(
      source: Signal.endpoint(size, source, color), stages: [Signal.mapping(.bt2100PQ)],
      target: Signal.endpoint(size, target, .bt709.with(location: locations.1)))
  }

  /// Not of twelve-bit 4:2:0, whose chroma rows are weighted in quarters instead of eighths.
  @Test(arguments: layouts.filter { $0 != PixelLayout(.ycbcr420, bitDepth: 12) })
  func againstReference(_ layout: PixelLayout) throws {
    for (components, locations) in zip(
      [PixelLayout.Components.ycbcr420, .ycbcr422, .ycbcr444, .ycbcr420, .ycbcr420, .ycbcr420], LayoutTests.locations)
    {
      for size in [Size(width: 67, height: 4), Size(width: 33, height: 136)] {
        let comparison = comparison(size, layout, PixelLayout(components, bitDepth: 10), locations)
        let frame = CodedFrame.random(comparison.source.format, fieldOrder: .topFirst, seed: 9)
        for difference in try comparison.differences(frame) {
          #expect(difference.largest <= 1, "\(locations) \(size) \(difference)")
        }
      }
    }
  }

  /// Two fields of one colour each come out as two whole pictures of those colours do.
  @Test(arguments: layouts, KernelTier.supported)
  func fieldsStayApart(_ layout: PixelLayout, _ tier: KernelTier) throws {
    let size = Size(width: 21, height: 72)
    let comparison = comparison(size, layout, PixelLayout(.ycbcr420, bitDepth: 10), (.left, .topLeft))
    let peak = (1 << layout.bitDepth) - 1
    let colors = [[0.5, 0.4, 0.6], [0.55, 0.6, 0.35]].map { $0.map { Int($0 * Double(peak)) } }
    func fill(_ frame: CodedFrame, _ color: (_ row: Int) -> [Int]) {
      for component in 0..<3 {
        let place = layout.place(of: component)
        let extent = layout.planeSize(place.plane, of: frame.size)
        for y in 0..<extent.height {
          for x in stride(from: place.first, to: extent.width, by: place.step) {
            frame.setSample(color(y)[component] << layout.sampleShift, plane: place.plane, x: x, y: y)
          }
        }
      }
    }
    let mixed = CodedFrame(comparison.source.format, fieldOrder: .bottomFirst)
    fill(mixed) { colors[$0 % 2] }
    let result = try comparison.fast(mixed, tier)
    for field in Field.allCases {
      let whole = CodedFrame(comparison.source.format)
      fill(whole) { _ in colors[field.rawValue] }
      let expected = try comparison.fast(whole, tier)
      for plane in 0..<3 {
        let extent = expected.layout.planeSize(plane, of: size)
        for y in stride(from: field.rawValue, to: extent.height, by: 2) {
          for x in 0..<extent.width {
            #expect(result.sample(plane: plane, x: x, y: y) == expected.sample(plane: plane, x: x, y: y))
          }
        }
      }
    }
  }

  /// Chroma that rises evenly over the lines of the frame still does when it is sited elsewhere.
  @Test(arguments: zip(ChromaLocation.allCases, [ChromaLocation.topLeft, .top, .left, .bottomLeft, .center, .left]))
  func chromaKeepsItsPlace(_ from: ChromaLocation, _ to: ChromaLocation) throws {
    let size = Size(width: 16, height: 64)
    let layout = PixelLayout(.ycbcr420, bitDepth: 10)
    let comparison = Comparison(
      source: Signal.endpoint(size, layout, .bt2100PQ.with(location: from)), stages: [],
      target: Signal.endpoint(size, layout, .bt2100PQ.with(location: to)))
    // Chroma at a line of the frame, in codes.
    func chroma(_ line: Double) -> Double { 460 + line * 2 }
    let frame = CodedFrame(comparison.source.format, fieldOrder: .topFirst)
    for y in 0..<64 { for x in 0..<16 { frame.setSample(500, plane: 0, x: x, y: y) } }
    for plane in 1...2 {
      for y in 0..<32 {
        let value = chroma(Double(2 * y) + from.offset.y)
        for x in 0..<8 { frame.setSample(Int(value.rounded()), plane: plane, x: x, y: y) }
      }
    }
    let result = try comparison.fast(frame, .detected)
    for plane in 1...2 {
      // Away from the edges, beyond which samples are repeated.
      for y in 4..<28 {
        let expected = chroma(Double(2 * y) + to.offset.y)
        let difference = Double(result.sample(plane: plane, x: 4, y: y)) - expected
        #expect(difference.magnitude <= 1, "row \(y): \(difference)")
      }
    }
  }

  /// Heights that do not divide: four rows of luma go with two rows of chroma in 4:2:0.
  @Test func undividedHeightIsOnePicture() throws {
    let size = Size(width: 18, height: 10)
    let layout = PixelLayout(.ycbcr420, bitDepth: 10)
    let comparison = comparison(size, layout, layout, (.left, .left))
    let frame = CodedFrame.random(comparison.source.format, seed: 4)
    let interlaced = CodedFrame.random(comparison.source.format, fieldOrder: .topFirst, seed: 4)
    #expect(try comparison.fast(frame, .detected).fnv1a == comparison.fast(interlaced, .detected).fnv1a)
  }

  /// An output whose height does not divide is one picture, and changes neither the others nor what is counted.
  @Test func outputsDivideEachByItself() throws {
    let size = Size(width: 18, height: 10)
    let (narrow, wide) = (PixelLayout(.ycbcr420, bitDepth: 10), PixelLayout(.ycbcr422, bitDepth: 10))
    let source = Signal.endpoint(size, wide, .bt2100PQ)
    let frame = CodedFrame.random(source.format, fieldOrder: .topFirst, seed: 12)
    func render(_ layouts: [PixelLayout]) throws -> ([CodedFrame], Int) {
      let targets = layouts.map { Signal.endpoint(size, $0, .bt709) }
      let counter = OutputTests.Census()
      let outputs = targets.map {
        FrameRenderer.Output(stages: [Signal.mapping(.bt2100PQ)], end: .coded($0, dithers: false))
      }
      let renderer = try FrameRenderer(
        source: source, trunk: [counter], outputs: outputs, pool: Comparison.pool)
      let results = targets.map { CodedFrame($0.format, fieldOrder: .topFirst) }
      try renderer.render(frame, into: results.map { .coded($0) })
      let reference = try ReferencePipeline(source: source, outputs: outputs)
      let expected = targets.map { CodedFrame($0.format, fieldOrder: .topFirst) }
      reference.render(frame, into: expected.map { .coded($0) })
      for (result, expected) in zip(results, expected) {
        #expect(CodeDifference(result, expected).largest <= 1)
      }
      return (results, counter.rows.withLock { $0.count })
    }
    let (alone, rows) = try render([wide])
    let (both, counted) = try render([wide, narrow])
    #expect(alone[0].fnv1a == both[0].fnv1a)
    #expect(both[1].fnv1a == (try render([narrow])).0[0].fnv1a)
    #expect(rows == size.height && counted == size.height)
  }

  /// One renderer handles interlaced and progressive frames in any order, with any number of workers.
  @Test func mixedStreams() throws {
    let layout = PixelLayout(.ycbcr420, bitDepth: 10)
    let comparison = comparison(Size(width: 70, height: 204), layout, layout, (.topLeft, .left))
    let frames = [FieldOrder.topFirst, nil, .bottomFirst, nil].map {
      CodedFrame.random(comparison.source.format, fieldOrder: $0, seed: 8)
    }
    let expected = try frames.map { try comparison.fast($0, .detected).fnv1a }
    #expect(expected[0] != expected[1] && expected[0] == expected[2] && expected[1] == expected[3])
    for workers in [1, 3] {
      let renderer = try FrameRenderer(
        source: comparison.source, stages: comparison.stages, target: comparison.target,
        pool: WorkerPool(count: workers))
      for (frame, hash) in zip(frames, expected) {
        let result = CodedFrame(comparison.target.format)
        try renderer.render(frame, into: result)
        #expect(result.fnv1a == hash)
      }
    }
  }

  @Test func linearFramesKeepTheFieldsApart() throws {
    let source = Signal.endpoint(Size(width: 19, height: 68), PixelLayout(.ycbcr420, bitDepth: 10), .bt2100PQ)
    let linearizer = try FrameRenderer(source: source, outputs: [.init(end: .linear)], pool: Comparison.pool)
    let frame = CodedFrame.random(source.format, fieldOrder: .topFirst, seed: 6)
    let before = try linearizer.linearFrame(frame)
    let bottom = frame.field(.bottom)
    for plane in 0..<3 {
      let extent = bottom.layout.planeSize(plane, of: bottom.size)
      for y in 0..<extent.height { for x in 0..<extent.width { bottom.setSample(333, plane: plane, x: x, y: y) } }
    }
    let after = try linearizer.linearFrame(frame)
    for y in 0..<frame.size.height {
      let (old, new) = (before.row(y, .green), after.row(y, .green))
      #expect(old.indices.allSatisfy { old[$0] == new[$0] } == (y % 2 == 0))
    }
  }
}
