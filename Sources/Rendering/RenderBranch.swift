internal import Frames

/// The path from the trunk to one output.
struct RenderBranch: Sendable {
  let output: FrameRenderer.Output
  /// Size of the picture after rotation.
  let size: Size
  /// Stages that run on the band, excluding a mapping that the packer applies.
  let stages: [any Stage]
  /// nil: nothing is coded, or codes with a non-writable matrix are copied, without graphics.
  let packer: BandPacker?
  /// Whether source code values are kept where no graphics cover them.
  let keepsCodes: Bool
  /// Whether this output changes the light of a band.
  let changesLight: Bool

  /// Whether fields of the output can be coded separately, because its height divides, or nothing is coded.
  var dividesIntoFields: Bool { packer.map { $0.format.layout.dividesIntoFields(height: size.height) } ?? true }

  init(_ output: FrameRenderer.Output, of source: Size, tier: KernelTier) throws(RenderingError) {
    self.output = output
    size = output.orientation.rotated(source)
    if case .copied = output.end { keepsCodes = true } else { keepsCodes = false }
    guard let target = output.end.endpoint else {
      stages = output.stages
      packer = nil
      changesLight = !output.stages.allSatisfy(\.leavesLight)
      return
    }
    precondition(target.format.size == size)
    func makePacker(mapping: ColorTransform?, dithers: Bool) throws(RenderingError) -> BandPacker {
      try BandPacker(
        format: target.format, transfer: target.transfer, reach: target.reach, mapping: mapping, dither: dithers,
        tier: tier)
    }
    guard case .coded(_, let dithers) = output.end else {
      precondition(output.orientation == .identity && output.stages.allSatisfy(\.leavesLight))
      (stages, changesLight) = (output.stages, false)
      packer = try? makePacker(mapping: nil, dithers: false)
      return
    }
    // A last stage that is a pure mapping runs in the packer.
    let mapping = output.stages.last?.mapping
    stages = mapping == nil ? output.stages : output.stages.dropLast()
    let packer = try makePacker(mapping: mapping, dithers: dithers)
    self.packer = packer
    changesLight = !stages.allSatisfy(\.leavesLight) || packer.changesLight
  }
}

/// Sources and targets of a picture, either a frame or one of its fields.
struct PictureEnds: Sendable {
  let unpacker: BandUnpacker
  /// One per output; nil: not coded.
  let packers: [BandPacker?]
  /// The largest halo of any packer.
  let halo: BandHalo

  init(unpacker: BandUnpacker, packers: [BandPacker?]) {
    self.unpacker = unpacker
    self.packers = packers
    halo = packers.reduce(.none) { $0.union($1?.halo ?? .none) }
  }

  /// Returns the ends of the top and bottom field; nil if the source's height does not divide into fields. Packers are
  /// nil if their output's height does not divide.
  static func fields(
    _ source: FrameRenderer.Endpoint, _ branches: [RenderBranch], _ chroma: ChromaUpsampling, _ tier: KernelTier
  ) throws(RenderingError) -> (PictureEnds, PictureEnds)? {
    let fields = try BandUnpacker.fields(of: source.format, transfer: source.transfer, reading: chroma, tier: tier)
    guard let (top, bottom) = fields else { return nil }
    let packers = branches.map { $0.dividesIntoFields ? $0.packer : nil }
    return (
      PictureEnds(unpacker: top, packers: packers.map { $0?.field(.top) }),
      PictureEnds(unpacker: bottom, packers: packers.map { $0?.field(.bottom) })
    )
  }
}

/// Rows around a band that contribute to its chroma.
package struct BandHalo: Sendable, Hashable {
  package var above: Int
  package var below: Int

  package static let none = BandHalo(above: 0, below: 0)

  func union(_ other: BandHalo) -> BandHalo {
    BandHalo(above: max(above, other.above), below: max(below, other.below))
  }

  /// Returns `rows` of a picture of `height` rows, extended by the halo.
  func around(_ rows: Range<Int>, of height: Int) -> Range<Int> {
    max(rows.lowerBound - above, 0)..<min(rows.upperBound + below, height)
  }
}
