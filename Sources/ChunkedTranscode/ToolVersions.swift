internal import FFmpegIO
internal import Foundation
internal import Media
internal import Sessions

/// Versions of what renders and codes the frames: other versions may code them differently.
public struct ToolVersions: Sendable, Hashable, Codable {
  /// By what they are of: "headroom", "FFmpeg", "libx265".
  public let versions: [String: String]

  package init(_ versions: [String: String]) { self.versions = versions }

  /// Those of this process.
  /// - Parameter encoder: FFmpeg's name of the encoder.
  init(encoder: String?) {
    var versions = ["headroom": Program.name, "FFmpeg": FFmpegVersion.libraries]
    if let encoder, encoder.hasPrefix("lib") { versions[encoder] = Self.library(of: encoder) }
    self.versions = versions
  }

  /// The files of encoders' libraries: their names hold the version, which not every library tells.
  private static let files: [String: String] = [
    "libx264": "libx264.so", "libx265": "libx265.so", "libsvtav1": "libSvtAv1Enc.so", "libaom-av1": "libaom.so",
    "libvpx-vp9": "libvpx.so",
  ]

  /// The name of an encoder's library as the process has loaded it.
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

  /// How others differ: what, this version, the other.
  func difference(from other: ToolVersions) -> (tool: String, own: String, other: String)? {
    for tool in Set(versions.keys).union(other.versions.keys).sorted() where versions[tool] != other.versions[tool] {
      return (tool, versions[tool] ?? "none", other.versions[tool] ?? "none")
    }
    return nil
  }
}
