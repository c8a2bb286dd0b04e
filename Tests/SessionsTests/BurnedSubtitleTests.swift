import FFmpegIO
import Foundation
import Frames
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Subtitles that are drawn into the picture: plans and messages.
@Suite struct BurnedSubtitleTests {
  private static func request(
    _ input: String, _ output: String, _ name: String, _ kind: OutputKind = .hdr10
  ) -> TranscodeRequest {
    var request = TranscodeRequest(input: input, output: output)
    (request.burnedSubtitles, request.mapping.chosenKind, request.coding.encoder) = (name, kind, "ffv1")
    return request
  }

  private static let label = "#1 subrip (eng)"

  @Test func streamsAndFilesAreFound() throws {
    let scratch = try Scratch()
    let (input, output) = (try scratch.subtitledFilm(), scratch.path("a.mkv"))
    for name in ["s:0", "0:s:0", "s:m:language:eng", "1", "0:1", "s"] {
      try expectNote("subtitles-burned-in", "\(Self.label), white at 203 cd/m²") {
        let plan = try $0.plan(Self.request(input, output, name))
        #expect(plan.subtitles?.source == .input && plan.subtitles?.index == 1, "\(name)")
        return plan
      }
    }
    try expectNote("subtitles-burned-in", "#0 subrip, white at SDR white") {
      let plan = try $0.plan(Self.request(input, output, scratch.path("a.srt"), .sdr))
      if case .file(let file) = plan.subtitles?.source {
        #expect(file.path.hasSuffix("/a.srt"))
      } else {
        Issue.record("It is no file.")
      }
      return plan
    }
    // A requested reference white is that of graphics, too.
    var request = Self.request(input, output, "s")
    request.mapping.referenceWhite = 150
    try expectNote("subtitles-burned-in", "\(Self.label), white at 150 cd/m²") { try $0.plan(request) }
    for name in ["s:1", "v", "0", "nothing.srt", "s:m:language:fra", ":::"] {
      expectRefusal("no-such-subtitles", "'\(name)'", "subtitles of '\(input)', which has \(Self.label).") {
        try $0.plan(Self.request(input, output, name))
      }
    }
    expectRefusal("no-such-subtitles", "'s'", "'\(Sample.hdr10)', which has none", "burnSubtitles") {
      try $0.plan(Self.request(Sample.hdr10, output, "s"))
    }
    expectRefusal("input-not-repeatable", "'-'", "give burnSubtitles a file") {
      var request = Self.request(input, output, "s")
      request.input.name = "-"
      return try $0.plan(request)
    }
    expectRefusal("output-is-input", "'\(scratch.path("a.srt"))' is") {
      try $0.plan(Self.request(input, scratch.path("a.srt"), scratch.path("a.srt")))
    }
  }

  /// What is in the picture is not beside it as well, unless it is asked for.
  @Test func theStreamIsNotCopied() throws {
    let scratch = try Scratch()
    let (input, output) = (try scratch.subtitledFilm(), scratch.path("a.mkv"))
    func streams(_ change: (inout TranscodeRequest) -> Void = { _ in }) throws -> Int {
      var request = Self.request(input, output, "s")
      change(&request)
      return try Session().plan(request).streams.streams.count
    }
    #expect(try streams() == 1)
    #expect(try streams { $0.burnedSubtitles = scratch.path("a.srt") } == 2)
    #expect(try streams { $0.streams.map = [.init("v"), .init("s")] } == 2)
  }

  /// MaxCLL of a film that is darker than its subtitles.
  @Test func statedLightIsThatOfSubtitles() throws {
    let scratch = try Scratch()
    let (input, output) = (try scratch.subtitledFilm(), scratch.path("a.mkv"))
    var request = Self.request(input, output, "s")
    #expect(try Session().plan(request).target.metadata.contentLight == ContentLight(maxCLL: 204, maxFALL: 0))
    request.burnedSubtitles = nil
    #expect(try Session().plan(request).target.metadata.contentLight == ContentLight(maxCLL: 90, maxFALL: 100))
    request.burnedSubtitles = "s"
    request.mapping.peak = 100
    #expect(try Session().plan(request).target.metadata.contentLight?.maxCLL == 100)
  }

