import HTMLReports
import Testing

@Suite struct MarkupTests {
  @Test(arguments: [
    ("plain 1 ~ text", "plain 1 ~ text"), ("<b>&'\"", "&lt;b&gt;&amp;&#39;&quot;"),
    // Each alone.
    ("<", "&lt;"), (">", "&gt;"), ("&", "&amp;"), ("'", "&#39;"), ("\"", "&quot;"),
    ("ä ΔE \u{1F3A8}", "ä ΔE \u{1F3A8}"),
    ("\u{1B}[2J", "\\u{1B}[2J"), ("a\nb\u{7F}", "a\\u{A}b\\u{7F}"), ("\u{202E}\u{2028}", "\\u{202E}\\u{2028}"),
  ])
  func textIsEscapedWhateverItIs(_ text: String, _ written: String) {
    #expect(Markup("i", ["title": text], text).text == "<i title=\"\(written)\">\(written)</i>")
  }

  @Test func elementsNest() {
    let row = Markup("b", [:], [Markup("br"), Markup("i", [:], "1")]).adding("<").adding([Markup("u")])
    #expect(row.text == "<b><br/><i>1</i>&lt;<u></u></b>")
    #expect(Markup.style("a > b { }").text == "\n<style>a > b { }</style>")
    #expect(Markup("img", ["src": "data:,"]).text == "<img src=\"data:,\"/>")
  }
}
