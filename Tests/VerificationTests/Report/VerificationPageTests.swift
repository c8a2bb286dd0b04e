import Foundation
import TestSupport
import Testing
import Verification

@Suite struct VerificationPageTests {
  /// What a script prints of a page that it finds parsed as `page`, with `svg(name)` for its plots.
  private func python(_ verification: Verification, _ script: String, picture: Data? = nil) throws -> String {
    let scratch = try Scratch()
    let path = scratch.path("index.html")
    try Data(VerificationPage(verification, picture: picture).html.utf8).write(to: URL(fileURLWithPath: path))
    let head = """
      import sys, re, xml.etree.ElementTree as tree
      text = open(sys.argv[1], encoding='utf-8').read()
      page = tree.fromstring(text)
      def svg(name): return next(s for s in page.iter('svg') if s[0].get('id') == name + '-title')
      def by_class(root, name): return [e for e in root.iter() if name in (e.get('class') or '').split()]
      def titled(root, start): return next(e for e in root.iter() if e.find('title') is not None
        and (e.find('title').text or '').startswith(start))

      """
    return try Python.run(head + script, [path]).trimmingCharacters(in: .newlines)
  }

  /// Well-formed, nothing but its own parts, every picture described, every heading of a table says of what.
  @Test(arguments: ["pass", "fail", "missing", "hostile"])
  func pagesAreWholeAndHarmless(_ name: String) throws {
    let verification =
      switch name {
      case "pass": ReportSample.verification()
      case "fail": ReportSample.verification(failing: ["red", "203.0 cd/m²"])
      case "missing": ReportSample.missing
      default: ReportSample.hostile
      }
    let script = """
      assert text.startswith('<!DOCTYPE html>'), text[:40]
      from html.parser import HTMLParser
      stack = []
      class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
          if tag not in ('meta', 'link', 'br'): stack.append(tag)
        def handle_startendtag(self, tag, attributes): assert tag in ('meta', 'link', 'br'), tag
        def handle_endtag(self, tag): assert stack.pop() == tag, tag
      Reader().feed(text)
      assert not stack, stack
      names = {e.tag for e in page.iter()}
      assert not names & {'script', 'iframe', 'object', 'embed', 'img', 'foreignObject', 'base', 'form'}, names
      policy = [e.get('content') for e in page.iter('meta') if e.get('http-equiv') == 'Content-Security-Policy'][0]
      assert policy.startswith("default-src 'none'; img-src data:; style-src 'unsafe-inline'"), policy
      for e in page.iter():
        for key, value in e.items():
          assert not key.startswith('on'), key
          if key in ('href', 'src'): assert value.startswith('data:'), value
          if key in ('d', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'width', 'height', 'points', 'viewBox'):
            assert not re.search('nan|inf', value), value
      assert 'url(' not in text and '@import' not in text
      for s in page.iter('svg'):
        assert s.get('role') == 'img' and s[0].tag == 'title' and s[1].tag == 'desc' and s[1].text
        assert s.get('aria-labelledby').split() == [s[0].get('id'), s[1].get('id')]
      ids = [e.get('id') for e in page.iter() if e.get('id')]
      assert len(ids) == len(set(ids)), ids
      for e in page.iter('th'): assert e.get('scope') in ('row', 'col', 'rowgroup', 'colgroup')
      print(' '.join(''.join(e.itertext()) for e in by_class(page, 'verdict')), len(list(page.iter('svg'))))
      """
    let said = try python(verification, script)
    switch name {
    case "pass": #expect(said == "✓ PASSEDevery measurement is within tolerance 4")
    case "fail": #expect(said == "✕ NOT PASSED1 fault 5")
    case "missing": #expect(said == "✕ NOT FOUNDthe pattern is not in what was read 0")
    default: #expect(said.hasPrefix("✕ NOT PASSED1 fault"))
    }
  }

  @Test func hostileNamesAreTextAndSaid() throws {
    let said = try python(
      ReportSample.hostile,
      """
      cell = [d for d in page.iter('dd') if (d.text or '').startswith('<script>')][0].text
      print(cell[:56], len(cell), '\\x1b' in text, '\\u202e' in text)
      """)
    #expect(said == #"<script>alert("1")</script>&amp;'\u{1B}[2J\u{202E}vom\u{ 400 False False"#)
  }

