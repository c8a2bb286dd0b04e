import Displays
import Foundation
import Frames
import ImageFiles
import LivePreview
import Media
import TestSupport
import Testing

import Sessions

/// Previews on other devices, with the network process's program.
@Suite struct ServeTests {
  private static func request(_ input: String) -> ServeRequest {
    ServeRequest(input: input, program: ServedPreview.program)
  }

  private static func film(_ scratch: Scratch, frames: Int = 50) throws -> String {
    try scratch.made(
      "in.mkv", size: "320x180", frames: frames, ["-pix_fmt", "yuv420p10le", "-c:v", "ffv1"] + Scratch.pq)
  }

  private static func refused(_ body: () throws -> Void) -> Message? {
    #expect(throws: Refusal.self, performing: body)?.message
  }

  private static func described(_ headers: [String: String]) -> [String: Any] {
    let text = headers["headroom-stream"] ?? ""
    return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
  }

  /// Paused at a frame, in one step.
  private static func paused(_ served: ServedPreview, at position: Double) throws {
    let answer = try served.patch("{\"paused\": true, \"position\": \(position)}")
    #expect(answer.status == 200, "\(answer.object)")
    _ = try served.wait { state in
      state["paused"] as? Bool == true && abs((state["position"] as? Double ?? -1) - position) < 1e-3
    }
  }