  /// Pictures of a bright ramp, whose stated MaxCLL is too low, in luma and chroma.
  private static func ramp(_ scratch: Scratch) throws -> String {
    let path = scratch.path("ramp.mkv")
    try Tool.ffmpeg.run(
      [
        "-f", "lavfi", "-i", "color=black:size=192x108:rate=25", "-frames:v", "12", "-vf",
        "format=yuv420p10le,geq=lum='300+3*X':cb='300+2*X':cr='700-3*Y'", "-c:v", "libx265", "-x265-params",
        "lossless=1:log-level=none" + Scratch.light(peak: 1000, maxCLL: 300),
      ] + Scratch.pq + ["-y", path])
    return path
  }

  private static func luma(_ path: String, frame: Int) throws -> [UInt16] {
    let bytes = [UInt8](try Tool.ffmpeg.run(["-i", path, "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-"]))
    let (pixels, start) = (192 * 108, frame * 192 * 108 * 3)
    return (0..<pixels).map { UInt16(bytes[start + 2 * $0]) | UInt16(bytes[start + 2 * $0 + 1]) << 8 }
  }

  /// Where the film is brighter than what is stated, only pixels under the letters change.
  @Test func theFilmBesideTheLettersStays() throws {
    let scratch = try Scratch()
    let input = try Self.ramp(scratch)
    let titles = try scratch.file("a.srt", Data(Scratch.titles.utf8))
    // On black, what is drawn and where.
    let dark = scratch.path("dark.mkv")
    try Session().run(Self.request(try scratch.subtitledFilm(), dark, titles))
    let drawn = zip(try Self.luma(dark, frame: 4), try Self.luma(dark, frame: 0)).map { $0 != $1 }
    let choices: [MetadataRequest.ContentLightChoice?] = [
      nil, .value(ContentLight(maxCLL: 350, maxFALL: 50)), .measured,
    ]
    for light in choices {
      func frame(_ name: String, burns: Bool) throws -> [UInt16] {
        var request = Self.request(input, scratch.path(name), titles)
        if !burns { request.burnedSubtitles = nil }
        request.metadata.contentLight = light
        request.overwrites = true
        try Session().run(request)
        return try Self.luma(scratch.path(name), frame: 4)
      }
      let (plain, burned) = (try frame("plain.mkv", burns: false), try frame("burned.mkv", burns: true))
      var (changed, beside) = (0, 0)
      for y in 0..<108 {
        for x in 0..<192 where plain[y * 192 + x] != burned[y * 192 + x] {
          changed += 1
          // The faintest edges are seen on one background and not on the other.
          let isNear = (max(y - 1, 0)...min(y + 1, 107)).contains { row in
            (max(x - 1, 0)...min(x + 1, 191)).contains { drawn[row * 192 + $0] }
          }
          if !isNear { beside += 1 }
        }
      }
      #expect(changed > 20 && beside == 0, "\(String(describing: light))")
    }
  }

  /// What is measured before is what is coded, whatever the input states.
  @Test func measuredLightIsThatOfTheOutput() throws {
    let scratch = try Scratch()
    let titles = try scratch.file("a.srt", Data(Scratch.titles.utf8))
    var request = Self.request(try Self.ramp(scratch), scratch.path("out.mkv"), titles)
    request.metadata.contentLight = .measured
    let session = Session()
    let plan = try session.plan(request)
    try session.run(plan)
    var again = Self.request(scratch.path("out.mkv"), scratch.path("again.mkv"), titles)
    again.burnedSubtitles = nil
    again.metadata.contentLight = .measured
    let stated = try #require(plan.target.metadata.contentLight)
    #expect(stated.maxCLL > 300)
    #expect(try Session().plan(again).target.metadata.contentLight == stated)
  }