  /// Places of marks, read by the numbers on the axes, are what was measured.
  @Test func marksLieWhereTheAxesSay() throws {
    let said = try python(
      ReportSample.verification(failing: ["203.0 cd/m²"]),
      """
      import math
      def axis(plot, attribute, read):
        ticks = [(read(t.text), float(t.get(attribute))) for t in by_class(plot, 'number')
          if t.get('text-anchor') == ('middle' if attribute == 'x' else 'end')]
        (a, p), (b, q) = ticks[0], ticks[-1]
        return lambda place: a + (float(place) - p) / (q - p) * (b - a)
      plot = svg('chromaticity')
      across = axis(plot, 'x', float)
      down = axis(plot, 'y', lambda t: float(t))
      mark = titled(plot, 'green:')
      x, y = 0.17, 0.797
      u, v = 4 * x / (-2 * x + 12 * y + 3), 9 * y / (-2 * x + 12 * y + 3)
      # The numbers on the left lie four units below their lines.
      assert abs(across(mark.get('cx')) - u) < 0.001, (across(mark.get('cx')), u)
      assert abs(down(float(mark.get('cy')) + 4) - v) < 0.001, (down(float(mark.get('cy')) + 4), v)
      plot = svg('eotf')
      across = axis(plot, 'x', lambda t: math.log10(float(t.replace(',', ''))))
      mark = titled(plot, '1000.0 cd/m²:')
      print(round(10 ** across(mark.get('cx'))), mark.tag, titled(plot, '203.0 cd/m²:').tag)
      """)
    #expect(said == "1004 circle polygon")
  }

  /// BT.2020's primaries are light of 630, 532 and 467 nm: its corners lie on the spectral locus.
  @Test func theLocusHoldsThePrimariesOfBT2020() throws {
    let said = try python(
      ReportSample.verification(),
      """
      def places(path): return [tuple(map(float, p.split())) for p in re.split('[MLZ]', path.get('d')) if p]
      plot = svg('chromaticity')
      locus = places([e for e in by_class(plot, 'locus') if e.tag == 'path'][0])
      corners = places(by_class(plot, 'bt2020')[0])
      def distance(p, a, b):
        (x, y), (dx, dy) = (p[0] - a[0], p[1] - a[1]), (b[0] - a[0], b[1] - a[1])
        t = max(0, min(1, (x * dx + y * dy) / (dx * dx + dy * dy or 1)))
        return ((x - t * dx) ** 2 + (y - t * dy) ** 2) ** 0.5
      print(len(corners), all(min(distance(c, a, b) for a, b in zip(locus, locus[1:])) < 1 for c in corners))
      """)
    #expect(said == "3 True")
  }

  @Test func barsAreAsHighAsTheDifference() throws {
    let said = try python(
      ReportSample.verification(failing: ["red"]),
      """
      plot = svg('difference')
      ticks = {t.text: float(t.get('y')) - 4 for t in by_class(plot, 'number')}
      bar = titled(plot, '9 red: ΔE ITP ')
      value = float(bar.find('title').text.split()[-1])
      seen = float(bar.get('height')) / (ticks['0'] - ticks['5']) * 5
      print(bar.get('class'), abs(seen - value) < 0.02, len([e for e in plot.iter('rect')]))
      """)
    #expect(said == "fail True 14")
  }

  @Test func pagesOfManyPatchesStaySmall() throws {
    var verification = ReportSample.verification(failing: ["red"])
    verification.patches = (0..<100).flatMap { _ in verification.patches }
    verification.ramps[0].points = (0..<20_000).map {
      .init(position: Double($0) / 19_999, expected: 0.5, measured: 0.5)
    }
    let html = VerificationPage(verification, picture: nil).html
    #expect(html.utf8.count < 2_000_000)
    #expect(html.contains("<strong>1300</strong><span>of 1400</span>"))
  }
}
