import ColorScience
import Frames
import Testing
import ToneMapping

import Rendering

/// The bytes that the whole pipeline makes of fixed random frames.
///
/// A change that is meant to change them: look at what changed, then put the values that the failing test prints into
/// `pinned`. Tiers may differ by the fused multiply-add; on other architectures the values are only printed.
@Suite struct PinnedHashTests {
  static let size = Size(width: 97, height: 71)

  struct Case: Sendable, CustomStringConvertible {
    var description: String
    var comparison: Comparison
    var dither = false
  }

  static let cases: [Case] = {
    let targets = TargetTests.cases.map { test in
      let source = PixelLayout(.ycbcr420, bitDepth: test.bitDepth, packing: .semiplanar)
      var comparison = Comparison(
        source: Signal.endpoint(size, source, test.source), stages: test.stages,
        target: Signal.endpoint(size, PixelLayout(.ycbcr420, bitDepth: test.bitDepth), test.target))
      comparison.target.transfer = test.transfer
      comparison.target.reach = test.reach
      return Case(description: test.description, comparison: comparison)
    }
    let curves = [ToneCurve.system, .bt2446a].flatMap { curve in
      [ColorDescription.bt2100PQ, .bt2100HLG].map { color in
        let stage = DisplayMapping(
          DisplayMapping.Settings(
            metadata: .describing(transfer: color.transfer, metadata: HDRMetadata()), curve: curve,
            display: Signal.sdr))
        return Case(
          description: "\(color.transfer) to dithered SDR, \(curve.name)",
          comparison: Comparison(
            source: Signal.endpoint(size, PixelLayout(.ycbcr422, bitDepth: 12), color), stages: [stage],
            target: Signal.endpoint(size, PixelLayout(.ycbcr420, bitDepth: 8), .bt709)), dither: true)
      }
    }
    let deep = [PixelLayout.Components.ycbcr420, .ycbcr422, .ycbcr444].map { components in
      Case(
        description: "PQ to PQ 600, 12 bit, \(components)",
        comparison: Comparison(
          source: Signal.endpoint(size, PixelLayout(.ycbcr420, bitDepth: 10), .bt2100PQ),
          stages: [Signal.mapping(.bt2100PQ, TargetTests.hdr600)],
          target: Signal.endpoint(size, PixelLayout(components, bitDepth: 12), .bt2100PQ)))
    }
    return targets + curves + deep
  }()

  #if arch(x86_64)
    static let pinned: [String: [KernelTier: UInt64]] = [
      "SDR to SDR, super-white": [
        .baseline: 0x5a09d1e7143270b8, .avx2: 0x4c2b37e0598230ec, .avx512: 0x5a09d1e7143270b8,
      ],
      "HLG to PQ, super-white": [
        .baseline: 0x5e4c2959be166c90, .avx2: 0x43032e8a198c6719, .avx512: 0x5e4c2959be166c90,
      ],
      "HLG to HLG, super-white": [
        .baseline: 0x4c9219e0a81d97e4, .avx2: 0x2e84648dfa3f020a, .avx512: 0x4c9219e0a81d97e4,
      ],
      "PQ to PQ 600": [.baseline: 0xce7969a34926bd93, .avx2: 0x5b03c009f683b285, .avx512: 0xce7969a34926bd93],
      "PQ to HLG": [.baseline: 0x9cdec7fcf0fe66ef, .avx2: 0x43b653607200d6dc, .avx512: 0x9cdec7fcf0fe66ef],
      "HLG to PQ": [.baseline: 0xeb14bd605f6eaf97, .avx2: 0xcfed9b665cd8737c, .avx512: 0xeb14bd605f6eaf97],
      "HLG to HLG": [.baseline: 0x84859e7065b35f0a, .avx2: 0x94ed04267a6c0801, .avx512: 0x84859e7065b35f0a],
      "SDR to SDR": [.baseline: 0x8003db703ed23ffc, .avx2: 0x490e028c397bfab2, .avx512: 0x8003db703ed23ffc],
      "SDR to SDR in P3": [.baseline: 0x8fdc1d18bf54849e, .avx2: 0x7f5c82d8e76277c0, .avx512: 0x8fdc1e18bf548651],
      "PQ to SDR, clip": [.baseline: 0x512f9c31e25ff3f5, .avx2: 0xc11ccc47a8ac2a61, .avx512: 0x512f9c31e25ff3f5],
      "HLG to SDR, clip": [.baseline: 0xf8277d25feab64c0, .avx2: 0xdf03fe939770cc5, .avx512: 0x68f783d0f18bf399],
      "PQ to SDR, compress": [.baseline: 0x73b6acbd3a5f67f0, .avx2: 0x5830193693a3a7f5, .avx512: 0x73b6acbd3a5f67f0],
      "HLG to SDR, compress": [.baseline: 0xa79a956ec07da813, .avx2: 0xc80f93092cb8ff53, .avx512: 0xa79a956ec07da813],
      "pq to dithered SDR, system": [
        .baseline: 0x4780857a8089183a, .avx2: 0xfb8db8fcef6706fa, .avx512: 0x4780857a8089183a,
      ],
      "hlg to dithered SDR, system": [
        .baseline: 0x81871dd5fb6e6ea6, .avx2: 0x326fcfd59fb31242, .avx512: 0x81871dd5fb6e6ea6,
      ],
      "pq to dithered SDR, bt2446a": [
        .baseline: 0x281479018c0d5e7c, .avx2: 0xb856151b863a9bf6, .avx512: 0x281479018c0d5e7c,
      ],
      "hlg to dithered SDR, bt2446a": [
        .baseline: 0xb8deff2d8259c041, .avx2: 0xe795bfec0a30eb44, .avx512: 0xb8deff2d8259c041,
      ],
      "PQ to PQ 600, 12 bit, ycbcr420": [
        .baseline: 0x3046a74cbf357743, .avx2: 0x69e0f524a43f4d87, .avx512: 0x3046a74cbf357743,
      ],
      "PQ to PQ 600, 12 bit, ycbcr422": [
        .baseline: 0x3a1011a0d03f2311, .avx2: 0x255148ef5134822e, .avx512: 0x19ba88b52eb81e19,
      ],
      "PQ to PQ 600, 12 bit, ycbcr444": [
        .baseline: 0x4e8c6cef782ffcba, .avx2: 0x8823f9d3971a7109, .avx512: 0x3c982705878cfa64,
      ],
    ]
  #endif

