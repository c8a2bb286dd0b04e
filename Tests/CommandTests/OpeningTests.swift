import Foundation
import TestSupport
import Testing

/// An input opens only the named file, and nothing that it references.
@Suite struct OpeningTests {
  private static let verbs: [[String]] = [
    ["probe"], ["transcode", "-f", "null", "-o", "-"], ["measure"], ["dump", "-o", "out.png"],
    ["verify", "--pattern", "bt2111-pq"], ["scopes", "-o", "out.png"], ["lut", "-o", "out.cube"],
  ]

  /// The command with the input behind its verb.
  private func line(_ verb: [String], _ input: String) -> String {
    (["$headroom", verb[0], "'\(input)'"] + verb.dropFirst()).joined(separator: " ")
  }

  private func film(_ scratch: Scratch) throws -> String {
    try scratch.clip("named.ts", ["-c:v", "mpeg2video", "-pix_fmt", "yuv420p"])
  }

  /// Whatever a file says that it is, only the file itself is opened, by every verb and from a pipe.
  @Test(.enabled(if: Trace.isPermitted), arguments: HostileFile.all.indices)
  func onlyTheFileIsOpened(_ index: Int) throws {
    let hostile = HostileFile.all[index]
    let scratch = try Scratch()
    let input = try hostile.write(scratch, naming: film(scratch))
    let verb = Self.verbs[index % Self.verbs.count]
    let trace = try Trace(line(verb, input), in: scratch)
    #expect(trace.status == 1, "\(trace.messages)")
    #expect(trace.foreign(besides: [input, scratch.path("out.png"), scratch.path("out.cube")]).isEmpty)
    #expect(trace.sockets.isEmpty)
    #expect(hostile.format.map { trace.messages.contains("--input-format \($0)") } ?? true, "\(trace.messages)")
    let pipe = scratch.path("pipe")
    let piped = try Trace("mkfifo pipe; cat '\(input)' >pipe & " + line(["probe"], pipe), in: scratch)
    #expect(piped.status == 1, "\(piped.messages)")
    #expect(piped.foreign(besides: [pipe]).isEmpty)
    #expect(piped.sockets.isEmpty)
  }

  /// Standard input by its name has the same rules.
  @Test(.enabled(if: Trace.isPermitted)) func standardInput() throws {
    let scratch = try Scratch()
    let list = scratch.path("list.m3u8")
    try Data(HostileFile.playlist("http://127.0.0.1:9/a.ts").utf8).write(to: URL(fileURLWithPath: list))
    for arguments in ["/dev/stdin", "pipe:0", "/dev/stdin --input-format hls"] {
      let trace = try Trace("cat list.m3u8 | $headroom probe \(arguments)", in: scratch)
      #expect(trace.status == 1, "\(trace.messages)")
      #expect(trace.foreign(besides: [list, "list.m3u8", scratch.path("pipe:0")]) == [])
      #expect(trace.sockets.isEmpty)
    }
    let trace = try Trace("$headroom probe list.m3u8", in: scratch)
    #expect(trace.status == 1 && trace.sockets.isEmpty)
    #expect(trace.messages.contains("--allow-protocols http"), "\(trace.messages)")
    let allowed = try Trace("$headroom probe list.m3u8 --allow-protocols http", in: scratch)
    #expect(allowed.sockets.contains { $0.contains("127.0.0.1") }, "\(allowed.messages)")
  }

  /// A name with a place for a number is the file of that name where there is one.
  @Test(.enabled(if: Trace.isPermitted)) func aPatternThatIsAFile() throws {
    let scratch = try Scratch()
    let other = try scratch.clip("x001.tga", size: "32x32", frames: 1)
    let input = scratch.path("x%03d.tga")
    try Tool.ffmpeg.run(["-f", "lavfi", "-i", "testsrc2=size=64x48", "-frames:v", "1", "-update", "1", "-y", other])
    try FileManager.default.copyItem(atPath: other, toPath: input)
    let trace = try Trace(line(["probe"], input), in: scratch)
    #expect(trace.status == 0, "\(trace.messages)")
    #expect(trace.foreign(besides: [input]).isEmpty)
  }

  /// A movie whose data reference names another file is read without it.
  @Test(.enabled(if: Trace.isPermitted)) func movieWithAReference() throws {
    let scratch = try Scratch()
    let movie = try scratch.clip("in.mov", ["-c:v", "mpeg4"])
    let named = try film(scratch)
    let url = URL(fileURLWithPath: movie)
    try Data(DataReference.inserted([UInt8](Data(contentsOf: url)), naming: named)).write(to: url)
    let trace = try Trace(line(Self.verbs[1], movie), in: scratch)
    #expect(trace.foreign(besides: [movie]).isEmpty)
    #expect(trace.sockets.isEmpty)
  }

  /// URLs are opened only if their protocol is allowed; the message says how.
  @Test(arguments: [
    "http://127.0.0.1:9/a.mkv", "https://127.0.0.1:9/a.mkv", "rtsp://127.0.0.1:9/a", "concat:a.mkv|b.mkv",
    "subfile,,start,0,end,10,,:a.mkv", "crypto:a.mkv", "data:video/mp4;base64,AAAA", "udp://127.0.0.1:9",
    "unknown://a.mkv",
  ])
  func addresses(_ name: String) throws {
    let scheme = try #require(name.split(whereSeparator: { ":,".contains($0) }).first)
    for verb in Self.verbs.prefix(3) + Self.verbs.suffix(1) {
      let result = try Command.run([verb[0], name] + verb.dropFirst())
      #expect(result.status == 2)
      #expect(result.messages.contains("--allow-protocols \(scheme)"), "\(result.messages)")
    }
  }

  /// A user who asks for such a format gets it, by its suffix or by name.
  @Test func askedFor() throws {
    let scratch = try Scratch()
    _ = try film(scratch)
    for (name, text) in [
      ("a.m3u8", HostileFile.playlist("named.ts")), ("a.ffconcat", "ffconcat version 1.0\nfile named.ts\n"),
    ] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path(name)))
      #expect(try Command.run(["probe", scratch.path(name)]).status == 0)
      let renamed = scratch.path("renamed.mkv")
      try Data(text.utf8).write(to: URL(fileURLWithPath: renamed))
      let format = name == "a.m3u8" ? "hls" : "concat"
      #expect(try Command.run(["probe", renamed]).status == 1)
      #expect(try Command.run(["probe", renamed, "--input-format", format]).status == 0)
    }
    let parts = "concat:\(scratch.path("named.ts"))|\(scratch.path("named.ts"))"
    #expect(try Command.run(["probe", parts, "--allow-protocols", "concat"]).status == 0)
    let wrong = try Command.run(["probe", scratch.path("named.ts"), "--input-format", "no-format"])
    #expect(wrong.status == 2 && wrong.messages.contains("no-format"))
  }
}
