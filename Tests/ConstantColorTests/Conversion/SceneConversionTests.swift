import ColorScience
import Frames
import Rendering
import Testing

import ConstantColor

@Suite struct SceneConversionTests {
  let pool = WorkerPool(count: 2)

  private func color(
    _ transfer: TransferCharacteristics, _ range: VideoRange = .full, matrix: MatrixCoefficients = .rgb
  ) -> ColorDescription {
    ColorDescription(primaries: .bt709, transfer: transfer, matrix: matrix, range: range)
  }

  private func image(_ frame: CodedFrame, _ orientation: Orientation = .identity) throws -> SceneImage {
    try SceneConversion(frame.format, pool: pool).image(of: frame, orientation: orientation)
  }

  /// Samples that differ in every pixel and channel.
  private func frame(_ layout: PixelLayout, _ color: ColorDescription, width: Int = 37, height: Int = 21) -> CodedFrame
  {
    let frame = CodedFrame(size: Size(width: width, height: height), layout: layout, color: color)
    for plane in 0..<layout.planeCount {
      let size = layout.planeSize(plane, of: frame.size)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let code = (plane * 7919 + y * 641 + x * 31) % (1 << layout.bitDepth)
          frame.setSample(code << layout.sampleShift, plane: plane, x: x, y: y)
        }
      }
    }
    return frame
  }

  @Test(arguments: [8, 9, 10, 12, 14, 16], [VideoRange.full, .narrow])
  func integersAreConvertedExactly(bitDepth: Int, range: VideoRange) throws {
    for transfer in TransferCharacteristics.allCases {
      guard let curve = CodingCurve(transfer) else { continue }
      let frame = frame(PixelLayout(.rgb, bitDepth: bitDepth), color(transfer, range), width: 5, height: 3)
      let scene = try image(frame)
      let scale = SampleScale(bitDepth: bitDepth, range: range)
      for y in 0..<3 {
        for x in 0..<5 {
          for channel in 0..<3 {
            let code = frame.sample(plane: (channel + 2) % 3, x: x, y: y)
            #expect(scene[channel, x, y] == Float(curve.light(fromSignal: scale.luma(fromCode: code))))
          }
        }
      }
      let saturation = try #require(scene.description.saturation)
      #expect(saturation.x < Float(curve.light(fromSignal: 1)))
      #expect(saturation.x > Float(curve.light(fromSignal: 1 - 1 / scale.lumaScale)))
      #expect(scene.description.quantum > 0)
    }
  }

  @Test(arguments: Orientation.allCases) func picturesAreRotated(orientation: Orientation) throws {
    let frame = frame(PixelLayout(.rgb, bitDepth: 16), color(.linear))
    let (upright, turned) = (try image(frame), try image(frame, orientation))
    #expect(turned.size == orientation.rotated(frame.size))
    for y in 0..<turned.size.height {
      for x in 0..<turned.size.width {
        let source = orientation.source(x: x, y: y, in: frame.size)
        for channel in 0..<3 { #expect(turned[channel, x, y] == upright[channel, source.x, source.y]) }
      }
    }
  }

  @Test func packedAndGreySamplesAreRead() throws {
    let packed = frame(PixelLayout(.rgb, bitDepth: 8, packing: .bgrx), color(.sRGB))
    let scene = try image(packed)
    #expect(scene[2, 3, 4] == Float(SRGB.eotf(Double(packed.sample(plane: 0, x: 12, y: 4)) / 255)))
    let grey = frame(PixelLayout(.gray, bitDepth: 10), color(.sRGB, matrix: .bt709))
    let light = try image(grey)
    for channel in 0..<3 {
      #expect(light[channel, 3, 4] == Float(SRGB.eotf(Double(grey.sample(plane: 0, x: 3, y: 4)) / 1023)))
    }
  }

  @Test(
    arguments: [TransferCharacteristics.bt709, .smpte240M, .sRGB, .gamma22, .hlg, .pq], [VideoRange.full, .narrow])
  func chromaIsRendered(transfer: TransferCharacteristics, range: VideoRange) throws {
    // Greys: the light of luma is that of R, G and B.
    let frame = CodedFrame(
      size: Size(width: 256, height: 8), layout: PixelLayout(.ycbcr420, bitDepth: 10),
      color: color(transfer, range, matrix: .bt709))
    let scale = SampleScale(bitDepth: 10, range: range)
    for y in 0..<8 { for x in 0..<256 { frame.setSample(x * 4, plane: 0, x: x, y: y) } }
    for plane in 1...2 {
      for y in 0..<4 { for x in 0..<128 { frame.setSample(Int(scale.chromaOffset), plane: plane, x: x, y: y) } }
    }
    let scene = try image(frame)
    let curve = try #require(CodingCurve(transfer))
    for x in 0..<256 {
      let signal = min(scale.luma(fromCode: x * 4), transfer == .pq || transfer == .sRGB ? 1 : 2)
      let light = curve.light(fromSignal: signal)
      let below = curve.light(fromSignal: signal - 0.25 / scale.lumaScale)
      for channel in 0..<3 {
        // A quarter of a code, and the precision of half floats.
        #expect(abs(Double(scene[channel, x, 5]) - light) <= light - below + light * 0x1p-10 + 1e-7)
      }
    }
  }

  @Test func anHDR10PictureEndsAtItsMasteringPeak() throws {
    let dark = MasteringDisplay.Chromaticity(x: 15635, y: 16450)
    var metadata = HDRMetadata()
    metadata.masteringDisplay = MasteringDisplay(
      red: dark, green: dark, blue: dark, white: dark, maxLuminance: 10_000_000, minLuminance: 50)
    let frame = CodedFrame(
      size: Size(width: 4, height: 4), layout: PixelLayout(.rgb, bitDepth: 10), color: color(.pq), metadata: metadata)
    let saturation = try #require(try image(frame).description.saturation)
    #expect(saturation.x < 0.1 && saturation.x > 0.099)
  }

  /// A frame of half floats, all samples different.
  private func halves(_ change: (_ channel: Int, _ pixel: Int) -> Float16?) throws -> SceneImage {
    let frame = CodedFrame(size: Size(width: 50, height: 40), layout: .linearRGB, color: color(.linear))
    for pixel in 0..<2000 {
      for channel in 0..<3 {
        let sample = change(channel, pixel) ?? Float16(bitPattern: UInt16(0x3000 + pixel))
        frame.setSample(Int(sample.bitPattern), plane: (channel + 2) % 3, x: pixel % 50, y: pixel / 50)
      }
    }
    return try image(frame)
  }

  @Test func floatsAreKept() throws {
    let scene = try halves { channel, pixel in channel == 1 && pixel == 0 ? -0.5 : nil }
    #expect(scene[1, 0, 0] == -0.5)
    #expect(scene[0, 7, 3] == Float(Float16(bitPattern: 0x3000 + 157)))
    #expect(scene.description.saturation == nil && scene.description.quantum == 0)
  }

  @Test func clippingOfFloatsIsRecognised() throws {
    let scene = try halves { channel, pixel in channel == 2 && pixel % 100 == 0 ? 2 : nil }
    #expect(scene.description.saturation == SIMD3(65504, 65504, 2))
    #expect(try halves { channel, pixel in channel == 2 && pixel % 200 == 0 ? 2 : nil }.description.saturation == nil)
  }

  @Test func samplesThatAreNoNumberAreClipped() throws {
    let scene = try halves { channel, pixel in channel == 0 && pixel < 2 ? [.nan, .infinity][pixel] : nil }
    #expect(scene[0, 0, 0] == 65504 && scene[0, 1, 0] == 65504)
    #expect(scene.description.saturation == SIMD3(65504, 65504, 65504))
  }

  @Test func whatCannotBeConvertedIsSaid() {
    #expect(throws: SceneConversionError.unsupportedTransfer(.log100)) {
      try image(frame(PixelLayout(.rgb, bitDepth: 8), color(.log100)))
    }
    var untagged = color(.sRGB)
    untagged.primaries = .unspecified
    #expect(throws: SceneConversionError.unsupportedPrimaries(.unspecified)) {
      try image(frame(PixelLayout(.rgb, bitDepth: 8), untagged))
    }
    #expect(throws: SceneConversionError.self) {
      try image(frame(PixelLayout(.ycbcr420, bitDepth: 9), color(.sRGB, matrix: .bt709)))
    }
  }
}
