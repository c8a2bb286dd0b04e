import Testing

import Filters

@Suite struct FilterTests {
  @Test func whatIsWrittenIsWhatIsMade() throws {
    var highlight = Highlight()
    #expect(try Filter("highlight") == .highlight(highlight))
    highlight.gamut = .p3
    highlight.criterion = .luminance
    highlight.gamut = .srgb
    highlight.nits = 400
    highlight.tint = SRGBColor(0xFF8000)
    highlight.edge = 0.1
    #expect(try Filter("highlight=by=luminance:nits=400:tint=FF8000:edge=0.1") == .highlight(highlight))
    #expect(try Filter("highlight=tint=orange") == (try Filter("highlight=tint=E69F00")))
    #expect(try Filter("false-color") == .falseColor(FalseColor()))
    var warning = ClipWarning()
    warning.hasLegend = false
    #expect(try Filter("clip-warning=legend=off") == .clipWarning(warning))
  }

  /// Each wrong text and a part of what it is answered with.
  @Test(arguments: [
    ("", "There is no filter ''"), ("blur", "highlight, false-color, clip-warning"),
    ("highlight=", "'' is not an option"), ("highlight=gamut", "'gamut' is not an option"),
    ("highlight=gamut=p3:", "'' is not an option"), ("highlight=size=3", "tolerance="),
    ("highlight=gamut=p4", "srgb, p3"), ("highlight=gamut=p3:gamut=p3", "given twice"),
    ("highlight=tolerance=-1", "0.0 to 0.2"), ("highlight=tolerance=nan", "0.0 to 0.2"),
    ("highlight=nits=100", "by=luminance"), ("highlight=edge=0.1", "tint"), ("highlight=tint=12345", "RRGGBB"),
    ("highlight=by=luminance:gamut=p3", "no gamut"), ("highlight=by=luminance:weights=classic", "no gamut"),
    ("highlight=tint=+12345", "RRGGBB"), ("scopes=rows=2.7", "whole numbers"),
    ("scopes=show=waveform:plane=ycbcr", "plane="), ("false-color=legend=yes", "on or off"),
  ])
  func whatIsWrongIsSaid(_ text: String, _ words: String) {
    let failure = #expect(throws: FilterFailure.self) { try Filter(text) }
    #expect(failure?.description.contains(words) == true, "\(failure?.description ?? "")")
  }

  @Test(arguments: [
    ["false-color", "clip-warning"], ["false-color", "highlight", "false-color"], ["scopes", "highlight", "scopes"],
  ])
  func whatWouldHideAnotherIsRefused(_ texts: [String]) throws {
    let filters = try texts.map { try Filter($0) }
    #expect(throws: FilterFailure.self) { try Filter.check(filters) }
    #expect(throws: Never.self) { try Filter.check(Array(filters.dropFirst())) }
  }

  @Test func everyKindSaysWhatItTakes() throws {
    for kind in FilterKind.all {
      _ = try Filter(kind.name)
      #expect(!kind.abstract.isEmpty && kind.options.allSatisfy { !$0.help.isEmpty })
    }
  }
}
