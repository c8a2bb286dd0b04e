internal import ArgumentParser
internal import Sessions
internal import Verification

/// `headroom verify INPUT --pattern NAME`
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check whether an input shows a test pattern correctly, and name the faults.",
    discussion: """
      The pattern is found at its original size, scaled, cropped or rotated. Each patch is compared in ΔE ITP \
      (BT.2124) and in code values; ranges, matrices, transfer functions, clipping, bit depth, chroma location, frames \
      and metadata are checked, and faults are named. The exit status is 0 if everything is correct, and 3 if it is \
      not or the pattern is not found. After SIGINT or SIGTERM the result covers the frames so far.
      """)

  @Argument(help: "Input file, or any ffmpeg input; - is Y4M on standard input.")
  var input: String

  @OptionGroup(title: "Verification") var options: VerifyOptions
  @OptionGroup(title: "Input overrides") var source: Options<InputOptions>

  func run() throws {
    try options.messages.listening { session in
      let result = try session.run(
        options.request(source.request(input)), report: options.page, overwrites: options.overwrite)
      guard let verification = result.verification else { return }
      try Console.result(
        options.json
          ? VerificationJSON(verification).text()
          : VerificationTable(verification, isVerbose: options.messages.verbose).text)
      if let failure = result.failure { throw failure }
      if result.outcome == .finished, !verification.passes { throw ExitStatus.notVerified }
    }
  }
}
