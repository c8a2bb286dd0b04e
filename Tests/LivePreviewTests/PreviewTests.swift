import Displays
import Foundation
import Frames
import LivePreview
import Media
import Preview
import TestSupport
import Testing
import ToneMapping

import Sessions

/// Previews of files on a screen that a test looks at.
@Suite struct PreviewTests {
  /// What a session has told.
  private static func told(_ log: EventTests.Log) -> [Message] {
    log.events.compactMap { if case .message(let message, _) = $0 { message } else { nil } }
  }

  private static func input(_ scratch: Scratch, frames: Int = 50) throws -> String {
    try scratch.made("in.mkv", frames: frames, ["-pix_fmt", "yuv420p10le", "-c:v", "ffv1"] + Scratch.pq)
  }

  /// 50 frames of a grey of about 90 cd/m², which no curve clips.
  private static func grey(_ scratch: Scratch) throws -> String {
    let path = scratch.path("grey.mkv")
    try Tool.ffmpeg.run(
      [
        "-f", "lavfi", "-i", "color=gray:size=128x96:rate=25", "-frames:v", "50", "-pix_fmt", "yuv420p10le", "-c:v",
        "ffv1",
      ]
        + Scratch.pq + [path])
    return path
  }

  /// Shows 50 frames of HDR10 in two seconds.
  @discardableResult
  private func show(
    on screen: FakeScreen, frames: Int = 50, _ change: (inout PreviewRequest, Scratch) throws -> Void = { _, _ in },
    then check: (Scratch) throws -> Void = { _ in }
  ) throws -> [Message] {
    let scratch = try Scratch()
    var request = PreviewRequest(input: try Self.input(scratch, frames: frames))
    request.snapshotFolder = scratch.folder.path
    try change(&request, scratch)
    let log = EventTests.Log()
    let session = Session(onEvent: log.add)
    try session.run(session.plan(request), on: screen)
    #expect(screen.isClosed)
    try check(scratch)
    return Self.told(log)
  }

  @Test func aPictureFillsTheScreenAtItsOwnPace() throws {
    let screen = FakeScreen(Size(width: 641, height: 201))
    let start = ContinuousClock.now
    let told = try show(on: screen)
    #expect(ContinuousClock.now - start > .seconds(1.8))
    // 4:3, as large as it can be.
    #expect(screen.shown.allSatisfy { $0.size == Size(width: 268, height: 201) })
    let times = screen.shown.map(\.time.seconds)
    #expect(times == times.sorted() && Set(times).count == times.count)
    let count = screen.shown.count
    let shown = told.filter { $0.code == "frames-shown" }.map(\.words)
    #expect(shown == ["\(count.counting("frame")) shown, \(50 - count) dropped."])
    #expect(screen.status.curve == "system" && screen.status.headroom == 1 && screen.status.sdrWhite == 100)
  }

  @Test func tenBitsAreRenderedForScreensThatHaveThem() throws {
    let screen = FakeScreen(Size(width: 128, height: 96), layout: PixelLayout(.rgb, bitDepth: 10))
    try show(on: screen, frames: 5)
    #expect(screen.shown.allSatisfy { $0.mean > 260 && $0.size == Size(width: 128, height: 96) })
  }

  /// While one picture is presented, a key is pressed: the very next one has it.
  @Test func aKeyIsOnScreenInTheNextPicture() throws {
    let screen = FakeScreen(Size(width: 128, height: 96)) { screen, number in
      guard number == 10 else { return }
      screen.press(.raiseHeadroom)
      // Until what was rendered before the key has been replaced.
      Thread.sleep(forTimeInterval: 1)
    }
    try show(on: screen) { request, scratch in request.input.name = try Self.grey(scratch) }
    let (before, after) = (screen.shown[10], screen.shown[11])
    #expect(after.mean < before.mean - 1)
    #expect(abs(screen.shown[9].mean - before.mean) < 0.1)
    #expect(abs(screen.status.headroom - 1.189207) < 1e-6)
  }

  /// A pause shows what keys change, and steps go on by one.
  @Test func aPausedPictureIsShownAgainByKeys() throws {
    let screen = FakeScreen(Size(width: 128, height: 96)) { screen, number in
      switch number {
      case 5: screen.press(.togglePause)
      case 6:
        // The pause may come after the frame that was under way.
        Thread.sleep(forTimeInterval: 0.3)
        screen.press(.raiseExposure)
      case 7: screen.resize(Size(width: 256, height: 192))
      case 8: screen.press(.step)
      case 9: screen.press(.quit)
      default: break
      }
    }
    // A pause after frame 5 keeps frame 6 from coming; something has to.
    let waker = Thread {
      while screen.shown.count < 6 { Thread.sleep(forTimeInterval: 0.01) }
      Thread.sleep(forTimeInterval: 0.5)
      if screen.shown.count == 6 { screen.input(.areaChanged) }
    }
    waker.start()
    try show(on: screen) { request, scratch in request.input.name = try Self.grey(scratch) }
    let shown = screen.shown
    #expect(shown.count >= 10)
    #expect(shown[7].time == shown[6].time && shown[7].mean > shown[6].mean)
    #expect(shown[8].time == shown[7].time && shown[8].size == Size(width: 256, height: 192))
    #expect(shown[9].time.seconds > shown[8].time.seconds)
  }

