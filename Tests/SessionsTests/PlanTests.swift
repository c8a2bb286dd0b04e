import Foundation
import Frames
import ImageFiles
import Media
import Patterns
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

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

  /// Another number, text or truth in the place of one; nil for the beginning of an object or list.
  private static func changed(_ value: Substring) -> String? {
    let comma = value.hasSuffix(",") ? "," : ""
    let value = value.hasSuffix(",") ? value.dropLast() : value
    if value == "true" || value == "false" { return (value == "true" ? "false" : "true") + comma }
    if value.count > 1, value.hasSuffix("\"") { return value.dropLast() + "x\"" + comma }
    return Double(value).map { "\($0 == 0 ? 1 : 0)" + comma }
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

  /// A plan is run with an input of its own, whatever else the session has planned since.
  @Test func areNotMixedUp() throws {
    let scratch = try Scratch()
    let clip = try scratch.clipOfManyStreams("in.mkv")
    func request(_ name: String, start: Double) -> TranscodeRequest {
      var request = TranscodeRequest(input: clip, output: scratch.path(name))
      request.coding.format = "framemd5"
      request.selection.start = start
      request.selection.duration = 0.2
      return request
    }
    func text(_ name: String) throws -> String { try String(contentsOfFile: scratch.path(name), encoding: .utf8) }
    try Session().run(request("alone", start: 0))
    let session = Session()
    let first = try session.plan(request("first", start: 0))
    _ = try session.plan(request("second", start: 0.8))
    try session.run(first)
    #expect(try text("first") == text("alone"))
    try session.run(request("second", start: 0.8))
    #expect(try text("second") != text("alone"))
  }

  /// Parts of a plan fit together only as they were made: any change is refused.
  @Test func areRefusedWhereTheyWereChanged() throws {
    let scratch = try Scratch()
    for plan in try Self.plans(scratch) {
      let lines = String(decoding: try plan.json(), as: UTF8.self).components(separatedBy: "\n")
      var changes = 0
      for (index, line) in lines.enumerated() where index % 3 == 0 {
        guard let colon = line.range(of: " : "), let value = Self.changed(line[colon.upperBound...]) else { continue }
        var changed = lines
        changed[index] = line[..<colon.upperBound] + value
        let data = Data(changed.joined(separator: "\n").utf8)
        // It is JSON still.
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: data) }
        #expect(throws: DecodingError.self, "\(line)") { try AnyPlan(json: data) }
        changes += 1
      }
      #expect(changes > 10)
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
    #expect(error?.message.code == "input-differs-from-plan")
    #expect(error?.message.words.contains("'\(name)'") == true)
    #expect(!scratch.contents.contains("b.mkv"))
  }
}
