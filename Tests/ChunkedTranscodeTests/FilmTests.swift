import ChunkedTranscode
import Farm
import Foundation
import Frames
import Media
import TestSupport
import Testing

import Sessions
import SessionsTestSupport

/// Films that are rendered in pieces are those of a single run.
@Suite struct FilmTests {
  /// What ffmpeg decodes of a file: a hash for each frame, with its times.
  private static func frames(_ path: String) throws -> [Substring] {
    let text = try Tool.ffmpeg.run(["-i", path, "-map", "0:v:0", "-f", "framemd5", "-"])
    return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
  }

  /// Times of the picture's packets in presentation order and in decoding order.
  private static func times(_ path: String) throws -> [[Int]] {
    let text = try Tool.ffprobe.run([
      "-show_entries", "packet=pts,dts", "-select_streams", "v:0", "-of", "csv=p=0", path,
    ])
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map { $0.split(separator: ",") }
    return [lines.compactMap { Int($0[0]) }.sorted(), lines.compactMap { $0.count > 1 ? Int($0[1]) : nil }]
  }

  /// Everything beside the picture.
  private static func others(_ path: String) throws -> String {
    let packets = try Tool.ffprobe.run([
      "-show_entries", "packet=stream_index,pts,dts,duration,size,data_hash", "-show_data_hash", "md5", "-of",
      "csv=p=0",
      path,
    ])
    let lines = String(decoding: packets, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("0,") }.sorted()
    let tags = try Tool.ffprobe.run([
      "-show_chapters", "-show_entries",
      "stream=index,codec_name,profile,level,color_space,color_transfer,time_base,start_time:"
        + "stream_tags:stream_disposition:stream_side_data:format_tags=title", "-of", "csv=p=0", path,
    ])
    return lines.joined(separator: "\n") + String(decoding: tags, as: UTF8.self)
  }

  /// Plans, renders and joins.
  @discardableResult
  static func assemble(
    _ request: TranscodeRequest, _ division: FilmRequest.Division, in folder: String, _ session: Session = Session()
  ) throws -> Film {
    var whole = FilmRequest(request, folder: folder)
    whole.division = division
    let (plan, shots) = try session.plan(whole)
    let film = try session.write(plan, shots: shots, in: folder, replaces: false)
    #expect(try session.render(.all, of: film) == .done)
    #expect(try session.assemble(film) == .finished)
    return film
  }

