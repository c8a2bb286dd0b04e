import ColorScience
import Frames
import Rendering
import Testing

/// Payload bytes, and which metadata is believed.
struct EDRMetadataTests {
  /// P3-D65, 1000 and 0.005 cd/m².
  static let displayInfo: [UInt8] = [
    0x33, 0xC2, 0x86, 0xC4, 0x1D, 0x4C, 0x0B, 0xB8, 0x84, 0xD0, 0x3E, 0x80, 0x3D, 0x13, 0x40, 0x42, 0x00, 0x98, 0x96,
    0x80, 0x00, 0x00, 0x00, 0x32,
  ]
  static let contentInfo: [UInt8] = [0x03, 0xE8, 0x01, 0x90]
  static let ambient: [UInt8] = [0x00, 0x2F, 0xE9, 0xA0, 0x3D, 0x13, 0x40, 0x42]

  @Test func `Payloads are read and written byte for byte`() throws {
    let display = try MasteringDisplay(seiPayload: Self.displayInfo)
    #expect(display.green == .init(x: 13_250, y: 34_500) && display.blue == .init(x: 7500, y: 3000))
    #expect(display.red == .init(x: 34_000, y: 16_000) && display.white == .init(x: 15_635, y: 16_450))
    #expect(display.maxNits == 1000 && display.minNits == 0.005)
    #expect(display.seiPayload == Self.displayInfo)
    let light = try ContentLight(seiPayload: Self.contentInfo)
    #expect(light == ContentLight(maxCLL: 1000, maxFALL: 400) && light.seiPayload == Self.contentInfo)
    let ambient = try AmbientViewing(seiPayload: Self.ambient)
    #expect(ambient == AmbientViewing(illuminance: 3_140_000, lightX: 15_635, lightY: 16_450))
    #expect(ambient.lux == 314 && ambient.seiPayload == Self.ambient)
  }

  @Test(arguments: [0, 3, 5, 7, 9, 23, 25])
  func `A wrong length is refused by name`(length: Int) {
    let bytes = [UInt8](repeating: 1, count: length)
    #expect(throws: EDRMetadataError.displayInfo(.wrongLength(expected: 24, actual: length))) {
      try EDRMetadata.hdr10(displayInfo: bytes, contentInfo: nil)
    }
    #expect(throws: EDRMetadataError.contentInfo(.wrongLength(expected: 4, actual: length))) {
      try EDRMetadata.hdr10(displayInfo: Self.displayInfo, contentInfo: bytes)
    }
    #expect(throws: EDRMetadataError.ambientViewingEnvironment(.wrongLength(expected: 8, actual: length))) {
      try EDRMetadata.hlg(ambientViewingEnvironment: bytes)
    }
  }

  @Test func `Constructors`() throws {
    let payloads = try EDRMetadata.hdr10(
      displayInfo: Self.displayInfo, contentInfo: Self.contentInfo, opticalOutputScale: 203)
    #expect(payloads.kind == .hdr10(opticalOutputScale: 203) && payloads.contentPeak == 1000)
    #expect(payloads.contentBlack == 0.005 && payloads.ignored.isEmpty)
    let nothing = try EDRMetadata.hdr10(displayInfo: nil, contentInfo: nil)
    #expect(nothing == .hdr10(minLuminance: 0, maxLuminance: 1000, opticalOutputScale: 100))
    #expect(EDRMetadata.hlg.kind == .hlg && EDRMetadata.hlg.contentPeak == 1000 && EDRMetadata.isAvailable)
    #expect(try EDRMetadata.hlg(ambientViewingEnvironment: Self.ambient).ambientViewing?.lux == 314)
  }

  /// Mastering range in cd/m², MaxCLL, the peak that follows and how many values are not believed: dark content is.
  static let choices: [(Double?, Double?, UInt16?, Double, Int)] = [
    (0.005, 812, 406, 406, 0), (0.005, 812, 0, 812, 1), (0.005, 4000, nil, 4000, 0), (nil, nil, 600, 600, 0),
    (nil, nil, nil, 1000, 0), (0.005, 79, nil, 1000, 1), (0.005, 10_001, nil, 1000, 1), (500, 500, nil, 1000, 1),
    (500, 400, 300, 300, 1), (0.005, 4000, 79, 4000, 0), (0.005, 4000, 10_001, 4000, 1), (0, 0, 0, 1000, 2),
    (0.005, 4000, 80, 80, 0), (0.005, 10_000, nil, 10_000, 0),
  ]

  @Test(arguments: choices)
  func `Nonsense is named and not obeyed`(
    min: Double?, max: Double?, maxCLL: UInt16?, peak: Double, ignored: Int
  ) throws {
    var metadata = HDRMetadata()
    if let min, let max {
      metadata.masteringDisplay = try MasteringDisplay(seiPayload: Self.displayInfo)
      metadata.masteringDisplay?.minLuminance = UInt32(min * MasteringDisplay.luminanceUnits)
      metadata.masteringDisplay?.maxLuminance = UInt32(max * MasteringDisplay.luminanceUnits)
    }
    metadata.contentLight = maxCLL.map { ContentLight(maxCLL: $0, maxFALL: 0) }
    let found = try #require(EDRMetadata.describing(transfer: .pq, metadata: metadata))
    #expect(found.contentPeak == peak && found.ignored.count == ignored, "\(found.ignored)")
    #expect(found.contentBlack < found.contentPeak)
  }

  @Test func `Numbers that are none are not believed`() {
    for (min, max) in [(Double.nan, 1000.0), (0.1, .nan), (-1, 1000), (0, .infinity)] {
      let found = EDRMetadata.hdr10(minLuminance: min, maxLuminance: max)
      #expect(found.contentPeak == 1000 && found.contentBlack == 0 && found.ignored.count == 1)
    }
  }

  @Test func `The transfer decides the kind`() {
    for transfer in TransferCharacteristics.allCases {
      let found = EDRMetadata.describing(transfer: transfer, metadata: HDRMetadata())
      #expect((found != nil) == [.pq, .hlg, .linear].contains(transfer))
    }
    #expect(EDRMetadata.describing(transfer: .hlg, metadata: HDRMetadata()) == .hlg)
    var metadata = HDRMetadata()
    metadata.ambientViewing = AmbientViewing(illuminance: 50_000, lightX: 15_635, lightY: 16_450)
    #expect(EDRMetadata.describing(transfer: .hlg, metadata: metadata)?.ambientViewing?.lux == 5)
  }
}