  @Test func theLightUnderThePointerIsStated() throws {
    let screen = FakeScreen(Size(width: 128, height: 96))
    screen.point(at: SIMD2(0.5, 0.5))
    try show(on: screen, frames: 10)
    #expect((screen.status.nits ?? 0) > 0)
  }

  /// Scopes beside the picture have no light, and do not move that of the picture.
  @Test(arguments: [(0.2, true), (0.9, false)])
  func theLightIsThatOfThePictureBesideScopes(_ x: Double, _ isInPicture: Bool) throws {
    let screen = FakeScreen(Size(width: 640, height: 240))
    screen.point(at: SIMD2(x, 0.5))
    let scratch = try Scratch()
    var request = PreviewRequest(input: try Self.grey(scratch))
    (request.filters, request.selection.range) = (["scopes=show=waveform:place=right"], FrameRange(first: 0, last: 9))
    let session = Session()
    try session.run(session.plan(request), on: screen)
    #expect((screen.status.nits != nil) == isInPicture)
  }

  @Test func recordingIsSwitchedOnAndOffAndOnAgain() throws {
    let screen = FakeScreen(Size(width: 128, height: 96)) { screen, number in
      if [10, 20, 30].contains(number) { screen.press(.toggleRecording) }
    }
    var names: [String] = []
    let told = try show(on: screen) { request, scratch in
      request.recording = RecordingRequest(scratch.path("take.mkv"))
      request.recording?.coding.encoder = "ffv1"
      _ = try scratch.file("take-2.mkv", Data("mine".utf8))
    } then: { scratch in
      #expect(try scratch.bytes(scratch.path("take-2.mkv")) == Data("mine".utf8))
      names = scratch.contents.filter { $0.hasPrefix("take") }.sorted()
      for name in names where name != "take-2.mkv" {
        let video = try #require(Probe(scratch.path(name), ["-show_streams"]).streams?.first)
        #expect(video.color_transfer == "smpte2084" && video.color_primaries == "bt2020")
      }
    }
    // On from the start, off, on, off. A name that is taken is left alone.
    #expect(names == ["take-2.mkv", "take-3.mkv", "take.mkv"])
    let begun = told.filter { $0.says("recording-begun", "take") }
    let counts = told.filter { $0.code == "recording-complete" }.compactMap { message in
      message.words.split(separator: " ").compactMap { Int($0) }.first
    }
    #expect(begun.count == 2 && counts.count == 2 && counts.allSatisfy { $0 > 3 && $0 < 20 })
  }

  /// Every frame of a file is recorded, as it was.
  @Test func aRecordingOfAFileIsTheFile() throws {
    let screen = FakeScreen(Size(width: 64, height: 48))
    try show(on: screen, frames: 20) { request, scratch in
      request.recording = RecordingRequest(scratch.path("copy.mkv"))
      request.recording?.coding.encoder = "ffv1"
    } then: { scratch in
      let hashes = try ["in.mkv", "copy.mkv"].map { name in
        let text = String(
          decoding: try Tool.ffmpeg.run(["-i", scratch.path(name), "-f", "framemd5", "-"]), as: UTF8.self)
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
      }
      #expect(hashes[0].count == 20 && hashes[0] == hashes[1])
    }
  }

  /// A mapping that is recorded is that of the options, as of a transcode.
  @Test func aRecordingIsMappedAsAsked() throws {
    let scratch = try Scratch()
    var request = PreviewRequest(input: try Self.input(scratch, frames: 2))
    request.recording = RecordingRequest(scratch.path("take.mkv"))
    request.recording?.kind = .hdr10
    request.mapping.peak = 600
    #expect(try Session().plan(request).recording.target.display.peak == 600)
  }

  /// Sound is not played, and not recorded: it is said.
  @Test func aRecordingWithoutTheSoundOfTheFileSaysSo() throws {
    let scratch = try Scratch()
    let input = scratch.path("sound.mkv")
    try Tool.ffmpeg.run(
      [
        "-i", try Self.input(scratch, frames: 5), "-f", "lavfi", "-i", "sine=duration=0.2", "-c:v", "copy", "-c:a",
        "flac",
      ]
        + [input])
    var request = PreviewRequest(input: input)
    request.recording = RecordingRequest(scratch.path("take.mkv"))
    let log = EventTests.Log()
    _ = try Session(onEvent: log.add).plan(request)
    let told = Self.told(log)
    #expect(told.contains { $0.says("recording-of-pictures-only", "without the input's 1 audio stream:") })
    request.input.isStrict = true
    #expect(throws: Refusal.self) { try Session().plan(request) }
  }

