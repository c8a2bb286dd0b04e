import Farm
import Foundation
import TestSupport
import Testing

/// The page of a status.
@Suite struct StatusPageTests {
  private static let attack = "<script>alert(\"1\")</script>&'\u{202E}\u{0}"
  /// A PNG of one pixel.
  private static let pixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

  private func page() throws -> (html: String, isComplete: Bool) {
    let farm = try FarmFixture()
    try farm.commit(0)
    try Data(base64Encoded: Self.pixel)?.write(to: URL(fileURLWithPath: farm.folder.piecePath("0.p.png")))
    try farm.folder.commit(part: farm.folder.piecePath("0.h1.mkv"), record: farm.record(0, thumbnail: "0.p.png"))
    // A thumbnail that is no picture.
    try farm.write("<svg onload=alert(1)>", farm.folder.piecePath("1.p.png"))
    try farm.write("video", farm.folder.piecePath("1.h1.mkv"))
    try farm.folder.commit(part: farm.folder.piecePath("1.h1.mkv"), record: farm.record(1, thumbnail: "1.p.png"))
    try farm.foreignClaim(2, host: "n2", frames: 50, rate: 5)
    let attempt = try Try.begin(
      3, by: Machine(host: Self.attack, process: 1, job: Self.attack), token: nil, in: farm.folder)
    try attempt.end(.failed(words: Self.attack, isWorthRetrying: false), in: farm.folder)
    let film = FilmOutline(
      name: Self.attack, output: Self.attack, frames: [100, 300, 200, 50], seconds: [4, 12, 8, 2], framesPerSecond: 25,
      width: 1920, height: 1080, maximumTries: 1)
    let queue = [QueueEntry(number: 3, job: Self.attack, state: Self.attack, node: Self.attack, reason: Self.attack)]
    let status = try FarmStatus(farm.folder, film, plan: FarmFixture.plan, queue: queue)
    return (status.html, status.isComplete)
  }

  /// Python's parsers find only elements of our own, all of them closed.
  @Test func whateverItShowsIsText() throws {
    let html = try page().html
    #expect(!html.contains("<script") && !html.contains("onload") && !html.contains("\u{202E}"))
    #expect(html.contains("&lt;script&gt;alert(&quot;1&quot;)"))
    let scratch = try Scratch()
    let path = scratch.path("status.html")
    try Data(html.utf8).write(to: URL(fileURLWithPath: path))
    let script = """
      import sys, html.parser, xml.dom.minidom
      text = open(sys.argv[1], encoding='utf-8').read()
      class Parser(html.parser.HTMLParser):
        def __init__(self):
          super().__init__(); self.open = []; self.seen = set(); self.sources = []
        def handle_starttag(self, name, attributes):
          self.seen.add(name); self.open.append(name); self.look(attributes)
        def handle_startendtag(self, name, attributes):
          self.seen.add(name); self.look(attributes)
        def handle_endtag(self, name):
          assert self.open.pop() == name, name
        def look(self, attributes):
          for key, value in attributes:
            assert not key.startswith('on'), key
            if key in ('src', 'href'): self.sources.append(value)
      parser = Parser(); parser.feed(text); parser.close()
      assert not parser.open, parser.open
      assert all(source.startswith('data:') for source in parser.sources), parser.sources
      xml.dom.minidom.parseString(text.replace('<!DOCTYPE html>', '', 1).encode())
      print(','.join(sorted(parser.seen)), len(parser.sources))
      """
    let seen = try Python.run(script, [path]).trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(
      seen == "b,body,div,figcaption,figure,h1,h2,head,html,i,img,li,link,main,meta,p,section,span,style,table,td,th,"
        + "title,tr,ul 2")
  }

  @Test func theMapIsTheFilm() throws {
    let html = try page().html
    let widths = html.components(separatedBy: "flex-grow:").dropFirst().map { Int($0.prefix { $0.isNumber }) }
    #expect(widths == [100, 300, 200, 50])
    for name in ["segment done", "segment running", "segment failed"] { #expect(html.contains(name), "\(name)") }
    // A quarter of the running piece.
    #expect(html.contains("width:25.0%"))
    #expect(html.contains("data:image/png;base64,\(Self.pixel)"))
    #expect(html.contains("http-equiv=\"refresh\"") && html.contains("prefers-color-scheme: dark"))
    #expect(html.contains("headroom chunk "))
  }

  @Test func aCompleteFilmIsNotLoadedAgain() throws {
    let farm = try FarmFixture()
    try farm.commit(0)
    let film = FilmOutline(
      name: "f", output: "o", frames: [10], seconds: [1], framesPerSecond: 10, width: 2, height: 2, maximumTries: 1)
    var status = try FarmStatus(farm.folder, film)
    // Joining may take a while.
    #expect(status.isComplete && status.html.contains("refresh"))
    status.isAssembled = true
    #expect(!status.html.contains("refresh") && !status.html.contains("thumbnails\""))
  }

  @Test func aBrowserShowsIt() throws {
    guard let browser = Browser.installed else {
      noteSkip("the status page in a browser, as no Chromium is installed")
      return
    }
    let scratch = try Scratch()
    let path = scratch.path("status.html")
    try Data(page().html.utf8).write(to: URL(fileURLWithPath: path))
    guard let visit = browser.visit(path, width: 1200, height: 900, in: scratch) else {
      noteSkip("the status page in a browser, as Chromium does not answer")
      return
    }
    #expect(visit.console.isEmpty && visit.requests.allSatisfy { $0.hasPrefix("file:") || $0.hasPrefix("data:") })
  }
}
