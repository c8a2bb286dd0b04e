internal import FFmpegIO
internal import Foundation
internal import Media
internal import Sessions

/// Versions of the tools that render and encode: other versions may produce different frames.
public struct ToolVersions: Sendable, Hashable, Codable {
  /// Versions by tool: "headroom", "FFmpeg", "libx265".
  public let versions: [String: String]

  package init(_ versions: [String: String]) { self.versions = versions }

  /// The versions in this process.
  /// - Parameter encoder: FFmpeg's name of the encoder.
  init(encoder: String?) {
    var versions = ["headroom": Program.name, "FFmpeg": FFmpegVersion.libraries]
    if let encoder, encoder.hasPrefix("lib") { versions[encoder] = Self.library(of: encoder) }
    self.versions = versions
  }

  /// File names of encoder libraries, which contain the version; not every library reports it.
  private static let files: [String: String] = [
    "libx264": "libx264.so", "libx265": "libx265.so", "libsvtav1": "libSvtAv1Enc.so", "libaom-av1": "libaom.so",
    "libvpx-vp9": "libvpx.so",
  ]

  /// Returns the name of an encoder's library as loaded by this process.
  private static func library(of encoder: String) -> String {
    guard let name = files[encoder], let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else {
      return "built in"
    }
    for line in maps.split(separator: "\n") {
      guard let path = line.split(separator: " ").last, let slash = path.lastIndex(of: "/") else { continue }
      let file = path[path.index(after: slash)...]
      if file.hasPrefix(name) { return String(file) }
    }
    return "built in"
  }

  /// Returns the first difference: the tool, this version, the other.
  func difference(from other: ToolVersions) -> (tool: String, own: String, other: String)? {
    for tool in Set(versions.keys).union(other.versions.keys).sorted() where versions[tool] != other.versions[tool] {
      return (tool, versions[tool] ?? "none", other.versions[tool] ?? "none")
    }
    return nil
  }
}
