import Foundation
import Testing

/// Rules of the sources: who imports what, where words and loops are.
@Suite struct HouseTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  struct Source: Sendable {
    /// Below the folder: "Sessions/Running/Session.swift".
    let path: String
    let text: String
    var module: String { String(path.prefix { $0 != "/" }) }

    /// Lines without comments.
    let code: [Substring]

    init(path: String, text: String) {
      self.path = path
      self.text = text
      code = text.split(separator: "\n", omittingEmptySubsequences: false).filter {
        !$0.drop(while: \.isWhitespace).hasPrefix("//")
      }
    }
  }

  static let sources = swiftFiles(in: "Sources")

  private static func swiftFiles(in name: String) -> [Source] {
    let folder = root.appendingPathComponent(name)
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
      guard let text = try? String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8) else { return nil }
      return Source(path: path, text: text)
    }
  }

  @Test func sourcesAreThere() { #expect(Self.sources.count > 400) }

  /// SwiftPM ignores a folder of tests that the manifest does not name.
  @Test func allFoldersOfTestsAreTargets() throws {
    let manifest = try String(contentsOf: Self.root.appendingPathComponent("Package.swift"), encoding: .utf8)
    let tests = Self.root.appendingPathComponent("Tests").path
    for folder in try FileManager.default.contentsOfDirectory(atPath: tests) {
      #expect(manifest.contains("\"\(folder)\""), "\(folder)")
    }
  }

  /// The time limit of a test counts the time that it waits for a thread, which other tests may have for minutes. What hangs is ended by
  /// `tools/test`.
  @Test func testsHaveNoTimeLimits() {
    let limit = ".time" + "Limit("
    for test in Self.swiftFiles(in: "Tests") { #expect(!test.text.contains(limit), "\(test.path)") }
  }

  @Test func onlyProgramsHaveArguments() {
    for source in Self.sources where source.module != "headroom" {
      #expect(!source.text.contains("import ArgumentParser"), "\(source.path)")
    }
  }

  /// The network is one module's, which only its own program imports.
  @Test func onlyThePreviewServerImportsTheNetwork() {
    for source in Self.sources where source.module != "PreviewServer" {
      let imports = source.code.filter { $0.contains("import NIO") || $0.contains("import PreviewServer") }
      #expect(imports.isEmpty || source.module == "headroom-serve", "\(source.path)")
    }
  }

  /// Libraries know nothing about command line options: `--peak`, `-c:a`.
  @Test func onlyProgramsNameFlags() throws {
    let flag = try Regex(#"(^|[\s"'(`])(--[a-z][a-z-]+|-c:[vas])\b"#)
    for source in Self.sources where source.module != "headroom" {
      for line in source.code where line.contains(flag) {
        // Variables in styles of pages.
        let isStyle = source.path.hasSuffix("Style.swift") && (line.contains("var(--") || line.contains(": "))
        // Options of Slurm's programs, and commands in the scripts of its jobs.
        let isSlurm = source.path.hasPrefix("Farm/Slurm/")
        // Options of the encoders that read Y4M.
        let isOfEncoders = source.path == "Sessions/Messages/OutputMessages.swift" && !line.contains("Message(")
        #expect(isStyle || isSlurm || isOfEncoders, "\(source.path): \(line)")
      }
    }
  }

  /// 2,500 lines are for eleven verbs; each one more has its arguments. Words grow with the errors.
  @Test func theCommandLineOnlyTranslates() {
    let verbs = Self.sources.filter { $0.path.hasPrefix("headroom/Verbs/") }.count
    let lines = Self.sources.filter { $0.module == "headroom" && !$0.path.contains("/Words/") }.map {
      $0.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    }
    #expect(lines.reduce(0, +) <= 2500 + 200 * (verbs - 11))
  }

  private func places(_ call: String) -> [String] {
    Self.sources.filter { source in source.code.contains { $0.contains(call) } }.map(\.path)
  }

  /// `DurableFile` gives names to files that are on the disk. Others move what has a name already, or is not whole.
  @Test func filesGetTheirNamesInOnePlace() {
    #expect(places("Glibc.rename(") == ["Files/FileRenaming.swift"])
    #expect(
      places("FileRenaming.rename(") == [
        "Farm/Folder/Claim.swift", "Farm/Folder/FileFacts.swift", "Farm/Folder/WorkFolder+Records.swift",
        "Files/DurableFile.swift", "Media/Output/PartialName.swift",
      ])
    #expect(places(".atomic)").isEmpty && places("moveItem(").isEmpty)
  }

  /// Bands of light are iterated over in one place, frames are moved in one.
  @Test func loopsAreWrittenOnce() {
    #expect(places("pool.run(").isEmpty && places("workers.run(").isEmpty)
    // The limiter's pass comes after everything that is drawn on coded frames.
    #expect(
      places(".forEachBand(") == [
        "Rendering/FrameRenderer.swift",
        "Rendering/LinearScaler.swift", "Rendering/PeakLimiter.swift",
      ])
    #expect(places("pipeline.run(") == ["Sessions/Running/Session+Run.swift"])
    #expect(places("StreamPipeline(") == ["Sessions/Running/Session+Run.swift"])
    #expect(places("unpacker.unpack(") == ["Rendering/FrameRenderer.swift"])
  }

  /// FFmpeg stays in its module.
  @Test func onlyOneModuleImportsFFmpeg() {
    for source in Self.sources where source.module != "FFmpegIO" {
      #expect(!source.text.contains("import CFFmpeg"), "\(source.path)")
    }
    let lower: Set<String> = [
      "Media", "Bitstreams", "Compositing", "Frames", "ColorScience", "Rendering", "ToneMapping", "StreamPipeline",
      "Scopes",
    ]
    for source in Self.sources where lower.contains(source.module) {
      #expect(!source.text.contains("import FFmpegIO"), "\(source.path)")
    }
  }
}