  /// Samples of a picture as ffmpeg reads them, in 16 bits.
  private static func samples(_ scratch: Scratch, _ picture: Data, _ name: String) throws -> Data {
    let path = try scratch.file(name, picture)
    try Tool.ffmpeg.run(["-y", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb48le", scratch.path("samples")])
    return try scratch.bytes(scratch.path("samples"))
  }

  /// Reference mode on a file and on another device: the same code values.
  @Test func stillsAreTheRendition() throws {
    let scratch = try Scratch()
    let film = try Self.film(scratch)
    let served = try ServedPreview(Self.request(film))
    try Self.paused(served, at: 1)
    let still = try served.get("frame.png?range=pq&display=reference")
    #expect(still.status == 200 && Self.described(still.headers)["reference_mode"] as? String == "enabled")
    var dump = PictureRequest(input: film, output: scratch.path("dump.png"), format: .png)
    (dump.space, dump.stage, dump.selection.at) = (.bt2100PQ, .mapped, 1)
    (dump.mapping.chosenKind, dump.mapping.display) = (.hdr10, DisplayStatus(.reference))
    try Session().run(dump)
    let own = try Self.samples(scratch, still.body, "still.png")
    #expect(try own == Self.samples(scratch, scratch.bytes(scratch.path("dump.png")), "copy.png"))
    #expect(own.count == 320 * 180 * 6)
    try served.end()
  }

  @Test func stillsOfEveryKind() throws {
    let scratch = try Scratch()
    let served = try ServedPreview(Self.request(try Self.film(scratch)))
    try Self.paused(served, at: 0.4)
    for (name, transfer) in [
      ("png", "bt709"), ("avif", "bt709"), ("avif", "iec61966-2-1"), ("avif", "smpte2084"), ("exr", ""),
    ] {
      let query = ["smpte2084": "?range=pq&width=160&height=90", "iec61966-2-1": "?tags=srgb"][transfer] ?? ""
      let still = try served.get("frame.\(name)\(query)")
      #expect(still.status == 200, "\(name): \(still.object)")
      let path = try scratch.file("still.\(name)", still.body)
      let stream = try #require(Probe(path, ["-show_streams"]).streams?.first)
      #expect(stream.width == (transfer == "smpte2084" ? 160 : 320))
      if name == "avif" { #expect(stream.color_transfer == transfer) }
    }
    try served.end()
  }

  @Test func filesArePausedSoughtAndStepped() throws {
    let scratch = try Scratch()
    let served = try ServedPreview(Self.request(try Self.film(scratch)))
    try Self.paused(served, at: 0.8)
    #expect(try served.patch(#"{"step": 2}"#).status == 200)
    _ = try served.wait { abs(($0["position"] as? Double ?? 0) - 0.88) < 1e-3 }
    // Beyond the end is the end, where it waits for a seek.
    #expect(try served.patch(#"{"position": 1000, "paused": false}"#).status == 200)
    _ = try served.wait { $0["ended"] as? Bool == true }
    try Self.paused(served, at: 0.2)
    #expect(try served.patch(#"{"position": 0, "step": 1, "paused": false}"#).status == 400)
    #expect(try served.patch(#"{"paused": false}"#).status == 200)
    #expect(try served.patch(#"{"step": 1}"#).status == 409)
    try served.end()
    #expect(
      served.log.events.contains { event in
        if case .message(let told, _) = event { told.code == "viewers-served" } else { false }
      })
  }

  /// A seek forgets steps that have not been taken.
  @Test func stepsEndWithASeek() throws {
    let scratch = try Scratch()
    let served = try ServedPreview(Self.request(try Self.film(scratch)))
    #expect(try served.patch(#"{"position": 1000}"#).status == 200)
    _ = try served.wait { $0["ended"] as? Bool == true }
    #expect(try served.patch(#"{"paused": true}"#).status == 200)
    #expect(try served.patch(#"{"step": 500}"#).status == 200)
    try Self.paused(served, at: 0.4)
    usleep(400_000)
    #expect(try served.get("state").object["position"] as? Double == 0.4)
    try served.end()
  }

  /// What is impossible is not said to be so.
  @Test func anImpossibleViewIsUndone() throws {
    let scratch = try Scratch()
    let film = try scratch.made("tiny.mkv", size: "32x18", frames: 50, ["-pix_fmt", "yuv420p", "-c:v", "ffv1"])
    let served = try ServedPreview(Self.request(film))
    try Self.paused(served, at: 0.4)
    _ = try served.patch(#"{"scopes": "waveform"}"#)
    let state = try served.wait { $0["message"] is String && $0["scopes"] is NSNull }
    #expect((state["message"] as? String)?.isEmpty == false)
    try served.end()
  }

  /// A file that is recorded twice, the second time from an earlier frame.
  @Test func aSecondRecordingBeginsWhereItIs() throws {
    let scratch = try Scratch()
    var request = Self.request(try Self.film(scratch, frames: 100))
    request.preview.recording = RecordingRequest(scratch.path("take.mkv"))
    request.preview.recording?.coding.encoder = "ffv1"
    request.allowsRecording = true
    let served = try ServedPreview(request)
    _ = try served.wait { ($0["position"] as? Double ?? 0) > 0.8 }
    #expect(try served.patch(#"{"position": 0}"#).status == 409)
    #expect(try served.patch(#"{"recording": false}"#).status == 200)
    _ = try served.wait { ($0["position"] as? Double ?? 0) > 1.2 }
    #expect(try served.patch(#"{"position": 0, "recording": true}"#).status == 200)
    _ = try served.wait { state in
      let position = state["position"] as? Double ?? 0
      return position > 0.4 && position < 1
    }
    try served.end()
    #expect(scratch.contents.filter { $0.hasPrefix("take") }.sorted() == ["take-2.mkv", "take.mkv"])
  }

  @Test func theViewIsChangedByAllOrNothing() throws {
    let scratch = try Scratch()
    let served = try ServedPreview(Self.request(try Self.film(scratch)))
    try Self.paused(served, at: 0)
    let plain = try served.get("frame.png").body
    let changed = try served.patch(#"{"exposure": 1, "curve": "reinhard", "false_color": true, "scopes": "waveform"}"#)
    #expect(changed.object["exposure"] as? Double == 1 && changed.object["curve"] as? String == "reinhard")
    #expect(try served.get("frame.png").body != plain)
    #expect(try served.patch(#"{"exposure": 2, "curve": "none"}"#).status == 400)
    #expect(try served.get("state").object["exposure"] as? Double == 1)
    _ = try served.patch(#"{"reset": true}"#)
    #expect(try served.get("frame.png").body == plain)
    try served.end()
  }

  /// A player gets what it asks for, and what it is told it gets.
  @Test(arguments: ["h264", "hevc-10", "av1-10"])
  func streamsAreWhatTheySay(_ codec: String) throws {
    let scratch = try Scratch()
    let served = try ServedPreview(Self.request(try Self.film(scratch, frames: 200)))
    let isHDR = codec != "h264"
    let stream = try served.stream("codecs=\(codec)&width=200&height=200&range=\(isHDR ? "pq" : "sdr")", fragments: 10)
    let told = Self.described(stream.headers)
    #expect(told["width"] as? Int == 200 && told["height"] as? Int == 112 && told["codec"] as? String == codec)
    // What is cut off is no whole frame.
    let path = try scratch.file("stream.mp4", stream.body)
    let found = try #require(Probe(path, ["-show_streams"]).streams?.first)
    #expect(found.width == 200 && found.height == 112)
    #expect(found.color_transfer == (isHDR ? "smpte2084" : "bt709"))
    try served.end()
  }

  /// A picture of what is under a finger.
  @Test func placesHaveCodesAndLight() throws {
    let scratch = try Scratch()
    let served = try ServedPreview(Self.request(try Self.film(scratch)))
    try Self.paused(served, at: 0)
    let place = try served.get("pixel?x=0.5&y=0.25").object
    #expect(place["x"] as? Int == 160 && place["y"] as? Int == 45 && place["bit_depth"] as? Int == 10)
    #expect((place["code"] as? [Int])?.count == 3 && (place["nits"] as? Double ?? -1) >= 0)
    #expect(try served.get("pixel?x=1&y=0").status == 400)
    #expect(try served.get("frame.png?width=3&height=3").status == 400)
    try served.end()
  }

  @Test func readOnlyIsReadOnly() throws {
    let scratch = try Scratch()
    var request = Self.request(try Self.film(scratch))
    request.isReadOnly = true
    let served = try ServedPreview(request)
    #expect(try served.patch(#"{"paused": true}"#).status == 403)
    _ = try served.wait { $0["read_only"] as? Bool == true }
    try served.end()
  }

  /// Whoever looks neither fills the disk nor ends a take, unless that is allowed.
  @Test func viewersDoNotRecord() throws {
    let scratch = try Scratch()
    let served = try ServedPreview(Self.request(try Self.film(scratch)))
    _ = try served.wait { $0["can_record"] as? Bool == false }
    for patch in [#"{"recording": true}"#, #"{"recording": false}"#] { #expect(try served.patch(patch).status == 403) }
    #expect(try served.patch(#"{"exposure": 1}"#).status == 200)
    try served.end()
    #expect(scratch.contents == ["in.mkv"])
  }

  /// A token is kept over restarts, by its owner alone.
  @Test func tokensAreKept() throws {
    let scratch = try Scratch()
    var request = Self.request(try Self.film(scratch, frames: 2))
    let file = scratch.path("token")
    request.tokenFile = file
    let places = try (0..<2).map { _ in
      let served = try ServedPreview(request)
      defer { try? served.end() }
      return URL(string: served.place)?.path
    }
    let token = String(decoding: try scratch.bytes(file), as: UTF8.self)
    #expect(places[0] == places[1] && places[0] == "/\(token.dropLast())" || places[0] == "/\(token.dropLast())/")
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    #expect(Self.refused { _ = try ServedPreview(request) }?.says("token-exposed", "'\(file)'") == true)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    for text in ["0123", String(repeating: "g", count: 32), String(repeating: "0", count: 40)] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: file))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      #expect(Self.refused { _ = try ServedPreview(request) }?.says("no-token", "'\(file)'") == true, "\(text)")
    }
    request.tokenFile = scratch.path("none/token")
    let refused = Self.refused { _ = try ServedPreview(request) }
    #expect(refused?.says("token-not-kept", "'\(scratch.path("none/token"))': No such file or directory.") == true)
  }

  @Test func whatCannotBeServedIsRefused() throws {
    let scratch = try Scratch()
    let film = try Self.film(scratch, frames: 2)
    var request = Self.request(film)
    request.certificates = "chain.pem"
    #expect(Self.refused { _ = try Session().plan(request) }?.says("certificate-without-key") == true)
    request = Self.request(film)
    request.port = 70_000
    #expect(Self.refused { _ = try Session().plan(request) } == .outOfRange(.port, "70000", "0", "65535"))
    request.port = 0
    request.hostNames = ["box.example", "a b"]
    #expect(Self.refused { _ = try Session().plan(request) }?.says("not-a-host-name", "'a b'") == true)
    request.hostNames = []
    request.maximumViewers = 0
    #expect(Self.refused { _ = try Session().plan(request) } == .outOfRange(.maximumViewers, "0", "1", "100"))
    request.maximumViewers = 1
    request.program = scratch.path("none")
    let missing = Self.refused { _ = try ServedPreview(request) }
    #expect(missing?.says("no-server-program", "'\(request.program)'") == true)
    request.program = try scratch.file("none", Data("no program".utf8))
    let started = Self.refused { _ = try ServedPreview(request) }
    #expect(started?.says("server-not-started", "'\(request.program)': Permission denied.") == true)
  }

  /// Who can be reached by others is told so, and who cannot listen is told why.
  @Test func addressesAreThoseOfTheMachine() throws {
    let scratch = try Scratch()
    var request = Self.request(try Self.film(scratch, frames: 2))
    request.address = "203.0.113.1"
    let log = EventTests.Log()
    _ = try Session(onEvent: log.add).plan(request)
    #expect(
      log.events.contains { event in
        if case .message(let told, .warning) = event { told.says("not-encrypted", "203.0.113.1") } else { false }
      })
    let refused = Self.refused { _ = try ServedPreview(request) }
    #expect(refused?.says("cannot-listen", "203.0.113.1") == true, "\(String(describing: refused))")
  }
}
