import Foundation
import Frames
import ImageFiles
import TestSupport
import Testing

@Suite struct TIFFBoundsTests {
  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Rows of 16-bit R'G'B', each said to lie where the first one does.
  private static func file(side: Int) -> [UInt8] {
    let row = [UInt8](repeating: 0x80, count: 6 * side)
    let offsets = 8 + row.count
    let counts = offsets + 4 * side
    let bits = counts + 4 * side
    let entries: [(tag: Int, type: Int, count: Int, value: Int)] = [
      (256, 4, 1, side), (257, 4, 1, side), (258, 3, 3, bits), (259, 3, 1, 1), (262, 3, 1, 2), (273, 4, side, offsets),
      (277, 3, 1, 3), (278, 4, 1, 1), (279, 4, side, counts), (284, 3, 1, 1),
    ]
    var bytes = [0x49, 0x49, 42, 0] + little(bits + 6, 4) + row
    for _ in 0..<side { bytes += little(8, 4) }
    for _ in 0..<side { bytes += little(row.count, 4) }
    bytes += [16, 0, 16, 0, 16, 0] + little(entries.count, 2)
    for entry in entries {
      bytes += little(entry.tag, 2) + little(entry.type, 2) + little(entry.count, 4) + little(entry.value, 4)
    }
    return bytes + [0, 0, 0, 0]
  }

  /// 57 KB that would be 100 MB of pixels; a small picture of this kind is read.
  @Test func rowsInOnePlaceAreNoPictureOfAnySize() throws {
    let scratch = try Scratch()
    let path = scratch.path("a.tiff")
    try Data(Self.file(side: 64)).write(to: URL(fileURLWithPath: path))
    #expect(try TIFFReader.read(path).frame.sample(plane: 0, x: 5, y: 60) == 0x8080)
    try Data(Self.file(side: 4096)).write(to: URL(fileURLWithPath: path))
    #expect(throws: ImageFileError.self) { try TIFFReader.read(path) }
  }
}
