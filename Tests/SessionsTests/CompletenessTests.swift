import Foundation
import Testing

/// Every case of every diagnostic is expected by some test of this folder, or listed here with the reason why not.
@Suite struct CompletenessTests {
  /// What no request can bring about in this process.
  private static let unprovoked: [(name: String, reason: String)] =
    [
      ("streams.hasNoAudioEncoder", "It needs a container that holds audio and has no usual encoder: FFmpeg has none."),
      ("preview.cannotRecordAgain", "It needs standard output, which is that of the tests."),
      ("film.submitted", "It needs Slurm: `tools/check-farm` brings it about."),
      ("film.isCancelled", "It is noticed with the next sign of life: `tools/check-farm` waits for that."),
      ("film.pieceFailed", "It needs an encoder or a decoder that fails."),
      ("film.isStopped", "It needs a signal in the middle of a piece: `tools/check-farm` sends some."),
      ("film.isFaulty", "It needs an encoder or a decoder that fails."),
      ("serve.serverHasEnded", "It needs a server that is killed: `ServeCommandTests` of the command line do."),
      ("serve.goesOnWithoutServer", "It needs a server that is killed: `ServeCommandTests` of the command line do."),
      ("serve.encoderIsSlow", "It needs an encoder that is slower than the machine."),
      ("serve.cannotEncode", "It needs an encoder that fails."),
      ("library.cannotList", "It needs a folder that the tests may not read, and they may be root."),
      ("pattern.hasNoLabels", "The font is looked for once in a process, where its environment says."),
      (
        "source.hasUnsupportedPrimaries",
        "Of all codes only 'unspecified' has no primaries, and others are assumed in its place before."
      ),
    ]
    + devices.map {
      ($0, "It needs a device: `PreviewDeviceTests` of the command line, or `RenderAdaptationTests`, bring it about.")
    }

  private static let devices = [
    "input.isNotPrepared", "input.hasNoStart", "input.isNoDevice", "input.deliversNothing", "input.hasLostFrames",
    "preview.mode",
    "preview.noSignal",
    "preview.signal", "preview.restarted", "preview.unplugged", "preview.reconnected", "preview.rate", "preview.scale",
    "preview.recordingDropped", "preview.recordingIsSlow", "preview.recordingKeepsItsSize", "preview.hasNoScreen",
    "preview.recordingIsKept", "preview.recordsLight", "preview.recordsFast", "preview.latency",
    "constantColor.drivesFlash", "constantColor.waitsForLamp", "constantColor.adaptsItself",
    "constantColor.isTakenWith", "constantColor.clips", "constantColor.drowns", "constantColor.flashIsWeak",
  ]

  private struct Case {
    var enumeration: String
    var name: String
    /// "input.reader"; "manyNumbers" of an enumeration that is in another.
    var path: String
    /// What a test that expects it has somewhere, without spaces: ".family(.name", or ".name".
    var mark: String
  }

  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let diagnostics = tests.deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/Sessions/Diagnostics")

  private static func text(of folder: URL, without excluded: String = "") throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".swift") && $0 != excluded }
      .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
  }

  /// The cases in the sources, each with the name of its enumeration.
  private static func declared() throws -> [(enumeration: String, names: [String], type: String)] {
    var enumeration = ""
    return try text(of: diagnostics).joined(separator: "\n").split(separator: "\n").compactMap { line in
      let words = line.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).map(String.init)
      if let place = words.firstIndex(of: "enum") { enumeration = words[place + 1] }
      guard words.first == "case" else { return nil }
      // A case with values, or with a text, is alone in its line.
      let isAlone = line.contains("(") || line.contains("=")
      return (enumeration, isAlone ? [words[1]] : Array(words[1...]), isAlone ? words[2] : "")
    }
  }

  private static func cases() throws -> [Case] {
    let declared = try declared()
    let families = Dictionary(
      uniqueKeysWithValues: declared.filter { $0.enumeration == "Diagnostic" && $0.type.hasSuffix("Diagnostic") }
        .map { ($0.type, $0.names[0]) })
    #expect(families.count == 18)
    return declared.flatMap { entry in
      entry.names.map { name in
        let family = families[entry.enumeration]
        // A parameter is an argument.
        let own = entry.enumeration == "Parameter" ? ",.\(name)" : ".\(name)"
        return Case(
          enumeration: entry.enumeration, name: name, path: family.map { "\($0).\(name)" } ?? name,
          mark: family.map { ".\($0)(.\(name)" } ?? own)
      }
    }
  }

  /// All marks of a text.
  private static func marks(in text: String) -> Set<String> {
    var marks: Set<String> = []
    var before: Substring = ""
    for part in text.filter({ !$0.isWhitespace }).split(separator: ".", omittingEmptySubsequences: false) {
      let name = part.prefix { $0.isLetter || $0.isNumber }
      marks.insert(".\(name)")
      if let last = before.last, "(:,[".contains(last) { marks.insert(",.\(name)") }
      if before.last == "(" { marks.insert(".\(before).\(name)") }
      before = part
    }
    return marks
  }

  @Test func everyDiagnosticIsExpectedByATest() throws {
    let marks = try Self.marks(in: Self.text(of: Self.tests, without: "CompletenessTests.swift").joined())
    let cases = try Self.cases()
    #expect(cases.count > 190)
    for found in cases {
      let isNamed = marks.contains(found.mark)
      let isListed = Self.unprovoked.contains { $0.name == found.path }
      #expect(isNamed != isListed, "\(found.enumeration).\(found.name): tests have no '\(found.mark)', or too much")
    }
    let paths = Set(cases.map(\.path))
    for (name, reason) in Self.unprovoked { #expect(paths.contains(name) && reason.hasSuffix("."), "\(name)") }
  }
}
