import ColorScience
import FFmpegIO
import Foundation
import Frames
import ImageFiles
import TestSupport
import Testing

@Suite struct JXLTests {
  private func write(_ frame: CodedFrame, _ scratch: Scratch, distance: Float) throws -> String {
    let path = scratch.path("a.jxl")
    try Data(JXLEncoder(distance: distance).encode(frame)).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Linear light on a ramp, with what lies outside of the gamut and above white.
  private func light(_ size: Size, unit: Double) -> CodedFrame {
    Pictures.frame(
      size, .linearRGB, ImageSpace.linearBT2020.color, HDRMetadata(linearUnit: unit)
    ) { plane, x, y in
      // The smallest of all half floats, which are subnormal.
      if y == 1 { return (x % 2 == 0 ? 0 : 0x8000) | 4 * x + plane }
      let value = Float(x) / Float(size.width) * (y < size.height / 2 ? 0.9 : 4) - (plane == 2 ? 0.05 : 0)
      return Int(Float16(value).bitPattern)
    }
  }

  @Test(arguments: [8, 16], [ImageSpace.bt2100PQ, .bt2100HLG, .displayP3PQ, .sRGB, .displayP3])
  func losslessKeepsEverySample(_ depth: Int, _ space: ImageSpace) throws {
    let scratch = try Scratch()
    let frame = Pictures.noise(Size(width: 67, height: 35), PixelLayout(.rgb, bitDepth: depth), space.color)
    let path = try write(frame, scratch, distance: 0)
    let still = try JXLReader.read(path)
    #expect(still.frame.format == frame.format)
    #expect(Pictures.areEqual(still.frame, frame))
    // FFmpeg decodes the same.
    let raw = try Tool.ffmpeg.run(
      ["-i", path, "-f", "rawvideo", "-pix_fmt", depth == 8 ? "gbrp" : "gbrp16le", "-"])
    #expect(Pictures.hold(raw, frame))
  }

  @Test(arguments: [ImageSpace.linearBT2020, .linearP3, .linearSRGB])
  func losslessKeepsHalfFloats(_ space: ImageSpace) throws {
    let scratch = try Scratch()
    let source = light(Size(width: 67, height: 35), unit: 203).described(as: space.color)
    let still = try JXLReader.read(write(source, scratch, distance: 0)).frame
    #expect(still.format == source.format)
    #expect(Pictures.areEqual(still, source))
    #expect(still.metadata.linearUnit == 203)
  }

  @Test func lightStaysNearUnderLoss() throws {
    let scratch = try Scratch()
    let source = light(Size(width: 256, height: 64), unit: 1000)
    let still = try JXLReader.read(write(source, scratch, distance: 0.5)).frame
    #expect(still.color == source.color)
    #expect(still.metadata.linearUnit == 1000)
    func value(_ frame: CodedFrame, _ plane: Int, _ x: Int, _ y: Int) -> Double {
      Double(Float16(bitPattern: UInt16(frame.sample(plane: plane, x: x, y: y))))
    }
    for y in [8, 56] {
      for x in stride(from: 40, to: 240, by: 10) {
        for plane in 0..<3 {
          let (a, b) = (value(source, plane, x, y), value(still, plane, x, y))
          #expect(abs(a - b) < 0.03 * max(a, 0.1))
        }
      }
    }
  }

  @Test func codesStayNearUnderLoss() throws {
    let scratch = try Scratch()
    let metadata = HDRMetadata(contentLight: ContentLight(maxCLL: 4000, maxFALL: 400))
    let frame = Pictures.ramps(
      Size(width: 256, height: 64), PixelLayout(.rgb, bitDepth: 16), ImageSpace.bt2100PQ.color, metadata)
    let still = try JXLReader.read(write(frame, scratch, distance: 0.5)).frame
    #expect(still.format == frame.format)
    #expect(still.metadata.contentLight?.maxCLL == 4000)
    for x in stride(from: 8, to: 248, by: 8) {
      // Where the three are alike; deep colours of a ramp are no picture.
      let y = x / 4
      for plane in 0..<3 {
        let error = frame.sample(plane: plane, x: x, y: y) - still.sample(plane: plane, x: x, y: y)
        #expect(abs(error) < 1500)
      }
    }
  }

  /// Light by IEC 61966-2-1 and by a power, by hand.
  @Test(arguments: [
    (TransferCharacteristics.sRGB, [-0.214041, 0.214041, 1, 4.953846]),
    (.gamma22, [-0.217638, 0.217638, 1, 4.594793]),
  ])
  func floatsOfASignalBecomeLight(_ transfer: TransferCharacteristics, _ light: [Double]) throws {
    let scratch = try Scratch()
    let signal: [Float] = [-0.5, 0.5, 1, 2]
    let color = ColorDescription(primaries: .bt709, transfer: transfer, matrix: .rgb, range: .full)
    let source = Pictures.frame(Size(width: 32, height: 16), .linearRGB, color, HDRMetadata()) { _, x, _ in
      Int(Float16(signal[x % 4]).bitPattern)
    }
    let frame = try JXLReader.read(write(source, scratch, distance: 0)).frame
    #expect(frame.color == ImageSpace.linearSRGB.color)
    for plane in 0..<3 {
      for (found, expected) in zip(frame.light(plane), light) { #expect(abs(found - expected) < 0.001 * abs(expected)) }
    }
  }

  @Test func filesOfFFmpegAreRead() throws {
    let scratch = try Scratch()
    for (format, layout) in [("rgb24", PixelLayout(.rgb, bitDepth: 8)), ("rgb48le", PixelLayout(.rgb, bitDepth: 16))] {
      let path = try scratch.clip(
        "\(format).jxl", frames: 1, ["-pix_fmt", format, "-distance", "0", "-modular", "1"])
      let still = try JXLReader.read(path)
      #expect(still.frame.layout == layout)
      #expect(still.frame.color.transfer == .sRGB)
      let raw = try Tool.ffmpeg.run(
        ["-i", path, "-f", "rawvideo", "-pix_fmt", layout.bitDepth == 8 ? "gbrp" : "gbrp16le", "-"])
      #expect(Pictures.hold(raw, still.frame))
    }
  }

  @Test func otherLayoutsAreRefused() {
    let frame = CodedFrame(
      size: Size(width: 8, height: 8), layout: PixelLayout(.rgb, bitDepth: 10), color: ImageSpace.sRGB.color)
    #expect(throws: ImageFileError.self) { try JXLEncoder().encode(frame) }
    let unknown = CodedFrame(
      size: Size(width: 8, height: 8), layout: PixelLayout(.rgb, bitDepth: 8),
      color: ColorDescription(primaries: .unspecified, transfer: .sRGB, matrix: .rgb, range: .full))
    #expect(throws: ImageFileError.self) { try JXLEncoder().encode(unknown) }
  }

  @Test func damagedFilesAreErrors() throws {
    let scratch = try Scratch()
    let path = try write(light(Size(width: 64, height: 64), unit: 203), scratch, distance: 0.5)
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for length in stride(from: 0, to: whole.count - 1, by: 11) {
      try Data(whole[..<length]).write(to: URL(fileURLWithPath: path))
      #expect(throws: ImageFileError.self) { try JXLReader.read(path) }
    }
    for index in stride(from: 0, to: whole.count, by: 5) {
      var bytes = whole
      bytes[index] ^= 0xFF
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      _ = try? JXLReader.read(path)
    }
    #expect(throws: ImageFileError.self) { try JXLReader.read(scratch.path("none.jxl")) }
  }
}
