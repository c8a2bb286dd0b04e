import Foundation
import TestSupport
import Testing

/// The README's example is the file beside this one, and it works.
@Suite struct ExampleTests {
  static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  static let package = tests.deletingLastPathComponent().deletingLastPathComponent()

  @Test func readmeShowsTheExample() throws {
    let example = try String(contentsOf: Self.tests.appendingPathComponent("Transcoding.swift"), encoding: .utf8)
    let readme = try String(contentsOf: Self.package.appendingPathComponent("README.md"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(example)```"))
    #expect(example.split(separator: "\n").count <= 15)
  }

  /// The library and the command line write the same bytes. Not with x264: its encoders share tables that each computes
  /// again when it opens, so that encoders of other tests affect the result.
  @Test(arguments: ["hdr10-sample.mp4", "hlg-sample.mp4"], ["y4m", "nut"])
  func exampleRuns(_ name: String, _ suffix: String) throws {
    let path = Self.package.appendingPathComponent("media/\(name)").path
    let scratch = try Scratch()
    let (library, program) = (scratch.path("library.\(suffix)"), scratch.path("program.\(suffix)"))
    try transcode(path, to: library)
    // Products lie beside the test bundle.
    let url = Bundle.main.bundleURL.appendingPathComponent("headroom")
    let process = try Process.run(
      url, arguments: ["transcode", path, "-o", program, "--sdr-white", "100", "--peak", "200", "-q"])
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    // Not the bytes themselves: the test library would look for their difference for minutes.
    #expect(FileManager.default.contentsEqual(atPath: library, andPath: program))
  }
}
