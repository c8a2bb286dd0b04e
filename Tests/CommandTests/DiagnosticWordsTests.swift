import Foundation
import Sessions
import Testing

import headroom

/// The wording of every diagnostic: whole sentences, with the values, and with existing options.
@Suite struct DiagnosticWordsTests {
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The cases of each enumeration of the diagnostics, as its source has them.
  private static let cases: [(enumeration: String, name: String)] = {
    let folder = package.appendingPathComponent("Sources/Sessions/Diagnostics")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let lines = files.sorted().filter { $0.hasSuffix("Diagnostic.swift") }.flatMap { file -> [Substring] in
      let text = (try? String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)) ?? ""
      return text.split(separator: "\n")
    }
    var enumeration = ""
    return lines.flatMap { line -> [(String, String)] in
      let words = line.split(whereSeparator: { !$0.isLetter && !$0.isNumber })
      if let place = words.firstIndex(of: "enum") { enumeration = String(words[place + 1]) }
      guard words.first == "case" else { return [] }
      // Cases with values stand alone; of others there may be many in a line.
      let isAlone = line.contains("(") || line.contains("=")
      return (isAlone ? words[1..<2] : words[1...]).map { (enumeration, String($0)) }
    }
  }()

  @Test func everyDiagnosticHasAnExample() {
    let examples = DiagnosticExamples.all.map { "\($0.diagnostic)" }
    let enumerations = Set(Self.cases.map(\.enumeration)).filter { $0.hasSuffix("Diagnostic") }
    #expect(enumerations.count == 19)
    for (enumeration, name) in Self.cases where enumerations.contains(enumeration) {
      if enumeration == "Diagnostic" {
        #expect(examples.contains { $0.hasPrefix(name + "(") }, "\(name)")
      } else {
        let text = "Sessions.\(enumeration).\(name)"
        #expect(examples.contains { $0.contains(text + "(") || $0.contains(text + ")") }, "\(text)")
      }
    }
  }

  @Test(arguments: DiagnosticExamples.all.indices)
  func wordsAreASentenceWithTheValues(_ index: Int) throws {
    let (diagnostic, values) = DiagnosticExamples.all[index]
    let words = Wording.english.diagnostic(diagnostic)
    for value in values { #expect(words.contains(value), "'\(value)' in: \(words)") }
    // What is to be copied into a command line ends as it does.
    if case .output(.isUntagged) = diagnostic {} else { #expect(words.hasSuffix("."), "\(words)") }
    #expect(!words.hasSuffix("..") && !words.contains("  ") && !words.contains("\n"), "\(words)")
    for code in ["Optional(", "Sessions.", "nil", "Diagnostic", "(name:"] {
      #expect(!words.contains(code), "\(words)")
    }
    let parts = words.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" })
    let names = Set(Self.cases.map(\.name).filter { $0.contains(where: \.isUppercase) })
    #expect(parts.allSatisfy { !names.contains(String($0)) }, "\(words)")
  }

  private func options(_ text: String) throws -> [String] {
    let option = try Regex(#"(?:^|[^a-z-])(--[a-z][a-z0-9-]*[a-z0-9]|-c:[avs]|-[a-z0-9]+-params)"#)
    return text.matches(of: option).compactMap { $0.output[1].substring.map(String.init) }
  }

  private func manual() throws -> String {
    let text = try String(contentsOf: Self.package.appendingPathComponent("docs/man/headroom.1"), encoding: .utf8)
    return text.replacing("Fl -", with: "--").replacing(" , -", with: " --").replacing("Fl c:", with: "-c:")
      .replacing(#/Fl ([a-z0-9]+-params)/#) { "-" + $0.output.1 }
  }

  @Test func optionsThatAreNamedExist() throws {
    let known = Set(try options(manual()))
    #expect(known.count > 80 && known.contains("--peak") && known.contains("-c:v"))
    for (diagnostic, _) in DiagnosticExamples.all {
      // Options of other programs.
      if case .output(.isUntagged) = diagnostic { continue }
      let words = Wording.english.diagnostic(diagnostic)
      let missing = try options(words).filter { !known.contains($0) }
      #expect(missing.isEmpty, "\(words)")
    }
    for parameter in Parameter.allCases {
      let words = Wording.english.diagnostic(.outOfRange(parameter, "3", "1", "2"))
      let named = try options(words)
      let missing = named.filter { !known.contains($0) }
      #expect(words.hasPrefix("-") && !named.isEmpty && missing.isEmpty, "\(words)")
    }
  }

  @Test func strictnessIsSaid() throws {
    var request = TranscodeRequest(input: Self.package.appendingPathComponent("media/hlg-sample.mp4").path, output: nil)
    request.coding.format = "null"
    (request.mapping.chosenKind, request.mapping.peak, request.input.isStrict) = (.hlg, 600, true)
    let refusal = #expect(throws: Refusal.self) { try Session().plan(request) }
    let words = refusal.map { Wording.english.diagnostic($0.diagnostic) }
    #expect(try Wording.english.error(#require(refusal)) == "\(#require(words)) (--strict)")
  }
}
