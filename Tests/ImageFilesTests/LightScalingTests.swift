import ColorScience
import Foundation
import Frames
import Media
import TestSupport
import Testing

import ImageFiles

/// Pictures of linear light at other sizes.
@Suite struct LightScalingTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// 64x32: 0 on the left, 40 on the right.
  private func write(_ name: String) throws {
    let frame = Pictures.frame(Size(width: 64, height: 32), .linearRGB, ImageSpace.linearBT2020.color, HDRMetadata()) {
      _, x, _ in x < 32 ? 0 : Int(Float16(40).bitPattern)
    }
    try Data(try EXREncoder(compression: .zip).encode(frame)).write(to: URL(fileURLWithPath: scratch.path(name)))
  }

  private func expectHalved(_ frame: CodedFrame?) throws {
    let frame = try #require(frame)
    #expect(frame.size == Size(width: 32, height: 16) && frame.layout == .linearRGB)
    for plane in 0..<3 {
      let light = frame.light(plane)
      #expect(light[3] == 0 && light[28] == 40 && light.allSatisfy { 0...40 ~= $0 })
    }
  }

  private let halved = PicturePreparation(
    deinterlacing: nil, crop: nil, scaling: PictureScaling(width: .samples(32), height: .ratio(multiple: 1)))

  @Test func stills() throws {
    try write("a.exr")
    let still = try #require(try StillReader(path: scratch.path("a.exr")))
    try still.prepare(halved)
    try expectHalved(try still.readFrame())
  }

  @Test func sequences() throws {
    for number in 0..<2 { try write("\(number).exr") }
    let sequence = try #require(try ImageSequence(pattern: scratch.path("%d.exr"), startNumber: nil))
    let reader = try SequenceReader(sequence)
    try reader.prepare(halved)
    for _ in 0..<2 { try expectHalved(try reader.readFrame()) }
  }
}
