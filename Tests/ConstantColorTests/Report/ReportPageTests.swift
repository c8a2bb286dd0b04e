import ConstantColor
import Foundation
import Frames
import TestSupport
import Testing

/// The pages of a report and of a comparison.
@Suite struct ReportPageTests {
  /// What a script prints of a page that it finds parsed as `page`, after what holds for every page was checked.
  private func python(_ html: String, _ script: String = "print('whole')") throws -> String {
    let scratch = try Scratch()
    let path = scratch.path("index.html")
    try Data(html.utf8).write(to: URL(fileURLWithPath: path))
    return try Python.run(Self.checks + script, [path]).trimmingCharacters(in: .newlines)
  }

  private static let checks = """
    import sys, re, xml.etree.ElementTree as tree
    text = open(sys.argv[1], encoding='utf-8').read()
    page = tree.fromstring(text)
    assert text.startswith('<!DOCTYPE html>'), text[:40]
    def svg(name): return next(s for s in page.iter('svg') if s[0].get('id') == name + '-title')
    def by_class(root, name): return [e for e in root.iter() if name in (e.get('class') or '').split()]
    names = {e.tag for e in page.iter()}
    assert not names & {'script', 'iframe', 'object', 'embed', 'foreignObject', 'base', 'form'}, names
    for e in page.iter():
      for key, value in e.items():
        assert not key.startswith('on'), key
        if key in ('href', 'src'): assert value.startswith('data:'), value
        if key in ('d', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'width', 'height', 'points', 'viewBox', 'style'):
          assert not re.search('nan|inf', value), value
    assert 'url(' not in text and '@import' not in text and '\\x1b' not in text and '\\u202e' not in text
    for s in page.iter('svg'):
      assert s.get('role') == 'img' and s[0].tag == 'title' and s[1].tag == 'desc' and s[1].text
      assert s.get('aria-labelledby').split() == [s[0].get('id'), s[1].get('id')]
    ids = [e.get('id') for e in page.iter() if e.get('id')]
    assert len(ids) == len(set(ids)), ids
    for e in page.iter('th'): assert e.get('scope') in ('row', 'col', 'rowgroup', 'colgroup')
    for t in page.iter('table'):
      spans = [sum(int(c.get('colspan') or 1) for c in row) for row in t.iter('tr')]
      assert len(set(spans)) == 1, spans

    """

  /// Not a picture; pages embed whatever they are given.
  private static let pictures = ConstantColorPage.Pictures(
    ambient: Data([1]), flash: Data([2]), result: Data([3]), confidenceMap: Data([4]))