  @Test(arguments: cases)
  func pinned(_ test: Case) throws {
    let frame = CodedFrame.random(test.comparison.source.format, seed: 2026)
    let hashes = try KernelTier.supported.map { ($0, try test.comparison.fast(frame, $0, dither: test.dither).fnv1a) }
    let line = hashes.map { ".\($0): 0x\(String($1, radix: 16))" }.joined(separator: ", ")
    #if arch(x86_64)
      let expected = Self.pinned[test.description] ?? [:]
      #expect(hashes.allSatisfy { expected[$0] == $1 }, "\"\(test)\": [\(line)],")
    #else
      print("\"\(test)\": [\(line)],")
    #endif
  }

  @Test(arguments: cases, KernelTier.supported)
  func anyNumberOfWorkers(_ test: Case, _ tier: KernelTier) throws {
    let frames = [2, 1].map { CodedFrame.random(test.comparison.source.format, seed: $0) }
    let hashes = try [1, 2, 7].map { workers in
      let renderer = try FrameRenderer(
        source: test.comparison.source, stages: test.comparison.stages, target: test.comparison.target,
        dither: test.dither, tier: tier, pool: WorkerPool(count: workers))
      let result = CodedFrame(test.comparison.target.format)
      // What a worker kept from the frame before must not show.
      for frame in frames { try renderer.render(frame, into: result) }
      return result.fnv1a
    }
    #expect(Set(hashes + [try test.comparison.fast(frames[1], tier, dither: test.dither).fnv1a]).count == 1)
  }

  /// Frames of two chroma rows, which would still be there for the next frame.
  @Test(arguments: LayoutTests.inputs)
  func nothingIsKept(_ layout: PixelLayout) throws {
    let size = Size(width: 37, height: 3)
    let comparison = Comparison(
      source: Signal.endpoint(size, layout, .bt2100PQ), stages: [],
      target: Signal.endpoint(size, PixelLayout(.ycbcr420, bitDepth: 10), .bt2100PQ))
    let renderer = try FrameRenderer(
      source: comparison.source, stages: [], target: comparison.target, pool: WorkerPool(count: 1))
    let result = CodedFrame(comparison.target.format)
    for seed in 1...3 {
      let frame = CodedFrame.random(comparison.source.format, seed: UInt64(seed))
      try renderer.render(frame, into: result)
      #expect(result.fnv1a == (try comparison.fast(frame, .detected)).fnv1a)
    }
  }
}

extension CodedFrame {
  /// FNV-1a, 64 bit, of the bytes of all samples, plane after plane, without what pads the rows.
  ///
  /// Source: draft-eastlake-fnv-21, 2 and 5.
  var fnv1a: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in 0..<layout.planeCount {
      let bytes = layout.planeSize(index, of: size).width * layout.bytesPerSample
      unsafe withPlane(index) { plane in
        for y in unsafe 0..<plane.size.height {
          for x in 0..<bytes {
            hash = (hash ^ UInt64(unsafe plane.row(y).load(fromByteOffset: x, as: UInt8.self))) &* 0x100_0000_01B3
          }
        }
      }
    }
    return hash
  }
}
