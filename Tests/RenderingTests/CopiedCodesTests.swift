import ColorScience
import Frames
import Synchronization
import Testing
import ToneMapping

import Rendering

/// Outputs with the code values of the source.
@Suite struct CopiedCodesTests {
  private static let layouts =
    PixelLayout.Components.allCases.flatMap { components in
      [8, 10, 12].map { PixelLayout(components, bitDepth: $0) }
    } + [
      PixelLayout(.ycbcr420, bitDepth: 10, packing: .semiplanar), PixelLayout(.ycbcr422, bitDepth: 8, packing: .yuyv),
      PixelLayout(.rgb, bitDepth: 8, packing: .bgr),
    ]

  private static func endpoint(_ size: Size, _ layout: PixelLayout, _ color: ColorDescription) -> FrameRenderer.Endpoint
  {
    let color = layout.components == .rgb ? color.with(matrix: .rgb) : color
    return FrameRenderer.Endpoint(
      format: PixelFormat(size: size, layout: layout, color: color), transfer: .pq(unit: 100))
  }

  /// Every code, below black and above white as well, in frames and fields, beside an output that maps light.
  @Test(arguments: layouts, [nil, FieldOrder.bottomFirst])
  func codesStay(_ layout: PixelLayout, _ order: FieldOrder?) throws {
    let size = Size(width: 70, height: 44)
    let source = Self.endpoint(size, layout, .bt2100PQ)
    let target = Self.endpoint(size, layout.planar, .bt2100PQ)
    let frame = CodedFrame.random(source.format, fieldOrder: order, seed: 3)
    let census = OutputTests.Census()
    let mapped = Signal.endpoint(size, PixelLayout(.ycbcr420, bitDepth: 8), .bt709)
    let alone = try FrameRenderer(source: source, outputs: [.init(end: .copied(target))], pool: WorkerPool(count: 3))
    let among = try FrameRenderer(
      source: source,
      outputs: [
        .init(end: .copied(target)), .init(stages: [Signal.mapping(.bt2100PQ)], end: .coded(mapped)),
        .init(stages: [census], end: .copied(target)),
      ], pool: WorkerPool(count: 2))
    let copies = (0..<3).map { _ in CodedFrame(target.format, fieldOrder: order) }
    try alone.render(frame, into: copies[0])
    try among.render(frame, into: [.coded(copies[1]), .coded(CodedFrame(mapped.format)), .coded(copies[2])])
    for copy in copies { #expect(frame.countChanges(in: copy) == 0) }
    #expect(census.pixels.load(ordering: .relaxed) == size.width * size.height)
    copies[0].setSample(copies[0].sample(plane: 0, x: 69, y: 43) ^ 1, plane: 0, x: 69, y: 43)
    #expect(frame.countChanges(in: copies[0]) == 1)
  }

  /// Samples that graphics cover are those of a rendering; all others stay.
  @Test(arguments: [PixelLayout.Components.ycbcr420, .ycbcr422, .ycbcr444, .rgb], [nil, FieldOrder.topFirst])
  func codesStayAroundGraphics(_ components: PixelLayout.Components, _ order: FieldOrder?) throws {
    let size = Size(width: 64, height: 64)
    let endpoint = Self.endpoint(size, PixelLayout(components, bitDepth: 10), .bt2100PQ)
    let frame = CodedFrame.random(endpoint.format, fieldOrder: order, seed: 5)
    let overlay = LightOverlay(
      firstRow: 21, spans: (0..<9).map { .init(first: 17, count: 20, offset: $0 * 20) },
      samples: (0..<180).map { (3..<9).contains($0 % 20) ? .zero : SIMD4(1, 1, 1, 1) })
    func isCovered(_ x: Int, _ y: Int) -> Bool { 21..<30 ~= y && 17..<37 ~= x && !(20..<26 ~= x) }
    let (kept, coded) = (CodedFrame(endpoint.format, fieldOrder: order), CodedFrame(endpoint.format, fieldOrder: order))
    let pool = WorkerPool(count: 2)
    try FrameRenderer(source: endpoint, outputs: [.init(end: .copied(endpoint))], pool: pool)
      .render(frame, into: [.coded(kept, under: overlay)])
    try FrameRenderer(source: endpoint, outputs: [.init(end: .coded(endpoint))], pool: pool)
      .render(frame, into: [.coded(coded, under: overlay)])
    let (shiftX, shiftY) = (endpoint.format.layout.chromaShiftX, endpoint.format.layout.chromaShiftY)
    for plane in 0..<3 {
      let isChroma = plane > 0 && components != .rgb
      let extent = endpoint.format.layout.planeSize(plane, of: size)
      for y in 0..<extent.height {
        for x in 0..<extent.width {
          let code = kept.sample(plane: plane, x: x, y: y)
          let own = frame.sample(plane: plane, x: x, y: y)
          let place = isChroma ? (x << shiftX, y << shiftY) : (x, y)
          let isNear = (-3...5).contains { dx in (-5...7).contains { isCovered(place.0 + dx, place.1 + $0) } }
          if isCovered(place.0, place.1) {
            #expect(code == coded.sample(plane: plane, x: x, y: y), "\(plane) \(x) \(y)")
          } else if !isChroma || !isNear {
            #expect(code == own, "\(plane) \(x) \(y)")
          }
        }
      }
    }
  }

  @Test func whatIsCodedAlike() {
    let size = Size(width: 8, height: 8)
    let layout = PixelLayout(.ycbcr420, bitDepth: 10)
    let own = Self.endpoint(size, layout, .bt2100PQ)
    func other(_ change: (inout FrameRenderer.Endpoint) -> Void) -> Bool {
      var result = own
      change(&result)
      return own.codes(as: result)
    }
    #expect(other { $0.format.layout.packing = .semiplanar } && other { $0.reach = 2 })
    #expect(other { $0.format.color.primaries = .bt709 }, "Stages convert primaries.")
    #expect(!other { $0.format.color.chromaLocation = .left } && !other { $0.format.color.range = .full })
    #expect(!other { $0.format.color.matrix = .bt709 } && !other { $0.format.layout.bitDepth = 12 })
    #expect(!other { $0.format.size.width = 10 } && !other { $0.transfer = .pq(unit: 203) })
    #expect(!other { $0.format.layout.components = .ycbcr422 })
  }
}
