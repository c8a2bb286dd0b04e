import ColorScience
import Foundation
import Frames
import Rendering
import Testing
import ToneMapping

import Measurement

/// Frames put together: extremes, letterbox, and the file that comes of it.
@Suite struct ContentLightAccumulatorTests {
  static let size = Size(width: 64, height: 40)
  static let pool = WorkerPool(count: 2)

  /// Frames of PQ codes at 25 a second.
  private func content(_ frames: [(_ x: Int, _ y: Int) -> Int]) throws -> ContentLightAccumulator {
    var content = ContentLightAccumulator()
    for (index, code) in frames.enumerated() {
      let frame = CodedFrame.gray(Self.size, .bt2100PQ, code)
      let analyzer = try FrameLightAnalyzer(format: frame.format, content: frame.color.content, pool: Self.pool)
      content.add(try analyzer.measure(frame), time: Double(index) / 25)
    }
    return content
  }

  /// 573 is 203.703 cd/m², 723 is 1004.19, 195 is 0.992.
  @Test func extremes() throws {
    let content = try content([
      { _, _ in 195 }, { _, _ in 573 }, { x, y in x < 2 && y == 0 ? 723 : 195 }, { _, _ in 573 },
    ])
    let result = try #require(content.measurement(excludesLetterbox: false, coversFile: true))
    #expect((result.maxCLL - 1004.19).magnitude < 0.5 && result.brightestFrame == 2)
    #expect((result.maxFALL - 203.703).magnitude < 0.1 && result.brightestAverageFrame == 1)
    #expect(result.contentLight.maxFALL == 204 && (1004...1005).contains(result.contentLight.maxCLL))
    #expect(result.frames.map(\.time) == [0, 0.04, 0.08, 0.12])
    #expect((result.frames[2].average - (0.99213 + 2 * 1003.2 / 2560)).magnitude < 1e-2)
    #expect(result.percentiles.map(\.percent) == [50, 90, 99, 99.9, 99.99])
    // Two pixels less than half are at 0.992, two of 10240 above 203.7.
    #expect(result.percentiles[0...3].allSatisfy { ($0.nits - 203.703).magnitude < 0.1 })
    #expect((result.percentiles[4].nits - 1004.19).magnitude < 0.5)
    #expect(ContentLightAccumulator().measurement(excludesLetterbox: true, coversFile: true) == nil)
  }

  /// Bars of noise just above black at the top (8 rows), the bottom (6) and the left (4 columns).
  private func boxed(_ inside: Int) -> (_ x: Int, _ y: Int) -> Int {
    { x, y in x >= 4 && (8..<34).contains(y) ? inside : 64 + (x + y) % 3 }
  }

  /// Sixteenths of the signal on the reference displays, and what is kept above them.
  @Test func barsAreAsBlackInEveryTransferFunction() throws {
    #expect((PictureArea.blackBarLight(.pq) - 0.1003).magnitude < 1e-3)
    // 1/16 squared over 3 is 0.0013021, which to the power of 1.2 is 0.000345 of 1000 cd/m².
    #expect((PictureArea.blackBarLight(.hlg) - 0.345).magnitude < 1e-3)
    #expect((PictureArea.blackBarLight(.bt709) - 0.1289).magnitude < 1e-3)
    // 54 codes above black, and 55.
    let content = try content([boxed(573), { x, y in x == 40 && y == 2 ? 118 : 64 }])
    #expect(content.litArea(above: PictureArea.blackBarLight(.pq)) == PictureArea(x: 4, y: 8, width: 60, height: 26))
    let lettered = try self.content([boxed(573), { x, y in x == 40 && y == 2 ? 119 : 64 }])
    #expect(lettered.litArea(above: PictureArea.blackBarLight(.pq)) == PictureArea(x: 4, y: 2, width: 60, height: 32))
    #expect(try self.content([{ _, _ in 66 }]).litArea(above: 0.1) == nil)
  }

  @Test func letterbox() throws {
    let content = try content([boxed(573), boxed(195)])
    let all = try #require(content.measurement(excludesLetterbox: false, coversFile: true))
    let active = try #require(content.measurement(excludesLetterbox: true, coversFile: true))
    #expect(all.activePicture == nil)
    #expect(active.activePicture == PictureArea(x: 4, y: 8, width: 60, height: 26))
    let share = 60.0 * 26 / (64 * 40)
    #expect((all.maxFALL - 203.703 * share).magnitude < 0.1)
    #expect((active.maxFALL - 203.703).magnitude < 0.1)
    #expect(active.maxCLL == all.maxCLL)
    // Half of the active pixels are at 0.992; with the bars half of all are black or that.
    #expect((active.percentiles[0].nits - 0.99213).magnitude < 1e-3)
    #expect((active.percentiles[1].nits - 203.703).magnitude < 0.1)
  }

