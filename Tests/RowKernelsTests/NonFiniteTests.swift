import ColorScience
import Frames
import Testing
import ToneMapping

import Rendering

/// Light that is not finite, as a filter could leave it: nothing traps, and every code is one that video may take.
@Suite struct NonFiniteTests {
  static let light: [Float16] = [.nan, .infinity, -.infinity, 0, -0.0, 1, -1, 65504, -65504, 6e-8, -.nan, 0.18]

  @Test(arguments: KernelTier.supported, MapRowsTests.cases + [MapRowsTests.Case("none", nil)])
  func codes(_ tier: KernelTier, _ test: MapRowsTests.Case) throws {
    let count = Self.light.count
    let size = Size(width: count * count, height: count)
    for (bitDepth, range) in [(8, VideoRange.narrow), (8, .full), (10, .narrow), (12, .full)] {
      let layout = PixelLayout(bitDepth == 8 ? .ycbcr420 : .ycbcr444, bitDepth: bitDepth)
      let color = ColorDescription(primaries: .bt709, transfer: .bt709, matrix: .bt709, range: range)
      let frame = CodedFrame(size: size, layout: layout, color: color)
      let packer = try BandPacker(
        format: frame.format, transfer: .bt1886(peak: 3), mapping: test.stage?.mapping ?? .identity, dither: true,
        tier: tier)
      // Every combination of three values: the row picks red, the columns green and blue.
      let storage = RowStorage<Float16>(rows: 3 * size.height, width: size.width)
      for y in 0..<size.height {
        for x in 0..<size.width {
          unsafe storage.row(y)[x] = Self.light[y]
          unsafe storage.row(size.height + y)[x] = Self.light[x / count]
          unsafe storage.row(2 * size.height + y)[x] = Self.light[x % count]
        }
      }
      let planes = unsafe LinearBand.Row(
        red: storage.row(0), green: storage.row(size.height), blue: storage.row(2 * size.height))
      let band = unsafe LinearBand(
        planes: planes, width: size.width, height: size.height, stride: storage.stride, firstRow: 0)
      unsafe packer.pack(band, rows: 0..<size.height, into: frame, using: PackRows(width: size.width))
      withExtendedLifetime(storage) {}
      let legal = SampleScale(bitDepth: bitDepth, range: range).videoCodes
      for plane in 0..<3 {
        let extent = layout.planeSize(plane, of: size)
        let codes = (0..<extent.height).flatMap { y in
          (0..<extent.width).map { frame.sample(plane: plane, x: $0, y: y) }
        }
        #expect(codes.allSatisfy(legal.contains), "\(bitDepth) \(range)")
      }
    }
  }
}
