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

  /// The library and the command line write the same bytes.
  @Test(arguments: ["hdr10-sample.mp4", "hlg-sample.mp4"])
  func exampleRuns(_ name: String) throws {
    let path = Self.package.appendingPathComponent("media/\(name)").path
    let scratch = try Scratch()
    try transcode(path, to: scratch.path("library.mp4"))
    let arguments = ["transcode", path, "-o", scratch.path("program.mp4"), "--sdr-white", "100", "--peak", "200", "-q"]
    // Products lie beside the test bundle.
    let url = Bundle.main.bundleURL.appendingPathComponent("headroom")
    let process = try Process.run(url, arguments: arguments)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: scratch.path(name))) }
    func frames(_ name: String) throws -> Data {
      try Tool.ffmpeg.run(["-i", scratch.path(name), "-map", "0:v", "-f", "framemd5", "-"])
    }
    let (library, program) = (try bytes("library.mp4"), try bytes("program.mp4"))
    if library != program {
      func settings(_ data: Data) -> String {
        guard let range = data.range(of: Data("x264 - core".utf8)) else { return "none" }
        return String(decoding: data[range.lowerBound...].prefix(900), as: UTF8.self)
      }
      print("LIBRARY", settings(library))
      print("PROGRAM", settings(program))
      try? FileManager.default.createDirectory(atPath: "/tmp/evidence", withIntermediateDirectories: true)
      try? library.write(to: URL(fileURLWithPath: "/tmp/evidence/library-\(name)"))
      try? program.write(to: URL(fileURLWithPath: "/tmp/evidence/program-\(name)"))
    }
    let areSame = library == program
    #expect(areSame, "\(library.count) and \(program.count) bytes")
  }
}
