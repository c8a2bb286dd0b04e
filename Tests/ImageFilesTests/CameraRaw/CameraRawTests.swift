import ColorScience
import Foundation
import Frames
import ImageFiles
import TestSupport
import Testing

@Suite struct CameraRawTests {
  private static let bayer = [[0, 1, 1, 2], [2, 1, 1, 0], [1, 0, 2, 1], [1, 2, 0, 1]]
  private static let xTrans = [
    1, 1, 0, 1, 1, 2, 1, 1, 2, 1, 1, 0, 2, 0, 1, 0, 2, 1, 1, 1, 2, 1, 1, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, 2, 0, 1,
  ]

  private func read(_ builder: DNGBuilder) throws -> CameraRaw? {
    let scratch = try Scratch()
    try builder.write(to: scratch.path("picture.jpg"))
    return try CameraRaw.read(scratch.path("picture.jpg"))
  }

  /// Samples of two even areas, left and right, by colour.
  private static let areas = [[3000, 9000, 700], [400, 512, 16_383]]

  private static func light(_ sample: Int, black: Int = 512, white: Int = 16_383) -> Float {
    Float(sample - black) / Float(white - black)
  }

  @Test(arguments: bayer + [xTrans, []], [false, true])
  func evenAreasAreExact(_ filters: [Int], isBigEndian: Bool) throws {
    let builder = DNGBuilder(filters: filters, isBigEndian: isBigEndian) { color, x, _ in Self.areas[x / 24][color] }
    let image = try #require(try read(builder)).image
    #expect(image.size == Size(width: 48, height: 32))
    for (area, columns) in [0..<21, 27..<48].enumerated() {
      for channel in 0..<3 {
        // Below black, and at it and white, nothing is cut off.
        let expected = Self.light(Self.areas[area][channel])
        var error: Float = 0
        for y in 0..<32 {
          for x in columns { error = max(error, abs(image[channel, x, y] - expected)) }
        }
        #expect(error < 1e-6, "\(filters) area \(area) channel \(channel)")
      }
    }
  }

