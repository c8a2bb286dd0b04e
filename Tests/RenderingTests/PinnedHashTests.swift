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
      "PQ to PQ 600": [.baseline: 0xe17d78766e7dc6ed, .avx2: 0x2e16fc7695904ae6, .avx512: 0xe17d78766e7dc6ed],
      "PQ to HLG": [.baseline: 0x9cdec7fcf0fe66ef, .avx2: 0x43b653607200d6dc, .avx512: 0x9cdec7fcf0fe66ef],
      "HLG to PQ": [.baseline: 0x4474cda8cbcd6b78, .avx2: 0x19352efe9fe2e168, .avx512: 0x4474cda8cbcd6b78],
      "HLG to HLG": [.baseline: 0x279050c90f442daa, .avx2: 0x8cbd2690e7e7cf04, .avx512: 0x279050c90f442daa],
      "SDR to SDR": [.baseline: 0x8003db703ed23ffc, .avx2: 0x455d29d1ae4e6461, .avx512: 0x8003db703ed23ffc],
      "SDR to SDR in P3": [.baseline: 0xe57f5d1b5d1feea7, .avx2: 0xdd3840141eae0e54, .avx512: 0xe800cbc5b018f67],
      "PQ to SDR, clip": [.baseline: 0x75cd352fb5496c1d, .avx2: 0xa9d91297db103140, .avx512: 0x75cd352fb5496c1d],
      "HLG to SDR, clip": [.baseline: 0x21d5fc72f60b4945, .avx2: 0x404cccbc34ee5b5b, .avx512: 0x21d5fc72f60b4945],
      "PQ to SDR, compress": [.baseline: 0xb91c91824126d221, .avx2: 0x35ceb06affd468e4, .avx512: 0xb91c91824126d221],
      "HLG to SDR, compress": [.baseline: 0xf42f2772615a1b91, .avx2: 0x72371d014012d3b8, .avx512: 0xf42f2772615a1b91],
      "pq to dithered SDR, system": [
        .baseline: 0x8243d5adca9e6943, .avx2: 0x9160805c81893393, .avx512: 0x8243d5adca9e6943,
      ],
      "hlg to dithered SDR, system": [
        .baseline: 0xad15caa47d0cac5e, .avx2: 0x1ee1eed8aead275c, .avx512: 0xad15caa47d0cac5e,
      ],
      "pq to dithered SDR, bt2446a": [
        .baseline: 0xeb0b2f0d7d16c6eb, .avx2: 0x9cf3e482a81c43c8, .avx512: 0xeb0b2f0d7d16c6eb,
      ],
      "hlg to dithered SDR, bt2446a": [
        .baseline: 0x6c1934703c45c04c, .avx2: 0x79841d7d9cce6ee5, .avx512: 0x6c1934703c45c04c,
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
