import ColorScience
import FFmpegIO
import Frames
import Rendering
import TestSupport
import Testing
import ToneMapping

/// Real pictures, fast against reference: the first frame of every HDR clip, or tiles of it.
@Suite struct ClipsAgainstReferenceTests {
  static let clips = Clip.decodable.filter { ["smpte2084", "arib-std-b67"].contains($0.transfer) }

  /// Samples that are compared, at most.
  private static let part = LongTests.areWanted ? Size(width: 1920, height: 1080) : Size(width: 320, height: 180)

  @Test(arguments: clips)
  func tenBitSDR(_ clip: Clip) throws {
    let whole = try #require(try MediaReader(url: clip.path).readFrame())
    let frame = whole.tiles(Self.part)
    var color = frame.color
    if frame.layout.components == .rgb { color.matrix = .rgb }
    let content = try ContentInterpretation(color: color, metadata: frame.metadata)
    let source = FrameRenderer.Endpoint(
      format: PixelFormat(size: frame.size, layout: frame.layout, color: color), transfer: content.transfer)
    let components = frame.layout.components == .rgb ? .ycbcr444 : frame.layout.components
    let target = FrameRenderer.Endpoint(
      format: PixelFormat(size: frame.size, layout: PixelLayout(components, bitDepth: 10), color: .bt709),
      transfer: .bt1886(peak: 1))
    let stages = [
      DisplayMapping(
        DisplayMapping.Settings(
          metadata: content.metadata, primaries: content.primaries,
          display: Display(sdrWhite: 100, peak: 100, primaries: .bt709)))
    ]
    let comparison = Comparison(source: source, stages: stages, target: target)
    for (tier, difference) in zip(
      KernelTier.supported, try comparison.conditionedDifferences(frame.described(as: color)))
    {
      print("\(clip) \(tier): \(difference)")
      #expect(difference.outliers == 0)
      // A mean of few samples depends on what they show.
      #expect(difference.codes < 16 || difference.mean < (LongTests.areWanted ? 0.06 : 0.125))
    }
  }
}

extension Clip {
  fileprivate var transfer: String {
    if case .text(let name) = stream?["color_transfer"] { name } else { "" }
  }
}

extension CodedFrame {
  /// Assembles sixteen evenly spaced tiles, or returns the whole frame if it is no larger than `wanted`.
  fileprivate func tiles(_ wanted: Size) -> CodedFrame {
    let part = Size(width: min(wanted.width, size.width), height: min(wanted.height, size.height))
    let result = CodedFrame(size: part, layout: layout, color: color, time: time, metadata: metadata)
    for plane in 0..<layout.planeCount {
      let extent = layout.planeSize(plane, of: part)
      let isChroma = plane > 0 && layout.components != .rgb
      let shiftX = isChroma && layout.packing == .planar ? layout.chromaShiftX : 0
      let shiftY = isChroma ? layout.chromaShiftY : 0
      let columns = (0..<extent.width).map { Self.place($0, of: part.width, in: size.width, shift: shiftX) }
      for row in 0..<extent.height {
        let y = Self.place(row, of: part.height, in: size.height, shift: shiftY)
        for (column, x) in columns.enumerated() {
          result.setSample(sample(plane: plane, x: x, y: y), plane: plane, x: column, y: row)
        }
      }
    }
    return result
  }

  /// Where a sample of four tiles comes from. Even, so that chroma stays with its luma.
  private static func place(_ position: Int, of extent: Int, in whole: Int, shift: Int) -> Int {
    let gap = (whole - extent) / 6 * 2
    let tile = min((position << shift) / max(extent / 8 * 2, 1), 3)
    return position + (tile * gap) >> shift
  }
}
