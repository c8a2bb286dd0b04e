import Foundation
import Patterns
import Testing
import Verification

@Suite struct VerificationTableTests {
  private func lines(_ verification: Verification, isVerbose: Bool = false) -> [Substring] {
    VerificationTable(verification, isVerbose: isVerbose).text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  @Test func aPassingVerification() throws {
    let lines = lines(ReportSample.verification())
    #expect(lines.last == "PASSED")
    #expect(lines.filter { $0 == "Greys" || $0 == "Colours" } == ["Greys", "Colours"])
    #expect(lines.first == "Pattern    sample: Greys and colours")
    #expect(lines.contains("Found      fills the picture"))
    #expect(lines.contains("Metadata   MaxCLL 4000, MaxFALL 400 cd/m²"))
    #expect(lines.contains("Frames     10 read, 10 measured"))
    #expect(
      lines.contains("Read as    1920x1080 Y'CbCr 4:2:0 10 bit: pq, bt2020, bt2020NCL, limited range, chroma topLeft"))
    let gray = try #require(lines.first { $0.hasPrefix("  203.0 cd/m²") })
    #expect(
      gray.split(separator: " ").map(String.init) == [
        "203.0", "cd/m²", "573", "573", "573", "573.2", "573.2", "573.2", "203.7", "204.1", "+0.2", "%", "0.15", "0.17",
        "ok",
      ])
    #expect(!lines.contains("Faults"))
  }

  @Test func aFailingOneNamesItsFaults() throws {
    let lines = lines(ReportSample.verification(failing: ["red", "cyan"]))
    #expect(lines.last == "NOT PASSED: 1 fault")
    #expect(try #require(lines.first { $0.hasPrefix("  red") }).hasSuffix("FAIL"))
    let fault = try #require(lines.firstIndex(of: "  patch.difference"))
    #expect(lines[fault + 1] == "      2 patches are off. Look at the encoder's settings.")
  }

  @Test func whatIsNotFoundIsNoTable() {
    let text = VerificationTable(ReportSample.missing).text
    #expect(text.hasSuffix("\nNOT FOUND: the pattern sample is not in the pictures that were read"))
    for word in ["ΔE ITP  ", "Greys\n", "Ramps", "Found", "Black"] { #expect(!text.contains(word), "\(word)") }
    #expect(text.contains("pattern.missing"))
  }

  @Test func linesAreNarrowAndHarmless() {
    for line in lines(ReportSample.hostile) + lines(ReportSample.verification(failing: ["red"])) {
      #expect(line.count <= 110, "\(line)")
      #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0.value != 0x202E })
    }
    #expect(VerificationTable(ReportSample.hostile).text.contains("\\u{1B}[2J\\u{202E}vom\\u{0}\\u{A}"))
  }

  @Test func manyPatchesAreSummedUp() {
    var verification = ReportSample.verification(failing: ["red"])
    verification.patches = (0..<20).flatMap { number in
      verification.patches.map { result in
        var result = result
        result.patch.name += " \(number)"
        return result
      }
    }
    let few = lines(verification)
    #expect(few.count { $0.hasSuffix("FAIL") } == 12)
    #expect(few.contains("  and 8 more that fail"))
    #expect(few.count { $0.hasSuffix(" ok") } == 2, "a ramp and a detail")
    #expect(few.contains { $0.hasPrefix("Greys: all 160 within tolerance; ΔE ITP 0.1") })
    #expect(few.contains { $0.hasPrefix("Colours: 20 of 120 fail;") })
    #expect(lines(verification, isVerbose: true).count { $0.hasSuffix("FAIL") } == 20)
  }

  @Test func whatWasNotMeasuredIsNeitherRightNorWrong() throws {
    var verification = ReportSample.verification()
    verification.patches[9].measured = nil
    verification.ramps[0].points = []
    verification.details[0].shift = nil
    let lines = lines(verification)
    for start in ["  green ", "  PQ ramp ", "  siting "] {
      #expect(try #require(lines.first { $0.hasPrefix(start) }).hasSuffix("  –"), "\(start)")
    }
    #expect(lines.last == "PASSED")
    #expect(VerificationPage(verification, picture: nil).html.contains("<strong>13</strong><span>of 14</span>"))
  }

  @Test func faultsOfFramesAreSaid() {
    var verification = ReportSample.verification()
    verification.frames = FrameResult(first: 0, last: 99)
    verification.frames?.repeated = [4, 5, 6, 40]
    verification.frames?.dropped = [.init(after: 60, count: 2)]
    verification.frames?.reordered = [70]
    verification.frames?.unreadable = 1
    #expect(
      lines(verification).contains(
        "Moving frames  numbers 0 to 99; 4 repeated, at 4 to 6, 40; dropped 2 after 60; 1 out of order, at 70; 1"))
  }
}

/// What is said of patches is the same everywhere.
@Suite struct AgreementTests {
  private func verification() throws -> Verification {
    let painted = try Painted("colorchecker", PatternSignal(.hdr10))
    return try painted.verify([InjectedFault.offset(0, 1, -1).apply(painted.frame(), painted.drawing)])
  }

  @Test func countsAgree() throws {
    let verification = try verification()
    let failing = verification.patches.count { !$0.passes }
    try #require(failing > 0 && failing < 24)
    let text = VerificationTable(verification).text
    #expect(text.split(separator: "\n").count { $0.hasSuffix("FAIL patches") } == failing)
    #expect(text.contains("  \(24 - failing) of 24 within tolerance, \(failing) fail"))
    #expect(text.contains("\(failing) of 24 patches are off by more than ΔE ITP 2.0"))
    let page = VerificationPage(verification, picture: nil).html
    #expect(page.contains("<strong>\(24 - failing)</strong><span>of 24</span>"))
    #expect(page.components(separatedBy: "✕ fails: patches").count == failing + 1)
    let json = try VerificationJSON(verification).text()
    #expect(json.contains("\"failed\" : \(failing),"))
    #expect(json.components(separatedBy: "\"reason\" : \"patches\"").count == failing + 1)
  }
}
