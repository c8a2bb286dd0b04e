import Foundation
import ImageFiles
import TestSupport
import Testing

@Suite struct EXRDamageTests {
  /// OpenEXR says "out of memory" of chunks of PIZ and B44 that end too early: it is the file that is at fault.
  @Test(arguments: [UInt8(4), 6, 7]) func chunksThatEndTooEarly(_ compression: UInt8) throws {
    let values = [UInt16](repeating: 0x3800, count: 64)
    let channels = ["R", "G", "B"].map { EXRBuilder.Channel(name: $0, samples: .half(values)) }
    var bytes = EXRBuilder(parts: [EXRBuilder.Part(channels, data: [0, 0, 63, 0])]).data()
    // The value of the attribute, after its names and its size: 0 is "none".
    let name = Data("compression\0compression\0".utf8)
    let place = try #require(bytes.range(of: name)).upperBound + 4
    bytes[place] = compression
    // The size of the chunk stands before its data.
    let end = bytes.count - 3 * 64 * 2
    bytes.replaceSubrange(end - 4..<end, with: [20, 0, 0, 0])
    let scratch = try Scratch()
    let path = scratch.path("a.exr")
    try bytes.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: ImageFileError.self) { try EXRReader.read(path) }
    #expect(error != .outOfMemory)
  }
}