  @Test func aRecordingThatFailsLeavesThePreview() throws {
    let scratch = try Scratch()
    var request = PreviewRequest(input: try Self.input(scratch))
    request.recording = RecordingRequest(scratch.path("take.mkv"))
    request.recording?.coding.encoder = "ffv1"
    let folder = scratch.folder.path
    let screen = FakeScreen(Size(width: 64, height: 48)) { screen, number in
      if number == 5 { screen.press(.toggleRecording) }
      // The folder of the second take has gone.
      if number == 15 {
        try? FileManager.default.moveItem(atPath: folder, toPath: folder + "-gone")
        screen.press(.toggleRecording)
      }
    }
    defer { try? FileManager.default.removeItem(atPath: folder + "-gone") }
    let log = EventTests.Log()
    let session = Session(onEvent: log.add)
    #expect(throws: (any Error).self) { try session.run(session.plan(request), on: screen) }
    #expect(screen.shown.count > 20)
    let isTold = log.events.contains { event in
      if case .message(let told, .warning) = event { told.code == "recording-failed" } else { false }
    }
    #expect(isTold)
  }

  @Test func aSnapshotIsTwoPictures() throws {
    let screen = FakeScreen(Size(width: 128, height: 96)) { screen, number in
      if number == 10 { screen.press(.snapshot) }
    }
    let told = try show(on: screen) { _, _ in
    } then: { scratch in
      // They are written beside the frames.
      _ = comesTrue { scratch.contents.contains { $0.hasSuffix(".exr") } }
      let pictures = scratch.contents.filter { $0.hasPrefix("headroom-") }.sorted()
      #expect(pictures.map { String($0.suffix(4)) } == [".exr", ".png"])
      for name in pictures {
        let picture = try #require(Probe(scratch.path(name), ["-show_streams"]).streams?.first)
        #expect(picture.width == 128 && picture.height == 96)
      }
    }
    _ = told
    #expect(
      screen.messages.contains { $0.contains(".png") && $0.contains(".exr") }
        || told.contains { $0.code == "snapshot-written" })
  }

  @Test func aSnapshotThatCannotBeWrittenIsTold() throws {
    let screen = FakeScreen(Size(width: 128, height: 96)) { screen, number in
      if number == 10 { screen.press(.snapshot) }
    }
    try show(on: screen) { request, scratch in request.snapshotFolder = scratch.path("nowhere") }
    _ = comesTrue { screen.messages.contains { $0.contains("No snapshot: ") } }
    #expect(screen.messages.contains { $0.contains("No snapshot: ") })
  }

  /// What a display decides, and what reference mode locks, is said and not done.
  @Test func whatCannotBeIsSaid() throws {
    let display = try #require(DisplayModel.presets.first { $0.name == "edr-5" })
    let status = DisplayStatus(display)
    let screen = FakeScreen(Size(width: 128, height: 96)) { screen, number in
      if number == 5 { screen.press(.raiseHeadroom) }
    }
    try show(on: screen, frames: 15) { request, _ in
      request.mapping.display = status
      request.following = DisplayFollowing(.events([]))
    }
    #expect(screen.messages.count == 1 && screen.messages[0].contains("The display that is followed decides that."))

    let reference = DisplayStatus(try #require(DisplayModel.presets.first { $0.name == "reference" }))
    let locked = FakeScreen(Size(width: 128, height: 96)) { screen, number in
      if number == 5 { screen.press(.raiseExposure) }
    }
    try show(on: locked, frames: 15) { request, _ in request.mapping.display = reference }
    #expect(locked.messages.count == 1 && locked.messages[0].contains("exposure"), "\(locked.messages)")
    #expect(locked.status.exposure == 0)
  }

  @Test func closingTheScreenEndsThePreview() throws {
    let screen = FakeScreen(Size(width: 128, height: 96)) { screen, number in if number == 3 { screen.input(.closed) } }
    try show(on: screen)
    #expect(screen.shown.count < 10)
  }

  @Test func valuesOutOfRange() throws {
    var request = PreviewRequest(input: "in.mkv")
    request.maximumLatency = 0.001
    #expect(throws: Refusal.self) { try request.validate() }
    request.maximumLatency = 0.1
    request.input.capture.channel = -1
    let error = #expect(throws: Refusal.self) { try request.validate() }
    #expect(error?.message == .outOfRange(.channel, "-1", "0", "255"))
    request.input.capture.channel = nil
    request.maximumLatency = 11
    #expect(
      throws: Refusal.self, "\(Message.outOfRange(.maximumLatency, "11000", "5", "10000 ms"))"
    ) { try request.validate() }
  }
}