  /// Slopes are interpolated without error away from the edges, by gradients too.
  @Test(arguments: bayer) func slopesAreExact(_ filters: [Int]) throws {
    let slope = { (color: Int, x: Int, y: Int) in 600 + 200 * color + (50 + 30 * color) * x + (20 + 10 * color) * y }
    let image = try #require(try read(DNGBuilder(filters: filters, sample: slope))).image
    for y in 2..<30 {
      for x in 2..<46 {
        for channel in 0..<3 { #expect(abs(image[channel, x, y] - Self.light(slope(channel, x, y))) < 1e-5) }
      }
    }
  }

  /// An edge of a grey thing is grey, though the camera's response to white is not balanced.
  @Test func edgesOfGreyKeepTheirHue() throws {
    let matrix = DNGBuilder.matrix
    let white = [0.3127 / 0.329, 1, (1 - 0.3127 - 0.329) / 0.329]
    let response = (0..<3).map { row in (0..<3).map { matrix[3 * row + $0] * white[$0] }.reduce(0, +) }
    let edge = DNGBuilder { color, x, y in 512 + Int((response[color] * (x + y < 40 ? 2000 : 12_000)).rounded()) }
    let image = try #require(try read(edge)).image
    var worst = 0.0
    for y in 2..<30 {
      for x in 2..<46 {
        let balanced = (0..<3).map { Double(image[$0, x, y]) / response[$0] * 15_871 / 12_000 }
        worst = max(worst, (balanced.max() ?? 0) - (balanced.min() ?? 0))
      }
    }
    // It is 0.31; with gradients that are not balanced 0.57.
    #expect(worst < 0.33, "\(worst)")
  }

  @Test func blackOfEachSite() throws {
    var builder = DNGBuilder { color, x, y in 1000 + 100 * color + 10 * (x & 1) + 20 * (y & 1) }
    builder.fields = [50_713: .shorts([2, 2]), 50_714: .longs([500, 510, 520, 530])]
    let image = try #require(try read(builder)).image
    // Green sites have blacks of 510 and 520.
    for (x, y, channel) in [(10, 10, 0), (11, 10, 1), (10, 11, 1), (11, 11, 2)] {
      let black = 500 + 10 * (x & 1) + 20 * (y & 1)
      #expect(abs(image[channel, x, y] - Self.light(500 + 100 * channel + black, black: black)) < 1e-6)
    }
  }

  @Test func descriptionOfTheSamples() throws {
    var builder = DNGBuilder(orientation: 1)
    builder.fields = [
      0x8769: .directory(
        TIFFStructure([
          0x829A: .rationals([(1, 60)]), 0x829D: .rationals([(56, 10)]), 0x8827: .shorts([800]), 0x9209: .shorts([1]),
        ])),
      // NoiseProfile of three planes.
      51_041: .doubles([1e-4, 1e-6, 2e-4, 2e-6, 3e-4, 3e-6]),
    ]
    let description = try #require(try read(builder)).image.description
    guard case .camera(let name, let toXYZ?) = description.components else {
      Issue.record("not a camera's components: \(description.components)")
      return
    }
    #expect(name == "Maker Model 1")
    let values = DNGBuilder.matrix
    let identity =
      Matrix3(
        SIMD3(values[0], values[1], values[2]), SIMD3(values[3], values[4], values[5]),
        SIMD3(values[6], values[7], values[8])) * toXYZ
    for row in 0..<3 {
      for column in 0..<3 { #expect(abs(identity[row, column] - (row == column ? 1 : 0)) < 1e-6) }
    }
    #expect(description.saturation == SIMD3(1, 1, 1))
    #expect(abs(description.quantum - 1.0 / 15_871) < 1e-9)
    #expect(description.exposure == Exposure(seconds: 1.0 / 60, fNumber: 5.6, sensitivity: 800, flashFired: true))
    #expect(description.noise == NoiseModel(shot: SIMD3(1e-4, 2e-4, 3e-4), read: SIMD3(1e-6, 2e-6, 3e-6)))
  }

  @Test func withoutMetadata() throws {
    var builder = DNGBuilder()
    builder.fields = [50_721: .bytes([0]), 51_041: .doubles([1e-4, .nan])]
    let raw = try #require(try read(builder))
    #expect(raw.image.description.components == .camera(name: "Maker Model 1", toXYZ: nil))
    #expect(raw.image.description.exposure == nil)
    #expect(raw.image.description.noise == nil)
    #expect(raw.notes == ["The file states no colour matrix, and LibRaw knows none of this camera."])
  }

  /// The matrix for D65, wherever it stands, as the camera's calibration changes it.
  /// An ordinary TIFF may state its kind in any type, and as no number: it is no camera raw, nor a crash.
  @Test(arguments: [
    TIFFStructure.Field.doubles([.nan]), .doubles([1e300]), .rationals([(1, 0)]), .signedRationals([(-1, 0)]),
    .longs([Int(UInt32.max)]),
  ])
  func kindsOfTIFFThatAreNoNumbers(_ kind: TIFFStructure.Field) throws {
    let scratch = try Scratch()
    let path = scratch.path("picture.tif")
    let fields: [Int: TIFFStructure.Field] = [
      0xFE: kind, 0x100: .shorts([8]), 0x101: .shorts([8]), 0x102: .shorts([16]), 0x106: .shorts([1]),
    ]
    try Data(TIFFStructure(fields).bytes).write(to: URL(fileURLWithPath: path))
    #expect(throws: Never.self) { _ = try? CameraRaw.read(path) }
  }

  @Test(arguments: [false, true]) func matrixNearestD65(isFirst: Bool) throws {
    var builder = DNGBuilder()
    let other = DNGBuilder.matrix.map { 0.7 * $0 }
    builder.fields = [
      50_721: DNGBuilder.rationals(isFirst ? DNGBuilder.matrix : other),
      50_722: DNGBuilder.rationals(isFirst ? other : DNGBuilder.matrix),
      50_778: .shorts([isFirst ? 21 : 17]), 50_779: .shorts([isFirst ? 17 : 21]),
      (isFirst ? 50_723 : 50_724): DNGBuilder.rationals([2, 0, 0, 0, 1, 0, 0, 0, 1]),
    ]
    let components = try #require(try read(builder)).image.description.components
    guard case .camera(_, let toXYZ?) = components else {
      Issue.record("no matrix")
      return
    }
    let stated = toXYZ.inverse
    #expect(abs(stated[0, 0] - 1.3) < 1e-4 && abs(stated[1, 1] - 1.2) < 1e-4 && abs(stated[2, 1] - 0.2) < 1e-4)
  }

  @Test(arguments: 1...8) func orientations(_ code: Int) throws {
    let raw = try #require(try read(DNGBuilder(orientation: code)))
    #expect(raw.orientation == Orientation(exif: code))
    #expect(raw.image.size == Size(width: 48, height: 32))
  }

  /// LibRaw's table has this camera's colours; black is 0.
  @Test func aCamerasOwnFormat() throws {
    var builder = DNGBuilder(orientation: 8) { color, _, _ in 4000 + 1000 * color }
    builder.fields = [0x8769: .directory(TIFFStructure([0x829A: .rationals([(1, 60)]), 0x9209: .shorts([0])]))]
    let scratch = try Scratch()
    let path = scratch.path("picture")
    try Data(builder.ownFormat(maker: "NIKON CORPORATION", model: "NIKON D700")).write(to: URL(fileURLWithPath: path))
    let raw = try #require(try CameraRaw.read(path))
    guard case .camera(let name, let toXYZ?) = raw.image.description.components else {
      Issue.record("no matrix")
      return
    }
    #expect(name == "Nikon D700")
    // Adobe's matrix for D65: 8139 -2171 -663 / -8747 16541 2295 / -1925 2008 8093.
    #expect(abs(toXYZ.inverse[0, 0] - 0.8139) < 1e-4 && abs(toXYZ.inverse[2, 1] - 0.2008) < 1e-4)
    #expect(raw.image.description.exposure == Exposure(seconds: 1.0 / 60, flashFired: false))
    #expect(raw.orientation == .counterclockwise)
    let light = (0..<3).map { raw.image[$0, 20, 20] }
    #expect(abs(light[1] / light[0] - 1.25) < 1e-5 && abs(light[2] / light[0] - 1.5) < 1e-5)
  }
}
