internal import ArgumentParser
internal import Foundation
internal import Rendering

/// Measures Headroom's speed and memory against FFmpeg's on the same frames.
@main
struct Benchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure the pixel stage and whole transcodes beside FFmpeg's, on the same frames in the same run.",
    discussion: """
      The environment variable TONEMAPX_FFMPEG names an ffmpeg with the filter tonemapx, which is then measured too.
      """)

  @Option(help: ArgumentHelp("HDR10 clip that the frames are made of.", valueName: "file"))
  var input = "media/hdr10-sample.mp4"

  @Option(help: ArgumentHelp("The headroom program, for whole processes.", valueName: "file"))
  var headroom: String?

  @Flag(
    help: ArgumentHelp(
      "Only the whole pixel stage and the stock chain at 1920x1080; fails where the best tier is less than "
        + "\(QuickRun.minimumRatio) times as fast."))
  var quick = false

  @Option(help: "Measure this section alone; may be repeated.")
  var only: [Section] = []

  @Option(help: ArgumentHelp("Rounds of measurement (default: 5; with --quick 8).", valueName: "n"))
  var rounds: Int?

  @Option(help: .hidden)
  var both: String?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if let rounds, !(1...1000).contains(rounds) {
      throw ValidationError("--rounds takes a number from 1 to 1000, not \(rounds).")
    }
    guard !quick || only.isEmpty else { throw ValidationError("--quick cannot be combined with --only.") }
  }

  func run() throws {
    if let both { return try BothRenditions(clip: both).run() }
    Signals.install()
    let scratch = try Scratch()
    defer { scratch.remove() }
    let setting = try Setting(self, in: scratch)
    let sections = Set(only.isEmpty ? Section.allCases : only)
    let report = try quick ? QuickRun.report(setting) : FullRun(setting, sections).report()
    try StandardStreams.result(json ? report.json() : report.text)
    if quick { try QuickRun.check(report) }
  }

  static func main() {
    // A closed pipe is reported as a write error, so that the scratch folder is removed.
    signal(SIGPIPE, SIG_IGN)
    let benchmark: Benchmark
    do {
      benchmark = try parse()
    } catch {
      // ArgumentParser would exit with 64 for wrong usage; this project's programs use 2.
      let isRequest = exitCode(for: error) == .success
      if isRequest { print(fullMessage(for: error)) } else { StandardStreams.plain(fullMessage(for: error)) }
      Foundation.exit(isRequest ? 0 : 2)
    }
    do {
      try benchmark.run()
    } catch let received as Signals.Received {
      Foundation.exit(128 + received.signal)
    } catch let failure as BenchmarkFailure {
      StandardStreams.note(failure.message)
      Foundation.exit(1)
    } catch {
      StandardStreams.note("\(error)")
      Foundation.exit(1)
    }
  }
}