  /// Compares a film in pieces with a single run.
  /// - Parameter isExact: The encoder keeps every bit, or codes every picture by itself.
  static func compare(
    _ request: TranscodeRequest, _ scratch: Scratch, counts: [Int] = [1, 3, 7, 50], isExact: Bool = true
  ) throws {
    let output = try #require(request.output)
    var single = request
    single.output = scratch.path("single." + (output.split(separator: ".").last ?? "mkv"))
    try Session().run(single)
    let expected = try (frames: frames(#require(single.output)), times: times(#require(single.output)))
    #expect(!expected.frames.isEmpty)
    for count in counts {
      let film = try assemble(request, .count(count), in: scratch.path("work-\(UUID().uuidString)"))
      #expect(film.plan.chunks.count == min(count, film.plan.chunks.reduce(0) { $0 + $1.count }))
      let found = try frames(output)
      if isExact { #expect(found == expected.frames, "\(count) pieces") }
      #expect(found.count == expected.frames.count, "\(count) pieces")
      #expect(try times(output) == expected.times, "\(count) pieces")
      #expect(try others(output) == others(#require(single.output)), "\(count) pieces")
    }
  }

  /// Options of the container are the film's, and its index comes first as in a single run.
  @Test(arguments: [[], [CodingRequest.Option("movflags", "+frag_keyframe")]])
  func containersAreThoseOfASingleRun(_ options: [CodingRequest.Option]) throws {
    let scratch = try Scratch()
    let input = try scratch.made(
      "in.mkv", frames: 30, ["-pix_fmt", "yuv420p10le", "-c:v", "ffv1", "-g", "5"] + Scratch.pq)
    var request = TranscodeRequest.replacing(input, scratch.path("out.mp4"), encoder: "libx264")
    (request.coding.muxerOptions, request.coding.crf) = (options, 30)
    try Self.compare(request, scratch, counts: [3], isExact: false)
    func order(_ name: String) throws -> [Bool] {
      let data = try scratch.bytes(scratch.path(name))
      let (index, pictures) = (data.range(of: Data("moov".utf8)), data.range(of: Data("mdat".utf8)))
      return try [
        #require(index).lowerBound < #require(pictures).lowerBound, data.range(of: Data("mvex".utf8)) != nil,
      ]
    }
    #expect(try order("out.mp4") == [true, !options.isEmpty] && order("single.mp4") == [true, !options.isEmpty])
  }

  /// HEVC with open GOPs, B-pyramids and HDR10 in it, subtitles, chapters, two kinds of audio that end after the pictures.
  @Test func piecesAreTheWhole() throws {
    let scratch = try Scratch()
    let pictures = try scratch.made(
      "pictures.mkv", frames: 75,
      [
        "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-preset", "medium", "-x265-params",
        "log-level=none:keyint=20:open-gop=1" + Scratch.light(peak: 1000, maxCLL: 900),
      ] + Scratch.pq)
    let chapters = try scratch.file(
      "chapters.txt",
      Data(";FFMETADATA1\ntitle=A film\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1500\ntitle=One\n".utf8))
    let titles = try scratch.file("titles.srt", Data("1\n00:00:00,500 --> 00:00:02,000\nA line\n".utf8))
    let input = scratch.path("in.mkv")
    try Tool.ffmpeg.run([
      "-i", pictures, "-f", "lavfi", "-i", "sine=frequency=440:duration=5", "-i", titles, "-i", chapters, "-map", "0",
      "-map",
      "1", "-map", "1", "-map", "2", "-map_metadata", "3", "-c:v", "copy", "-c:a:0", "flac", "-c:a:1", "libopus",
      "-c:s",
      "subrip", input,
    ])
    try Self.compare(TranscodeRequest.replacing(input, scratch.path("out.mkv")), scratch)
  }

  /// Times are those of a single run to one tick, in containers that round them and in others, whatever encoders reorder.
  @Test(arguments: [
    ("libx265", "mp4"), ("libx264", "mkv"), ("libx264", "mov"), ("libsvtav1", "mp4"), ("prores_ks", "mov"),
  ])
  func timesAreThoseOfASingleRun(_ encoder: String, _ suffix: String) throws {
    let scratch = try Scratch()
    let input = try scratch.made(
      "in.mp4", frames: 60,
      ["-pix_fmt", "yuv420p10le", "-c:v", "libx264", "-r", "30000/1001", "-g", "12"] + Scratch.pq)
    var request = TranscodeRequest.replacing(input, scratch.path("out." + suffix), encoder: encoder)
    request.coding.preset = encoder.hasPrefix("libx") ? "veryfast" : encoder == "libsvtav1" ? "10" : nil
    request.mapping.chosenKind = .hdr10
    try Self.compare(request, scratch, counts: [4], isExact: encoder == "prores_ks")
  }

  /// Frames at times that follow no rule, the first not at zero.
  @Test func variableRates() throws {
    let scratch = try Scratch()
    let input = try scratch.made(
      "in.mkv", frames: 60,
      [
        "-vf", "select='not(eq(mod(n,7),3))',setpts='PTS+if(gt(N,20),0.13/TB,0)+0.5/TB'", "-vsync", "vfr", "-pix_fmt",
        "yuv420p10le", "-c:v", "libx265", "-x265-params", "log-level=none:keyint=15",
      ] + Scratch.pq)
    var request = TranscodeRequest.replacing(input, scratch.path("out.mkv"))
    try Self.compare(request, scratch, counts: [7])
    request.copiesTimestamps = true
    try Self.compare(request, scratch, counts: [5])
  }

  /// Selections count from the first frame of the film.
  @Test func selections() throws {
    let scratch = try Scratch()
    let pictures = try scratch.made(
      "pictures.mkv", frames: 75,
      ["-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params", "log-level=none:keyint=25"] + Scratch.pq)
    let input = scratch.path("in.mkv")
    try Tool.ffmpeg.run([
      "-i", pictures, "-f", "lavfi", "-i", "sine=frequency=440:duration=3", "-c:v", "copy", "-c:a", "flac", input,
    ])
    var request = TranscodeRequest.replacing(input, scratch.path("out.mkv"))
    request.selection.range = FrameRange(first: 11, last: 61)
    request.selection.every = 3
    try Self.compare(request, scratch, counts: [4])
    request.selection = FrameSelection()
    (request.selection.start, request.selection.duration) = (0.7, 1.5)
    try Self.compare(request, scratch, counts: [3])
  }

  /// What runs over frames is settled by the plan: a measured peak, dither, and light that is stated.
  @Test func whatRunsOverFramesIsSettled() throws {
    let scratch = try Scratch()
    let input = try scratch.made(
      "in.mkv", frames: 40,
      ["-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params", "log-level=none"] + Scratch.pq)
    var request = TranscodeRequest.replacing(input, scratch.path("out.mkv"))
    request.metadata.inputLight = .measured
    request.coding.layout = PixelLayout(.ycbcr420, bitDepth: 8)
    try Self.compare(request, scratch, counts: [6])
    request.coding.layout = nil
    (request.mapping.chosenKind, request.mapping.peak) = (.hdr10, 600)
    request.metadata.contentLight = .measured
    try Self.compare(request, scratch, counts: [6])
    // SDR has no light that a measurement replaces.
    request = try TranscodeRequest.replacing(scratch.plain("sdr.mkv"), scratch.path("sdr-out.mkv"))
    request.metadata.inputLight = .measured
    try Self.compare(request, scratch, counts: [1])
  }

  static let clips: [String] = [
    "hdr10plus_regular", "hlg_iphone_editlist", "hlg_8bit-h264_720", "hdr10plus_samsung", "hlg_dash_vfr",
    "dv84_iphone_1080p30_rot", "hdr10_cartoon", "hlg_av1_720", "hdr10_nasa", "hlg_h264-10bit", "hdr10_rot90",
    "hdr10_prores",
  ].compactMap { clip($0) }

  /// Real clips: HDR10+, an edit list and TS. In the long tests in full, and VFR, rotation, AV1, MXF and others.
  @Test(arguments: clips.prefix(LongTests.areWanted ? .max : 4).enumerated())
  func realClips(_ number: Int, _ path: String) throws {
    let scratch = try Scratch()
    var request = TranscodeRequest.replacing(path, scratch.path("out.mkv"))
    request.geometry.scale = PictureScaling(width: .samples(160), height: .ratio(multiple: 2))
    if !LongTests.areWanted { request.selection.duration = 0.6 }
    try Self.compare(request, scratch, counts: LongTests.areWanted ? [3, [7, 50][number % 2]] : [7])
  }

  @Test(.enabled(if: LongTests.areWanted), arguments: clips.enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
  func measuredPeaks(_ path: String) throws {
    let scratch = try Scratch()
    var request = TranscodeRequest.replacing(path, scratch.path("out.mkv"))
    request.geometry.scale = PictureScaling(width: .samples(160), height: .ratio(multiple: 2))
    request.metadata.inputLight = .measured
    try Self.compare(request, scratch, counts: [3, 50])
  }

  /// x264 sees what comes after a piece: the last pictures are as good as in a single run.
  @Test func noDipBeforeASeam() throws {
    let scratch = try Scratch()
    let input = try scratch.made("in.mkv", frames: 120, ["-pix_fmt", "yuv420p", "-c:v", "ffv1"] + Scratch.bt709)
    var request = TranscodeRequest.replacing(input, scratch.path("out.mkv"), encoder: "libx264")
    request.coding.crf = 30
    func quality(_ path: String) throws -> [Double] {
      let log = scratch.path("psnr.txt")
      try Tool.ffmpeg.run(["-i", path, "-i", input, "-lavfi", "[0:v][1:v]psnr=stats_file=\(log)", "-f", "null", "-"])
      return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap { line in
        line.split(separator: " ").first { $0.hasPrefix("psnr_y:") }.flatMap { Double($0.dropFirst(7)) }
      }
    }
    try Self.assemble(request, .count(3), in: scratch.path("work"))
    let joined = try quality(scratch.path("out.mkv"))
    try Session().run(request)
    let single = try quality(scratch.path("out.mkv"))
    #expect(joined.count == 120 && single.count == 120)
    for seam in [40, 80] {
      let loss = zip(single, joined).map { $0 - $1 }[seam - 5..<seam].reduce(0, +) / 5
      #expect(loss < 0.5, "\(loss) dB before frame \(seam)")
    }
  }
}
