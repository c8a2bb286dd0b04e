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
      "PQ to PQ 600": [.baseline: 0xe17d78766e7dc6ed, .avx2: 0x2e16fc7695904ae6, .avx512: 0xe17d78766e7dc6ed],
      "PQ to HLG": [.baseline: 0x9cdec7fcf0fe66ef, .avx2: 0x43b653607200d6dc, .avx512: 0x9cdec7fcf0fe66ef],
      "HLG to PQ": [.baseline: 0xeb14bd605f6eaf97, .avx2: 0xcfed9b665cd8737c, .avx512: 0xeb14bd605f6eaf97],
      "HLG to HLG": [.baseline: 0x84859e7065b35f0a, .avx2: 0x94ed04267a6c0801, .avx512: 0x84859e7065b35f0a],
      "SDR to SDR": [.baseline: 0x8003db703ed23ffc, .avx2: 0x490e028c397bfab2, .avx512: 0x8003db703ed23ffc],
      "SDR to SDR in P3": [.baseline: 0x8fdc1d18bf54849e, .avx2: 0x7f5c82d8e76277c0, .avx512: 0x8fdc1e18bf548651],
      "PQ to SDR, clip": [.baseline: 0x75cd352fb5496c1d, .avx2: 0xa9d91297db103140, .avx512: 0x75cd352fb5496c1d],
      "HLG to SDR, clip": [.baseline: 0xb5dbf4968920aee1, .avx2: 0xe22f225b32a683b4, .avx512: 0xb5dbf4968920aee1],
      "PQ to SDR, compress": [.baseline: 0xb91c91824126d221, .avx2: 0x35ceb06affd468e4, .avx512: 0xb91c91824126d221],
      "HLG to SDR, compress": [.baseline: 0xb1e4fc3ecd107dd, .avx2: 0x848f61fb1a32d6b7, .avx512: 0xb1e4fc3ecd107dd],
      "pq to dithered SDR, system": [
        .baseline: 0xc445091a323e99ac, .avx2: 0x31a3f16eef08503b, .avx512: 0x992937fe3ddf323a,
      ],
      "hlg to dithered SDR, system": [
        .baseline: 0x46cfcf951a0aef32, .avx2: 0x73aa45da336e981d, .avx512: 0x3b1b98e36041b33a,
      ],
      "pq to dithered SDR, bt2446a": [
        .baseline: 0xdf582555d01701d1, .avx2: 0x14dec976d6db59c8, .avx512: 0xfce523ef0b276083,
      ],
      "hlg to dithered SDR, bt2446a": [
        .baseline: 0x8cc4e8c18428b003, .avx2: 0xc8147e2dc2b381ea, .avx512: 0x6824dc292f72e132,
      ],
      "PQ to PQ 600, 12 bit, ycbcr420": [
        .baseline: 0x37596616331d273d, .avx2: 0xefe29c006420864b, .avx512: 0xa39e443ba820e08c,
      ],
      "PQ to PQ 600, 12 bit, ycbcr422": [
        .baseline: 0xbb1574be5d441934, .avx2: 0x37d1bab96a74fa14, .avx512: 0x594a8e03b523dc95,
      ],
      "PQ to PQ 600, 12 bit, ycbcr444": [
        .baseline: 0x3c852d087b6df204, .avx2: 0x1e3e04e512f2cdda, .avx512: 0x2c3ffef35b5458fb,
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
