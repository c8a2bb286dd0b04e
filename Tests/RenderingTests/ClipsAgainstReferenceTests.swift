import ColorScience
import FFmpegIO
import Frames
import Rendering
import TestSupport
import Testing
import ToneMapping

/// Real pictures, fast against reference: the first frame of every HDR clip, of larger ones the middle.
@Suite struct ClipsAgainstReferenceTests {
  static let clips = Clip.decodable.filter { ["smpte2084", "arib-std-b67"].contains($0.transfer) }

  @Test(arguments: clips)
  func tenBitSDR(_ clip: Clip) throws {
    let whole = try #require(try MediaReader(url: clip.path).readFrame())
    let frame = whole.middle(Size(width: 1920, height: 1080))
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
      #expect(difference.mean < 0.06)
    }
  }
}

extension Clip {
  fileprivate var transfer: String {
    if case .text(let name) = stream?["color_transfer"] { name } else { "" }
  }
}

extension CodedFrame {
  /// The samples around the centre.
  fileprivate func middle(_ wanted: Size) -> CodedFrame {
    let part = Size(width: min(wanted.width, size.width), height: min(wanted.height, size.height))
    let result = CodedFrame(size: part, layout: layout, color: color, time: time, metadata: metadata)
    // Even, so that chroma stays where it is.
    let left = (size.width - part.width) / 4 * 2
    let top = (size.height - part.height) / 4 * 2
    for plane in 0..<layout.planeCount {
      let extent = layout.planeSize(plane, of: part)
      let isChroma = plane > 0 && layout.components != .rgb
      let x = isChroma && layout.packing == .planar ? left >> layout.chromaShiftX : left
      let y = isChroma ? top >> layout.chromaShiftY : top
      for row in 0..<extent.height {
        for column in 0..<extent.width {
          result.setSample(
            sample(plane: plane, x: column + x, y: row + y), plane: plane, x: column, y: row)
        }
      }
    }
    return result
  }
}