  /// A title in one frame makes the whole row part of the picture.
  @Test func barsAreBlackInEveryFrame() throws {
    let title = { (x: Int, y: Int) in x == 30 && y == 38 ? 400 : 64 }
    let content = try content([boxed(573), title, boxed(573)])
    let result = try #require(content.measurement(excludesLetterbox: true, coversFile: true))
    #expect(result.activePicture == PictureArea(x: 4, y: 8, width: 60, height: 31))
  }

  @Test func blackness() throws {
    let content = try content([{ _, _ in 64 }, { x, _ in 64 + x % 2 }])
    let result = try #require(content.measurement(excludesLetterbox: true, coversFile: true))
    #expect(result.activePicture == PictureArea(x: 0, y: 0, width: 64, height: 40))
    #expect(result.maxCLL < 0.01 && result.maxFALL < 0.01 && result.frames.allSatisfy { $0.average.isFinite })
    #expect(result.percentiles.allSatisfy { $0.nits < 0.01 })
  }

  @Test func jsonComesBack() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("headroom-\(UUID().uuidString).json").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    for excludes in [false, true] {
      let result = try #require(
        try content([boxed(573), boxed(723)]).measurement(excludesLetterbox: excludes, coversFile: excludes))
      try Data(result.json().utf8).write(to: URL(fileURLWithPath: path))
      #expect(try ContentMeasurement(jsonFile: path) == result)
    }
  }

  /// A change of the text, and a word of the error that follows.
  static let damage: [(String, String, String)] = [
    ("headroom-measurement", "other", "format"), ("\"version\" : 1", "\"version\" : 2", "version"),
    ("\"nb_frames\" : 2", "\"nb_frames\" : 3", "nb_frames"), ("\"nb_frames\" : 2,", "", "nb_frames"),
    ("\"max_cll\" : ", "\"max_cll\" : 1", "max_cll"), ("\"peak\" : ", "\"peak\" : -", "frames"),
    ("\"percent\" : 50", "\"percent\" : null", "percentiles"), ("\"width\" : 64", "\"width\" : 0", "width"),
    ("\"time\" : 0", "\"time\" : \"zero\"", "time"),
    ("{", "[", "not a JSON"),
  ]

  @Test(arguments: damage)
  func whatIsNoMeasurementIsRefused(_ old: String, _ new: String, _ says: String) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("headroom-\(UUID().uuidString).json").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let result = try #require(
      try content([boxed(573), boxed(723)]).measurement(excludesLetterbox: false, coversFile: true))
    let text = try result.json()
    let place = try #require(text.range(of: old))
    try Data(text.replacingCharacters(in: place, with: new).utf8).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: MeasurementError.self) { try ContentMeasurement(jsonFile: path) }
    guard case .notAMeasurement(path, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains(says), "\(reason)")
  }

  @Test func whatIsNotThereIsRefused() {
    let error = #expect(throws: MeasurementError.self) { try ContentMeasurement(jsonFile: "/nowhere/x.json") }
    guard case .unreadable("/nowhere/x.json", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.description.hasPrefix("Cannot read '/nowhere/x.json': ") == true)
    for path in ["/dev/null", "/"] {
      #expect(throws: MeasurementError.self) { try ContentMeasurement(jsonFile: path) }
    }
  }

  /// A pixel of 2560 is 0.04 %.
  @Test(arguments: [(100, 1004.19), (99.97, 1004.19), (99.9, 203.703)])
  func `A few bright pixels are not the robust peak`(_ percentile: Double, _ nits: Double) throws {
    var content = ContentLightAccumulator(peakPercentile: percentile)
    for bright in [false, true] {
      let frame = CodedFrame.gray(Self.size, .bt2100PQ) { x, y in bright && x == 5 && y == 3 ? 723 : 573 }
      let analyzer = try FrameLightAnalyzer(format: frame.format, content: frame.color.content, pool: Self.pool)
      content.add(try analyzer.measure(frame), time: 0)
    }
    #expect((content.robustPeak - nits).magnitude < 0.5)
  }
}
