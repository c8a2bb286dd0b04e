public import Foundation

/// A folder that is removed when the test is over.
public final class Scratch {
  public let folder: URL

  private static let prefix = FileManager.default.temporaryDirectory.appendingPathComponent("headroom-").path

  public init() throws {
    folder = URL(fileURLWithPath: Self.prefix + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Scratch folders that are named somewhere in a text.
  static func folders(in text: String) -> [String] {
    text.ranges(of: prefix).map { prefix + text[$0.upperBound...].prefix(36) }
  }

  public func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  public var contents: [String] { Self.names(in: folder.path) }

  /// The same from any thread.
  public static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  /// Waits until a run has written some bytes, or has ended: what it writes has a name of its own meanwhile.
  public func waitForPart(of process: Process, bytes: Int = 0) {
    func hasBegun() -> Bool {
      contents.contains { name in
        guard name.hasSuffix(".part") else { return false }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path(name))
        return (attributes?[.size] as? Int).map { $0 >= bytes } ?? false
      }
    }
    while process.isRunning, !hasBegun() { Thread.sleep(forTimeInterval: 0.01) }
  }

  /// A clip of moving bars made by ffmpeg's own source.
  /// - Parameter arguments: Further inputs come first.
  public func clip(
    _ name: String, size: String = "128x96", rate: Int = 25, frames: Int = 10, _ arguments: [String] = []
  ) throws -> String {
    let source = "testsrc2=size=\(size):rate=\(rate)"
    try Tool.ffmpeg.run(
      ["-f", "lavfi", "-i", source] + arguments + ["-frames:v", "\(frames)", "-y", path(name)])
    return path(name)
  }
}
