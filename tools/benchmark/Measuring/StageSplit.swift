internal import Frames
internal import Rendering
internal import ToneMapping

/// The stages of a render, timed separately on cache-sized bands, on one thread.
///
/// The renderer maps while packing; here mapping is a separate stage, so the sum of the parts slightly exceeds the
/// whole.
final class StageSplit {
  enum Part: String, CaseIterable {
    case unpack, map, pack
  }

  private let unpacker: BandUnpacker
  private let mapping: DisplayMapping
  private let packer: BandPacker
  private let tier: KernelTier
  private let target: CodedFrame
  private let bandHeight: Int
  private let light: RowStorage<Float16>
  private let unpackRows: UnpackRows
  private let packRows: PackRows
  private let clockCost = Clock.threadCPU.readingCost()
  private var seconds: [Part: Double] = [:]

  /// - Parameter renderCase: Its target's chroma lies between rows, so that packing a band needs only the band's rows.
  init(_ renderCase: RenderCase, tier: KernelTier) throws {
    let width = renderCase.source.size.width
    unpacker = try BandUnpacker(format: renderCase.source, transfer: renderCase.content().transfer, tier: tier)
    mapping = try renderCase.mapping()
    packer = try BandPacker(
      format: renderCase.target, transfer: renderCase.targetTransfer, mapping: .identity, dither: true, tier: tier)
    self.tier = tier
    target = renderCase.emptyTarget()
    bandHeight = FrameRenderer.bandHeight(width: width)
    light = RowStorage(rows: 3 * bandHeight, width: width)
    unpackRows = UnpackRows(width: width, layout: renderCase.source.layout)
    packRows = PackRows(width: width)
  }

  func process(_ frame: CodedFrame) {
    let height = frame.size.height
    for first in stride(from: 0, to: height, by: bandHeight) {
      let rows = first..<min(first + bandHeight, height)
      let band = unsafe LinearBand(
        light, planeHeight: bandHeight, firstRow: first, height: rows.count, width: frame.size.width)
      time(.unpack) { unsafe unpacker.unpack(frame, into: band, using: unpackRows) }
      time(.map) { unsafe mapping.process(band, tier: tier, worker: 0) }
      time(.pack) { unsafe packer.pack(band, rows: rows, into: target, using: packRows) }
    }
  }

  private func time(_ part: Part, _ body: () -> Void) {
    let start = Clock.threadCPU.now
    body()
    seconds[part, default: 0] += Clock.threadCPU.now - start - clockCost
  }

  /// Seconds per frame of each part over a run of `loop`, which calls `process`.
  func measure(_ loop: FrameLoop) throws -> [Part: Double] {
    seconds = [:]
    let count = Double(try loop.run())
    return seconds.mapValues { $0 / count }
  }
}
