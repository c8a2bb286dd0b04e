import Foundation
import Testing

import Capture

/// What the kernel's log says of formats that it does not offer.
@Suite struct KernelLogTests {
  @Test func unknownFormats() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("kmsg-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(
      """
      6,339,5140900,-;usb 1-1: New USB device found
      6,340,5140910,-;usb 1-1: Unknown video format 30313050-0000-0010-8000-00aa00389b71
      6,341,5140911,-;usb 1-1: Unknown video format 30313050-0000-0010-8000-00aa00389b71
      6,342,5140912,-;usb 1-1: Unknown video format 30313259-0000-0010-8000-00aa00389b71
      6,343,5140913,-;usb 1-1: Unknown video format zz

      """.utf8
    ).write(to: URL(fileURLWithPath: path))
    #expect(KernelLog.unknownFormats(in: path) == [FourCC("P010"), FourCC("Y210")])
    #expect(KernelLog.unknownFormats(in: "/nowhere").isEmpty && KernelLog.unknownFormats(in: "/").isEmpty)
  }

  @Test func devicesByNumber() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("dev-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["video10", "video2", "videoX", "vbi0", "v4l2"] {
      try Data().write(to: folder.appendingPathComponent(name))
    }
    #expect(CaptureDevice.paths(in: folder.path) == ["video2", "video10"].map { "\(folder.path)/\($0)" })
  }
}
