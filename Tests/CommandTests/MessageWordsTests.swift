import Foundation
import Sessions
import Testing

import headroom

/// How the command line spells the parameters of messages.
@Suite struct MessageWordsTests {
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private func options(_ text: String) throws -> [String] {
    let option = try Regex(#"(?:^|[^a-z-])(--[a-z][a-z0-9-]*[a-z0-9]|-c:[avs]|-[fo](?![a-z])|-[a-z0-9]+-params)"#)
    return text.matches(of: option).compactMap { $0.output[1].substring.map(String.init) }
  }

  private func manual() throws -> String {
    let text = try String(contentsOf: Self.package.appendingPathComponent("docs/man/headroom.1"), encoding: .utf8)
    return text.replacing("Fl -", with: "--").replacing(" , -", with: " --").replacing("Fl c:", with: "-c:")
      .replacing(#/Fl ([fo])\b/#) { "-" + $0.output.1 }
      .replacing(#/Fl ([a-z0-9]+-params)/#) { "-" + $0.output.1 }
  }

  @Test func everyParameterIsAnOption() throws {
    let known = Set(try options(manual()))
    #expect(known.count > 80 && known.contains("--peak") && known.contains("-c:v"))
    for parameter in Parameter.allCases {
      let words = Wording.english.text(.outOfRange(parameter, "3", "1", "2"))
      let named = try options(words)
      let missing = named.filter { !known.contains($0) }
      #expect(words.hasPrefix("-") && !named.isEmpty && missing.isEmpty, "\(words)")
    }
  }

  @Test func valuesFollowOptions() {
    let text: MessageText = "\(.peak, 50.0) or \(.expectedHeadroom, 3): \(.at)."
    #expect(Wording.english.text(Message("code", text)) == "--peak 50.0 or --expect headroom=3: --at.")
    #expect(
      Wording.english.text(.exclusive(.at, .frames))
        == "--at selects one frame: omit --start, --duration, --frames and --every.")
    #expect(Wording.english.text(.outOfRange(.maxErrors, "-1", "0", nil)) == "--max-errors takes 0 or more, not -1.")
  }

  @Test func strictnessIsSaid() throws {
    var request = TranscodeRequest(input: Self.package.appendingPathComponent("media/hlg-sample.mp4").path, output: nil)
    request.coding.format = "null"
    (request.mapping.chosenKind, request.mapping.peak, request.input.isStrict) = (.hlg, 600, true)
    let refusal = #expect(throws: Refusal.self) { try Session().plan(request) }
    let words = refusal.map { Wording.english.text($0.message) }
    #expect(try Wording.english.error(#require(refusal)) == "\(#require(words)) (--strict)")
  }
}
