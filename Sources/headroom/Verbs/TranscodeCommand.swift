internal import ArgumentParser
internal import Sessions

/// `headroom transcode INPUT -o OUTPUT`
struct TranscodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcode", abstract: "Convert HDR video to SDR, or to HDR10 or HLG at another peak.")

  @Argument(help: "Input file; - is Y4M on standard input.")
  var input: String

  @OptionGroup var options: TranscodeOptions

  func run() throws {
    let messages = options.output.messages
    try messages.listening(announcesStop: true) { session in
      let request = options.request(input)
      if let pictures = try PictureRequest(request) {
        let plan = try session.plan(pictures)
        return try options.output.plans.carryOut(plan, messages) { try session.run(plan) }
      }
      let plan = try session.plan(request)
      try options.output.plans.carryOut(plan, messages) { try session.run(plan) }
    }
  }
}
