import Foundation
import Testing

/// The README's example is the file beside this one, and it works.
@Suite struct ExampleTests {
  static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  static let package = tests.deletingLastPathComponent().deletingLastPathComponent()

  @Test func readmeShowsTheExample() throws {
    let example = try String(contentsOf: Self.tests.appendingPathComponent("BrightestPixels.swift"), encoding: .utf8)
    let readme = try String(contentsOf: Self.package.appendingPathComponent("README.md"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(example)```"))
  }

  @Test(arguments: ["hdr10-sample.mp4", "hlg-sample.mp4"])
  func exampleRuns(_ name: String) throws {
    let path = Self.package.appendingPathComponent("media/\(name)").path
    let bright = try brightestPixels(ofFileAt: path, headroom: 4)
    #expect(bright.count == 72)
    // The samples have highlights of about 1000 cd/m², which a headroom of 4 maps to 4.
    #expect(bright.allSatisfy { $0 > 2 && $0 <= 4.01 }, "\(bright)")
    let dim = try brightestPixels(ofFileAt: path, headroom: 1)
    #expect(dim.allSatisfy { $0 > 0.5 && $0 <= 1.001 }, "\(dim)")
  }
}
