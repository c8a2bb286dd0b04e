import Foundation
import Frames
import ImageFiles
import TestSupport
import Testing

@Suite struct CameraRawDamageTests {
  private func read(_ bytes: [UInt8], _ scratch: Scratch) throws -> CameraRaw? {
    let path = scratch.path("a.dng")
    // File systems flush a file that is written over.
    try? FileManager.default.removeItem(atPath: path)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try CameraRaw.read(path)
  }

  /// Ordinary TIFF files are none, nor is what has another header.
  @Test(arguments: [(1, 16), (1, 8), (3, 8), (3, 16)]) func picturesAreNoRaw(samples: Int, bits: Int) throws {
    let scratch = try Scratch()
    // Scanners and converters name the camera.
    var builder = TIFFBuilder(width: 64, height: 48, samplesPerPixel: samples, bits: bits) { _, x, _ in UInt32(x) }
    builder.photometric = samples == 1 ? 1 : 2
    #expect(try read(Array(builder.data()), scratch) == nil)
    #expect(throws: Never.self) { try TIFFReader.read(scratch.path("a.dng")) }
  }

  /// A grey picture that names its camera is one that LibRaw alone would take for a mosaic.
  @Test func greyPicturesOfCamerasAreNoRaw() throws {
    var fields: [Int: TIFFStructure.Field] = [
      256: .longs([48]), 257: .longs([32]), 258: .shorts([16]), 259: .shorts([1]), 262: .shorts([1]),
      271: .text("NIKON CORPORATION"), 272: .text("NIKON D700"), 273: .data(Array(repeating: 9, count: 48 * 32 * 2)),
      277: .shorts([1]), 278: .longs([32]), 279: .longs([48 * 32 * 2]), 284: .shorts([1]),
    ]
    let scratch = try Scratch()
    #expect(try read(TIFFStructure(fields).bytes, scratch) == nil)
    // The same samples under filters are camera raw.
    fields[262] = .shorts([32_803])
    #expect(try read(TIFFStructure(fields).bytes, scratch) != nil)
  }

  @Test func otherFilesAreNone() throws {
    let scratch = try Scratch()
    #expect(try CameraRaw.read(scratch.path("missing")) == nil)
    #expect(try read([], scratch) == nil)
    #expect(try read(Array("II*\0".utf8), scratch) == nil)
    // LibRaw would take it for a raw dump by its size.
    #expect(try read(Array(repeating: 0, count: 1_447_680), scratch) == nil)
  }

  /// CR2, RAF and ORF.
  @Test(arguments: [
    [0x49, 0x49, 0x2A, 0, 0x10, 0, 0, 0, 0x43, 0x52, 2, 0], Array("FUJIFILMCCD-RAW 0201".utf8),
    [0x49, 0x49, 0x52, 0x4F, 8, 0, 0, 0],
  ])
  func damagedHeadersAreSaid(_ header: [UInt8]) throws {
    let scratch = try Scratch()
    let error = #expect(throws: ImageFileError.self) {
      try read(header + Array(repeating: 0, count: 500), scratch)
    }
    #expect(error?.description.contains("camera raw") == true)
  }

  @Test func truncationIsSaid() throws {
    let scratch = try Scratch()
    let file = DNGBuilder().bytes
    for length in stride(from: 8, to: file.count, by: 97) {
      // Nothing is read where the directory is missing too.
      let raw = try? read(Array(file.prefix(length)), scratch)
      #expect(raw?.image == nil, "\(length)")
    }
    #expect(throws: ImageFileError.self) { try read(Array(file.dropLast(40)), scratch) }
  }

  @Test(arguments: 0..<4) func damageIsNoCrash(_ seed: Int) throws {
    let scratch = try Scratch()
    let file = DNGBuilder().bytes
    // Samples come last.
    let directory = 8..<file.count - 2 * 48 * 32
    var random = Xorshift(seed: UInt64(seed))
    for _ in 0..<60 {
      var bytes = file
      for _ in 0..<2 {
        bytes[Int.random(in: directory, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
      }
      guard let image = try? read(bytes, scratch)?.image else { continue }
      #expect(image.size.width * image.size.height <= file.count * 64 + 4096 * 2304)
    }
  }

  /// Sizes that no camera has, and those that the file cannot hold, are refused before samples take memory.
  @Test(arguments: [(60_000, 60_000), (16_000, 16_000)]) func impossibleSizes(width: Int, height: Int) throws {
    var builder = DNGBuilder()
    builder.fields = [256: .longs([width]), 257: .longs([height])]
    let scratch = try Scratch()
    let error = #expect(throws: ImageFileError.self) { try read(builder.bytes, scratch) }
    guard case .unsupported? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [(65_535, 30), (0, 0), (1_000_000, 1)]) func oddSizes(width: Int, height: Int) throws {
    var builder = DNGBuilder()
    builder.fields = [256: .longs([width]), 257: .longs([height])]
    let scratch = try Scratch()
    #expect(throws: ImageFileError.self) { try read(builder.bytes, scratch) }
  }

  @Test func levelsThatDoNotAscend() throws {
    var builder = DNGBuilder()
    builder.black = 20_000
    let error = #expect(throws: ImageFileError.self) { try read(builder.bytes, Scratch()) }
    #expect(error?.description.contains("white level") == true)
  }

  /// Green, cyan, magenta and yellow; grey; floating-point numbers.
  @Test func otherSensorsAreRefused() throws {
    let scratch = try Scratch()
    var colors = DNGBuilder()
    colors.fields = [33_422: .bytes([1, 3, 4, 5]), 50_710: .bytes([5, 3, 4, 1])]
    #expect(throws: ImageFileError.self) { try read(colors.bytes, scratch) }
    var grey = DNGBuilder()
    grey.fields = [262: .shorts([34_892]), 33_421: .bytes([]), 33_422: .bytes([])]
    #expect(throws: ImageFileError.self) { try read(grey.bytes, scratch) }
    var floats = DNGBuilder()
    floats.fields = [339: .shorts([3])]
    #expect(throws: ImageFileError.self) { try read(floats.bytes, scratch) }
  }
}
