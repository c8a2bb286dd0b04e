import ColorScience
import Frames
import Patterns
import Testing
import Verification

@Suite struct MetadataFaultTests {
  private static let display = MasteringDisplay(
    red: .init(x: 35400, y: 14600), green: .init(x: 8500, y: 39850), blue: .init(x: 6550, y: 2300),
    white: .init(x: 15635, y: 16450), maxLuminance: 100_000_000, minLuminance: 1)
  private static let light = ContentLight(maxCLL: 10_000, maxFALL: 500)
  private static let expected = ExpectedMetadata(contentLight: light, masteringDisplay: display)

  private func names(_ change: (inout HDRMetadata) -> Void) throws -> [String] {
    var painted = try Painted("bt2111-pq", PatternSignal(.hdr10))
    painted.metadata = HDRMetadata(masteringDisplay: Self.display, contentLight: Self.light)
    change(&painted.metadata)
    return try painted.verify([painted.frame()], expected: Self.expected).faultNames
  }

  @Test func rightMetadataIsNoFault() throws {
    #expect(try names { _ in } == [])
  }

  @Test func whatIsMissingIsNamed() throws {
    #expect(try names { $0.masteringDisplay = nil } == ["metadata.mdcv-missing"])
    #expect(try names { $0.contentLight = nil } == ["metadata.max-cll-missing"])
    #expect(try names { $0.contentLight?.maxCLL = 0 } == ["metadata.max-cll-missing"])
  }

  @Test func wrongLightIsNamed() throws {
    #expect(try names { $0.contentLight?.maxCLL = 9000 } == ["metadata.max-cll"])
    #expect(try names { $0.contentLight?.maxCLL = 11_000 } == ["metadata.max-cll", "metadata.contradicting"])
    #expect(try names { $0.contentLight?.maxFALL = 550 } == ["metadata.max-fall"])
    #expect(try names { $0.contentLight?.maxFALL = 505 } == [])
  }

  @Test func contradictionsAreNamed() throws {
    #expect(try names { $0.masteringDisplay?.maxLuminance = 10_000_000 } == ["metadata.contradicting"])
    #expect(try names { $0.masteringDisplay?.maxLuminance = 0 } == ["metadata.contradicting"])
    // A different mastering display is not a fault.
    #expect(try names { $0.masteringDisplay?.red = .init(x: 34000, y: 16000) } == [])
  }

  @Test func metadataOfHDR10IsOnlyNotedInHLG() throws {
    var painted = try Painted("bt2111-hlg", PatternSignal(.hlg))
    #expect(try painted.verify([painted.frame()], expected: Self.expected).faults == [])
    painted.metadata = HDRMetadata(contentLight: Self.light)
    let verification = try painted.verify([painted.frame()], expected: Self.expected)
    #expect(verification.faults == [])
    #expect(verification.notes.contains { $0.contains("metadata.unexpected") })
  }
}