  @Test func fourPicturesAndTheRegionsAreShown() throws {
    let said = try python(
      ConstantColorPage(SampleReport.make(), pictures: Self.pictures).html,
      """
      print([i.get('href')[-4:] for i in page.iter('image')])
      result = svg('result')
      assert result.get('viewBox') == '0 0 640 480'
      print([(r.get('x'), r.get('y'), r.get('width'), r.get('height'), r.get('class')) for r in by_class(result, 'region')])
      print([t.text for t in by_class(result, 'number')], len(by_class(svg('ambient'), 'region')))
      rows = [[''.join(c.itertext()) for c in row] for row in list(page.iter('tbody'))[0]]
      print(rows[0][:5], rows[1][1], rows[1][-2:])
      print([s.get('style') for s in by_class(page, 'swatch')][0], by_class(page, 'verdict')[0][0].text)
      """)
    #expect(
      said == """
        ['AQ==', 'Ag==', 'Aw==', 'BA==']
        [('10', '20', '30', '40', 'region'), ('10', '20', '30', '40', 'region doubted')]
        ['1', '2'] 0
        ['1', 'cheek', '50.00\\xa0±\\xa00.30', '10.00\\xa0±\\xa00.20', '−20.00\\xa0±\\xa00.40'] Region 2 ['0.50', '✕ not believed']
        background: #777399 ✓ BELIEVED
        """)
  }

  @Test func hostileNamesAreText() throws {
    let report = SampleReport.make(
      regions: [SampleReport.region(SampleReport.attack)], text: SampleReport.attack,
      flash: .calibration(name: SampleReport.attack, meanDeltaE: 1, largestDeltaE: 2), components: SampleReport.attack,
      isBelieved: false)
    let script = "print(page.find('.//h1').text)"
    let shown = #"<script>alert("1")</script>&'\u{1B}[2J\u{202E}vom\u{0}"#
    #expect(try python(ConstantColorPage(report, pictures: Self.pictures).html, script) == shown)
    let other = SampleReport.make(regions: report.regions, scale: 9)
    let comparison = try ColorComparison(
      [report, other].map { ComparedReport(name: SampleReport.attack, report: $0) })
    #expect(try python(ComparisonPage(comparison).html, script) == shown + " over 2 captures")
  }

  @Test func pagesWithoutPicturesRegionsOrColorsAreWhole() throws {
    let unmeasured = SampleReport.region(nil, lab: [.nan, 0, 0], uncertainty: [.nan, 0, 0])
    for regions in [[], [unmeasured]] {
      let report = SampleReport.make(regions: regions)
      #expect(try python(ConstantColorPage(report, pictures: .init()).html) == "whole")
      let comparison = try ColorComparison([ComparedReport(name: "a", report: report)])
      #expect(try python(ComparisonPage(comparison).html) == "whole")
    }
  }

  /// Points and the ends of their bars, read by the numbers on the axes, are what the reports say.
  @Test func pointsLieWhereTheAxesSay() throws {
    let reports = (0..<5).map { index in
      let lab = SIMD3(50 + Double(index), -10, 20.5 - 2 * Double(index))
      let region = SampleReport.region("x", lab: lab, uncertainty: [0.25, 0.5, 1], confidence: index == 3 ? 0.2 : 1)
      return ComparedReport(name: "\(index)", report: SampleReport.make(regions: [region]))
    }
    let said = try python(
      ComparisonPage(try ColorComparison(reports)).html,
      """
      def axis(numbers, attribute, offset):
        ticks = [(float(t.text.replace('−', '-')), float(t.get(attribute)) - offset) for t in numbers]
        (a, p), (b, q) = ticks[0], ticks[-1]
        return lambda place: a + (float(place) - p) / (q - p) * (b - a)
      plane = svg('plane-1')
      numbers = by_class(plane, 'number')
      across = axis([t for t in numbers if t.get('text-anchor') == 'middle'], 'x', 0)
      down = axis([t for t in numbers if t.get('text-anchor') == 'end'], 'y', 4)
      discs = by_class(plane, 'pass')
      print([(round(across(d.get('cx')), 2), round(down(d.get('cy')), 2)) for d in discs])
      bars = [re.findall(r'[ML]([\\d.]+) ([\\d.]+)', p.get('d'))[:2] for p in by_class(plane, 'error')]
      print(len(bars), [(round(across(b[0][0]), 1), round(across(b[1][0]), 1)) for b in bars[2:3]],
        [(round(down(b[0][1]), 1), round(down(b[1][1]), 1)) for b in bars[3:4]])
      print(len(by_class(plane, 'fail')), len(by_class(plane, 'intended')), len(by_class(svg('components-1'), 'pass')))
      """)
    #expect(
      said == """
        [(-10.0, 20.5), (-10.0, 18.5), (-10.0, 16.5), (-10.0, 12.5)]
        10 [(-10.5, -9.5)] [(19.5, 21.5)]
        1 1 12
        """)
  }

  @Test func aHundredReportsStaySmall() throws {
    let reports = (0..<100).map { index in
      let regions = (0..<10).map { SampleReport.region("\($0)", lab: [50 + Double(index % 7), Double($0), 3]) }
      return ComparedReport(name: "\(index)", report: SampleReport.make(regions: regions))
    }
    let html = ComparisonPage(try ColorComparison(reports)).html
    #expect(html.utf8.count < 4_000_000)
    #expect(try python(html, "print(len(list(page.iter('svg'))), len(list(page.iter('table'))))") == "20 11")
  }

  @Test func aBrowserShowsThem() throws {
    guard let browser = Browser.installed else {
      noteSkip("reports in a browser, as no Chromium is installed")
      return
    }
    let scratch = try Scratch()
    let path = scratch.path("index.html")
    let comparison = try ColorComparison([
      ComparedReport(name: "a", report: SampleReport.make(text: SampleReport.attack))
    ])
    let report = SampleReport.make(text: SampleReport.attack)
    for html in [ConstantColorPage(report, pictures: .init()).html, ComparisonPage(comparison).html] {
      try Data(html.utf8).write(to: URL(fileURLWithPath: path))
      guard let visit = browser.visit(path, width: 1200, height: 900, in: scratch) else {
        noteSkip("reports in a browser, as Chromium does not answer")
        return
      }
      #expect(visit.console == [] && visit.requests.allSatisfy { $0.hasPrefix("file:") || $0.hasPrefix("data:") })
    }
  }
}
