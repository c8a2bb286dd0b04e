import FFmpegIO
import Foundation
import Media
import TestSupport
import Testing

/// Damage is reported as damage, which a retry would not fix.
@Suite struct DamagedHeaderTests {
  private func expectDamage(_ bytes: Data, _ scratch: Scratch, _ name: String, _ comment: String) throws {
    let path = scratch.path(name)
    try bytes.write(to: URL(fileURLWithPath: path))
    do {
      let reader = try MediaReader(url: path)
      while try reader.readFrame() != nil {}
    } catch {
      #expect(error.kind != .temporary, "\(comment): \(error)")
    }
  }

  /// FFmpeg's demuxer says "input/output error" of a file that breaks off.
  @Test func matroskaThatBreaksOff() throws {
    let scratch = try Scratch()
    let path = try scratch.clip("whole.mkv", size: "64x64", frames: 3, ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for count in stride(from: 300, to: whole.count, by: 61) {
      try expectDamage(whole.prefix(count), scratch, "cut.mkv", "\(count) of \(whole.count) bytes")
    }
  }

  /// It says "out of memory" of tables that no memory could hold.
  @Test(arguments: ["stsd", "stsz", "stco", "stts", "ctts", "stsc", "elst", "avcC"], [8, 12])
  func tablesWithoutEnd(_ box: String, _ offset: Int) throws {
    let scratch = try Scratch()
    let path = try scratch.clip("whole.mp4", size: "64x64", frames: 5, ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = try #require(whole.range(of: Data(box.utf8))).lowerBound
    for count: [UInt8] in [[0x7F, 0xFF, 0xFF, 0xFF], [0x0F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF]] {
      var bytes = whole
      bytes.replaceSubrange(place + offset..<place + offset + 4, with: count)
      try expectDamage(bytes, scratch, "damaged.mp4", "\(box) \(count)")
      // The size of the box itself.
      bytes = whole
      bytes.replaceSubrange(place - 4..<place, with: count)
      try expectDamage(bytes, scratch, "damaged.mp4", "size of \(box) \(count)")
    }
  }
}
