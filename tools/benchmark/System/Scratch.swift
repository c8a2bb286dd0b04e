internal import Foundation

/// A folder for frames and clips, in memory if there is room; removed with all its contents.
package final class Scratch {
  /// Maximum space for frames, clips and encoded outputs.
  private static let needed = 512 << 20

  let folder: URL

  package init() throws {
    let shared = URL(fileURLWithPath: "/dev/shm")
    let parent = Self.hasRoom(shared) ? shared : FileManager.default.temporaryDirectory
    folder = parent.appendingPathComponent("headroom-bench-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    } catch {
      throw BenchmarkFailure(
        "No folder for the input frames could be made in '\(parent.path)': \(error.localizedDescription). "
          + "Set TMPDIR to a folder that can be written.")
    }
  }

  private static func hasRoom(_ folder: URL) -> Bool {
    guard FileManager.default.isWritableFile(atPath: folder.path) else { return false }
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
    return (attributes?[.systemFreeSize] as? NSNumber)?.intValue ?? 0 >= needed
  }

  package func remove() { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
