import HTMLReports
import Testing

@Suite struct PageTests {
  private static let policy =
    "default-src &#39;none&#39;; img-src data:; style-src &#39;unsafe-inline&#39;; base-uri &#39;none&#39;; "
    + "form-action &#39;none&#39;"

  @Test func aPageAsksForNothing() {
    let html = Page(title: "<1>", style: "i { color: red; }", content: [Markup("h1", [:], "&")]).html
    #expect(html.contains("<meta http-equiv=\"Content-Security-Policy\" content=\"\(Self.policy)\"/>"))
    #expect(html.contains("<title>&lt;1&gt;</title>") && html.contains("<main>\n<h1>&amp;</h1></main>"))
    #expect(html.contains(PageStyle.rules + "i { color: red; }</style>") && !html.contains("\"refresh\""))
  }

  @Test func aPageMayBeLoadedAgain() {
    let html = Page(title: "1", rules: "i { color: red; }", refresh: 10, content: []).html
    #expect(html.contains("\n<meta http-equiv=\"refresh\" content=\"10\"/>"))
    #expect(html.contains("\n<style>i { color: red; }</style>") && html.contains("\n<main></main>"))
    #expect(html.contains(Self.policy))
  }
}
