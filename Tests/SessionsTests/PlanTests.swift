import Foundation
import Frames
import ImageFiles
import Media
import Patterns
import TestSupport
import Testing

import Sessions

/// Plans are values: equal where the request and the input are, and as JSON the same plan.
@Suite struct PlanTests {
  /// A plan of each kind.
  static func plans(_ scratch: Scratch) throws -> [AnyPlan] {
    let clip = try scratch.clipOfManyStreams("in.mkv")
    let session = Session()
    var transcode = TranscodeRequest(input: clip, output: scratch.path("out.nut"))
    transcode.coding.encoder = "ffv1"
    transcode.selection.start = 0.4
    transcode.selection.duration = 1
    transcode.filters = ["highlight=gamut=p3"]
    var pictures = PictureRequest(input: clip, output: scratch.path("f%03d.png"), format: .png)
    pictures.selection.range = FrameRange(first: 2, last: 4)
    pictures.mapping.peak = 300
    var scopes = ScopesRequest(input: clip, output: scratch.path("scopes.nut"))
    scopes.coding.encoder = "ffv1"
    scopes.selection.range = FrameRange(first: 0, last: 2)
    var pattern = PatternRequest("window=percent=25", output: scratch.path("window.nut"))
    pattern.coding.encoder = "ffv1"
    pattern.duration = 0.2
    return [
      .transcode(try session.plan(transcode)), .pictures(try session.plan(pictures)),
      .scopes(try session.plan(scopes)), .pattern(try session.plan(pattern)),
    ]
  }

  @Test func arePlansOfTheSame() throws {
    let scratch = try Scratch()
    let plans = try Self.plans(scratch)
    let again = try Self.plans(scratch)
    for (plan, other) in zip(plans, again) {
      // Requests are the same but for the folder of the scratch, which is one.
      #expect(plan == other)
      #expect(plan.hashValue == other.hashValue)
    }
    #expect(Set(plans).count == plans.count)
  }

  @Test func areTheSameAsJSON() throws {
    let scratch = try Scratch()
    for plan in try Self.plans(scratch) {
      let data = try plan.json()
      let read = try AnyPlan(json: data)
      #expect(read == plan)
      #expect(try read.json() == data)
      #expect(read.lines == plan.lines)
      #expect(!plan.summary.isEmpty && plan.lines.count > 3)
    }
    #expect(throws: DecodingError.self) { try AnyPlan(json: Data("{}".utf8)) }
  }

  /// Parts of a plan fit together only as they were made: what was edited is refused, and traps nothing.
  @Test func areRefusedWhereTheyWereChanged() throws {
    let scratch = try Scratch()
    for plan in try Self.plans(scratch) {
      let text = String(decoding: try plan.json(), as: UTF8.self)
      var refused = 0
      for (line, number) in text.split(separator: "\n").filter({ $0.contains(": ") }).enumerated().map({ ($1, $0) })
      where number % 3 == 0 {
        let changed = line.contains("\"") && line.hasSuffix("\",") ? line.dropLast(2) + "x\"," : line + "1"
        let data = Data(text.replacingOccurrences(of: line, with: changed).utf8)
        if (try? AnyPlan(json: data)) == nil { refused += 1 }
      }
      #expect(refused > 10, "\(refused)")
    }
    let plan = try Self.plans(scratch)[3]
    let text = String(decoding: try plan.json(), as: UTF8.self)
    #expect(throws: DecodingError.self) {
      try AnyPlan(json: Data(text.replacingOccurrences(of: "\"count\" : 5", with: "\"count\" : 6").utf8))
    }
  }

  /// A session that has not made the plan writes the same bytes.
  @Test func giveTheSameBytesElsewhere() throws {
    let scratch = try Scratch()
    let plans = try Self.plans(scratch)
    func outputs() throws -> [String: Data] {
      let names = scratch.contents.filter { name in ["out", "f0", "scopes", "window"].contains { name.hasPrefix($0) } }
      return try Dictionary(
        uniqueKeysWithValues: names.map { name in
          defer { try? FileManager.default.removeItem(atPath: scratch.path(name)) }
          return (name, try Data(contentsOf: URL(fileURLWithPath: scratch.path(name))))
        })
    }
    for plan in plans { #expect(try Session().run(AnyPlan(json: plan.json())) == .finished) }
    let travelled = try outputs()
    for plan in plans { #expect(try Session().run(plan) == .finished) }
    let direct = try outputs()
    #expect(travelled == direct)
    // One video, three pictures, scopes, a pattern.
    #expect(travelled.count == 6, "\(travelled.keys)")
  }

  @Test func areRefusedForAnotherInput() throws {
    let scratch = try Scratch()
    let name = try scratch.clip("a.mkv", size: "128x96", frames: 3, ["-c:v", "ffv1"])
    let session = Session()
    let plan = try session.plan(TranscodeRequest(input: name, output: scratch.path("b.mkv")))
    _ = try scratch.clip("a.mkv", size: "64x48", frames: 3, ["-c:v", "ffv1"])
    let error = #expect(throws: Refusal.self) { try Session().run(plan) }
    #expect(error?.diagnostic == .input(.differsFromPlan(name: name)))
    #expect(!scratch.contents.contains("b.mkv"))
  }
}