  /// White keeps its code over a film that is stated to be darker.
  @Test func whiteIsWhiteOverDarkFilms() throws {
    let scratch = try Scratch()
    var box = BluRaySubtitles(width: 192, height: 108)
    box.show(.init(x: 60, y: 40, width: 80, height: 20), at: 0)
    box.show(nil, at: 2)
    let titles = try scratch.file("a.sup", box.data)
    let path = scratch.path("white.mkv")
    try Session().run(Self.request(try scratch.subtitledFilm(), path, titles))
    // (573 - 64) / 876 is 203.7 cd/m².
    #expect(try Self.luma(path, frame: 4).max() == 573)
  }

  /// One subtitle of a file is damaged.
  private static func isDamaged(_ warning: Message) -> Bool {
    warning.code == "subtitles-damaged" && warning.words.contains("1 subtitle of #0 subrip")
  }

  /// Subtitles are held from the plan to the end of its run.
  @Test func subtitlesAreReadOnce() throws {
    let scratch = try Scratch()
    let latin = try scratch.file(
      "latin.srt",
      #require(
        "1\n00:00:00,000 --> 00:00:01,000\nF\n\n2\n00:00:01,000 --> 00:00:02,000\nFünf\n".data(using: .isoLatin1)))
    var request = Self.request(try scratch.subtitledFilm(), scratch.path("a.mkv"), latin)
    (request.metadata.contentLight, request.overwrites) = (.measured, true)
    let heard = Heard()
    let session = Session(onEvent: heard.add)
    func readings() -> Int { heard.warnings.count(where: Self.isDamaged) }
    let plan = try session.plan(request)
    #expect(readings() == 1)
    try session.run(plan)
    #expect(readings() == 1)
    // Nothing was left of them.
    try session.run(plan)
    #expect(readings() == 2)
  }

  /// A plan from JSON draws the same; one whose file has changed is refused.
  @Test func plansKeepTheFile() throws {
    let scratch = try Scratch()
    let input = try scratch.subtitledFilm()
    let path = scratch.path("a.srt")
    let plan = try Session().plan(Self.request(input, scratch.path("a.mkv"), path))
    let data = try AnyPlan.transcode(plan).json()
    #expect(try AnyPlan(json: data) == .transcode(plan))
    _ = try scratch.file("a.srt", Data((Scratch.titles + "\n2\n00:00:01,000 --> 00:00:02,000\nTwo\n").utf8))
    expectRefusal("input-differs-from-plan", "'\(path)'", kind: .failed) { try $0.run(AnyPlan(json: data)) }
  }

  @Test func whatIsLostIsTold() throws {
    let scratch = try Scratch()
    let input = try scratch.subtitledFilm()
    let latin = try scratch.file(
      "latin.srt", #require("1\n00:00:00,000 --> 00:00:01,000\nFünf\n".data(using: .isoLatin1)))
    let heard = try heard { try $0.run(Self.request(input, scratch.path("a.mkv"), latin)) }
    #expect(heard.warnings.contains(where: Self.isDamaged), "\(heard.warnings)")
    #expect(heard.warnings.contains { $0.code == "subtitles-empty" && $0.words.contains("#0 subrip") })
    let odd = try scratch.file("odd.srt", Data("1\n00:00:00,040 --> 00:00:01,000\na\u{10FFF0}\n".utf8))
    try expectWarning("glyphs-missing", "at 0.04 s") {
      try $0.run(Self.request(input, scratch.path("b.mkv"), odd))
    }
  }

  /// A picture that players rotate by some other angle cannot hold upright text.
  @Test func oddRotations() throws {
    let scratch = try Scratch()
    let input = try scratch.rotated("in.mov", 63_391, 16_627, -16_627, 63_391)
    let titles = try scratch.file("a.srt", Data(Scratch.titles.utf8))
    let refusal = refusal { try $0.plan(Self.request(input, scratch.path("a.mkv"), titles, .sdr)) }
    #expect(refusal?.message.code == "subtitles-not-upright")
    let text = try #require(refusal?.message.words)
    let degrees = try #require(text.firstMatch(of: #/rotated by (-?[0-9.]+)°/#).flatMap { Double($0.output.1) })
    #expect(text.contains("'\(input)'") && abs(degrees.magnitude - 14.7) < 0.1)
  }

  /// A large file is read for a while.
  @Test func largeInputsAreAnnounced() throws {
    let scratch = try Scratch()
    let input = try scratch.subtitledFilm()
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: input))
    // Sparse: Matroska ignores what follows its last cluster.
    try file.truncate(atOffset: 1 << 30)
    try file.close()
    let heard = try heard { try $0.plan(Self.request(input, scratch.path("a.mkv"), "s")) }
    #expect(
      heard.notes.contains { $0.code == "subtitles-read-first" && $0.words.contains("'\(input)' (1024 MiB)") },
      "\(heard.notes)")
  }
}

