import ConstantColor
import ConstantColorRuns
import Foundation
import Frames
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Calibrations and comparisons, as requests.
@Suite struct ConstantColorComparisonTests {
  @Test func refusedRequests() {
    expectRefusal("not-a-page-name", "'a.txt'") { session in
      var request = ColorComparisonRequest(["a.json"])
      request.page = "a.txt"
      return try session.run(request)
    }
    expectRefusal("chart-corners", "chart takes") { session in
      var request = CalibrationRequest(.chart(flash: "a.png", ambient: nil), output: "/nowhere/a.json")
      request.chart = .corners([SIMD2(1, 2)])
      return try session.run(request)
    }
    expectRefusal("file-needed", "output takes") {
      try $0.run(CalibrationRequest(.chart(flash: "a.png", ambient: nil), output: "-"))
    }
    #expect(throws: ComparisonError.noReports) { try Session().run(ColorComparisonRequest([])) }
  }

  @Test func aReportIsNotReplaced() throws {
    let scratch = try Scratch()
    let report = try scratch.file("a.html", Data("{}".utf8))
    var request = ColorComparisonRequest([report])
    (request.page, request.overwrites) = (report, true)
    expectRefusal("output-is-input", "'\(report)' is") { try $0.run(request) }
  }

  @Test func theReferenceMayBeAnotherReport() throws {
    let scratch = try Scratch()
    let (ambient, flash) = try scratch.flashPair()
    let paths = try ["a", "b"].map { name in
      var request = ConstantColorRequest(
        .stills(ambient: ambient, flash: flash), output: scratch.path("\(name).png"))
      request.report = scratch.path("\(name).json")
      request.regions = [.init(area: PictureArea(x: 2, y: 2, width: 12, height: 12))]
      _ = try Session().run(request)
      return scratch.path("\(name).json")
    }
    var request = ColorComparisonRequest([paths[0]])
    request.reference = paths[1]
    let comparison = try Session().run(request)
    #expect(comparison.captures.map(\.name) == [paths[1], paths[0]] && comparison.reference == 0)
    #expect(comparison.regions.count == 1 && comparison.warnings.isEmpty)
  }
}
