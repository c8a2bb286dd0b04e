internal import ArgumentParser
internal import FFmpegIO
internal import Foundation
internal import Frames
internal import Patterns
internal import Verification

/// `headroom verify INPUT --pattern NAME`
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Measure whether an input shows a test pattern right, and name what is wrong.",
    discussion: """
      The pattern is found at its own size, scaled, cut off or turned. Each patch is compared in ΔE ITP (BT.2124) and in \
      code values; ranges, matrices, transfer functions, clipping, bit depth, the place of chroma, frames and metadata \
      are judged, and faults have names. The exit status is 0 where all is right and 3 where it is not, or where the \
      pattern is not found. After SIGINT or SIGTERM the frames so far are reported.
      """)

  @Argument(help: "Input file, or any input of ffmpeg's; - is Y4M on standard input.")
  var input: String

  @OptionGroup(title: "Verification") var options: VerifyOptions
  @OptionGroup(title: "Input overrides") var source: InputOptions

  func run() throws {
    FFmpegLog.level = options.messages.verbose ? .verbose : .quiet
    do {
      let folder = try options.report.map { try ReportFolder($0, overwrites: options.overwrite) }
      _ = try ChosenPattern(options.pattern)
      let reader = try source.open(input, threads: options.processing.threadCount)
      let first = try reader.firstFrame(of: FrameSelection(options.selection))
      let plan = try VerifyPlan(options, source, first: first, path: reader.info.url)
      (reader.warnings + plan.source.warnings).forEach(Console.warning)
      if !options.messages.quiet { (reader.notes + plan.source.notes).forEach(Console.note) }
      let run = try VerifyRun(reader: reader, first: first, plan: plan, options: options)
      let (verification, status) = try run.run()
      if let folder {
        let picture = try ReportPicture(of: first, plan.source, processing: options.processing)
        try folder.write(VerificationPage(verification, picture: Data(picture.png)).html)
      }
      try Console.result(
        options.json
          ? VerificationJSON(verification).text()
          : VerificationTable(verification, isVerbose: options.messages.verbose).text)
      if let status { throw status }
      try reader.checkEnding(of: FrameSelection(options.selection))
      if !verification.passes { throw ExitStatus.notVerified }
    } catch let status as ExitStatus {
      throw status
    } catch {
      throw CommandFailure(error)
    }
  }
}