/// Colours of Blu-ray subtitles.
@Suite struct SubtitlePaletteTests {
  /// The brightest luma of the first frame, in eight bits for SDR and otherwise in ten.
  private static func white(
    _ input: String, subtitles: String = "s:0", _ kind: OutputKind, palette: SubtitlePalette? = nil
  ) throws -> (luma: Int, notes: [Message]) {
    let scratch = try Scratch()
    var request = TranscodeRequest(input: input, output: scratch.path("a.mkv"))
    (request.burnedSubtitles, request.mapping.chosenKind, request.coding.encoder) = (subtitles, kind, "ffv1")
    request.subtitlePalette = palette
    let notes = try heard { try $0.run(request) }.notes
    let reader = try MediaReader(url: scratch.path("a.mkv"))
    let frame = try #require(try reader.readFrame())
    let luma = (0..<frame.size.height).map { y in
      (0..<frame.size.width).map { frame.sample(plane: 0, x: $0, y: y) }.max() ?? 0
    }
    return (luma.max() ?? 0, notes)
  }

  @Test func whiteOfUltraHDIsWhite() throws {
    guard let path = Case.path("pgs_uhd_bt2020pq.mkv") else { return }
    let (luma, notes) = try Self.white(path, .hdr10)
    #expect(luma == 573)
    let assumed = notes.filter { $0.code == "subtitle-palette-assumed" }.map(\.words)
    #expect(assumed.count == 1 && assumed[0].contains("#1 hdmv_pgs_subtitle are read as BT.2020 PQ"), "\(assumed)")
    #expect(try Self.white(path, .sdr).luma == 235)
    #expect(try Self.white(path, .hdr10, palette: .bt709).luma < 500)
  }

  /// White of a Blu-ray beside a film of an Ultra HD one; the canvas of Ultra HD; a film in SDR.
  @Test(arguments: [
    (235, 1080, Scratch.pq, SubtitlePalette.bt709), (143, 1080, Scratch.pq, .bt2020PQ),
    (235, 2160, Scratch.pq, .bt2020PQ), (143, 2160, Scratch.bt709, nil),
  ])
  func palettesAreDecidedByFilmAndCanvas(
    _ code: Int, _ height: Int, _ tags: [String], _ expected: SubtitlePalette?
  ) throws {
    let scratch = try Scratch()
    var box = BluRaySubtitles(width: height * 16 / 9, height: height)
    box.show(.init(x: 60, y: 40, width: 80, height: 20), at: 0, color: [UInt8(code), 128, 128, 255])
    box.show(nil, at: 2)
    let titles = try scratch.file("a.sup", box.data)
    let film = try scratch.clip("a.mkv", frames: 1, ["-pix_fmt", "yuv420p10le", "-c:v", "ffv1"] + tags)
    let notes = try Self.white(film, subtitles: titles, .sdr).notes
    // The other palette is the one that is named.
    let found = notes.filter { $0.code == "subtitle-palette-assumed" }.map(\.words)
    let other = expected.map { $0 == .bt709 ? SubtitlePalette.bt2020PQ : .bt709 }
    #expect(found.count == (expected == nil ? 0 : 1), "\(found)")
    #expect(found.allSatisfy { $0.contains("subtitlePalette \(other?.rawValue ?? "") if") }, "\(found)")
  }
}
