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
    return targets + curves
  }()

  #if arch(x86_64)
    static let pinned: [String: [KernelTier: UInt64]] = [
      "PQ to PQ 600": [.baseline: 0x52d6a37dc7cb7023, .avx2: 0x52d6a37dc7cb7023],
      "PQ to HLG": [.baseline: 0xa9d2b46ccc520ad5, .avx2: 0xa9d2b46ccc520ad5],
      "HLG to PQ": [.baseline: 0xd223af40ea82b19a, .avx2: 0xd223af40ea82b19a],
      "HLG to HLG": [.baseline: 0x8f45e3715437dc00, .avx2: 0x8f45e3715437dc00],
      "SDR to SDR": [.baseline: 0x3e56c3b982a2a232, .avx2: 0x3e56c3b982a2a232],
      "SDR to SDR in P3": [.baseline: 0xc51982e5dac3413b, .avx2: 0x58409d737b89446e],
      "PQ to SDR, clip": [.baseline: 0x336fee4a9cf95364, .avx2: 0x336fee4a9cf95364],
      "HLG to SDR, clip": [.baseline: 0xa60847de70a5dc72, .avx2: 0xa60847de70a5dc72],
      "PQ to SDR, compress": [.baseline: 0x9cbbad7e3dd44434, .avx2: 0x9cbbad7e3dd44434],
      "HLG to SDR, compress": [.baseline: 0x67611f380510db0c, .avx2: 0x67611f380510db0c],
      "pq to dithered SDR, system": [.baseline: 0x7a964cc1a940e5f7, .avx2: 0x7a964cc1a940e5f7],
      "hlg to dithered SDR, system": [.baseline: 0x59ef91ab007da4c3, .avx2: 0x59ef91ab007da4c3],
      "pq to dithered SDR, bt2446a": [.baseline: 0xa22488e1e16682e2, .avx2: 0xa22488e1e16682e2],
      "hlg to dithered SDR, bt2446a": [.baseline: 0x6f58922600d5dc, .avx2: 0x6f58922600d5dc],
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
