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
      "PQ to PQ 600": [.baseline: 0x33f8ead119f08b5f, .avx2: 0xf74dbb3a244a4c34],
      "PQ to HLG": [.baseline: 0x965f39d28031ee21, .avx2: 0x965f39d28031ee21],
      "HLG to PQ": [.baseline: 0xc396b090922f524a, .avx2: 0x8e7eb5d3eb1f56b5],
      "HLG to HLG": [.baseline: 0xd51d74f591e17e0b, .avx2: 0xd51d74f591e17e0b],
      "SDR to SDR": [.baseline: 0xf50128da62c39c99, .avx2: 0xf50128da62c39c99],
      "SDR to SDR in P3": [.baseline: 0xe800cbc5b018f67, .avx2: 0xe800cbc5b018f67],
      "PQ to SDR, clip": [.baseline: 0xf48fdfacacbd5297, .avx2: 0x24bd67a4cb7f0a2e],
      "HLG to SDR, clip": [.baseline: 0x3f1457e8bbd8d5e1, .avx2: 0x3f1457e8bbd8d5e1],
      "PQ to SDR, compress": [.baseline: 0x238ce7d3cf6263fb, .avx2: 0x238ce7d3cf6263fb],
      "HLG to SDR, compress": [.baseline: 0x53f45a281a85dad9, .avx2: 0x53f45a281a85dad9],
      "pq to dithered SDR, system": [.baseline: 0xa3ac95d28f3fb471, .avx2: 0x9b9d89828b9823bc],
      "hlg to dithered SDR, system": [.baseline: 0xe1366405caf9ebc5, .avx2: 0xe1366405caf9ebc5],
      "pq to dithered SDR, bt2446a": [.baseline: 0xd7438890582d9136, .avx2: 0xd7438890582d9136],
      "hlg to dithered SDR, bt2446a": [.baseline: 0x8c58ee66ded83ef7, .avx2: 0x27b422ef277778ce],
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
