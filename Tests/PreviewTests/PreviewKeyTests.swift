import Preview
import Testing

@Suite struct PreviewKeyTests {
  @Test func everyCommandHasKeysOfItsOwn() {
    #expect(Set(PreviewKey.all.map(\.command)) == Set(PreviewCommand.allCases))
    let presses = PreviewKey.all.flatMap(\.presses)
    #expect(Set(presses).count == presses.count)
  }

  @Test func aKeyStandsForItsCommand() {
    for key in PreviewKey.all { for press in key.presses { #expect(PreviewKey.command(for: press) == key.command) } }
    #expect(PreviewKey.command(for: .character("§")) == nil)
  }
}
