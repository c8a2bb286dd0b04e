internal import ArgumentParser
internal import Files
internal import LivePreview
internal import Sessions

/// `headroom serve DEVICE|FILE`
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Show a capture device or a file on other devices, in a browser or any HTTP player.",
    discussion:
      "Prints a URL with a token that every request needs. The options of preview apply; --screen shows it here, too."
  )

  @Argument(help: "V4L2 device such as /dev/video0, or a file; - is Y4M on standard input.")
  var input: String

  @OptionGroup(title: "Server") var server: ServeOptions
  @OptionGroup var preview: PreviewArguments

  func validate() throws { try validated { try request.validate() } }

  func run() throws {
    let request = request
    let (messages, isHeld) = (preview.options.messages, request.preview.isShownOnTerminal)
    let isDry = preview.options.dryRun
    try messages.listening(holdsMessages: isHeld && !isDry, onlyPlans: isDry) { session in
      let plan = try session.plan(request)
      if isDry { return try Console.result(plan.preview.lines) }
      if !messages.quiet, !isHeld { Console.note(plan.summary) }
      try session.run(plan) { try announce($0, $1) }
    }
  }

  /// Prints the URL as a result, for programs, and the QR code for users.
  private func announce(_ url: String, _ code: [String]) throws {
    if Console.isInteractive, !preview.options.messages.quiet { Console.plain(code.joined(separator: "\n")) }
    guard preview.options.recording != "-" else { return Console.plain(url) }
    try Console.result(url)
  }

  private var request: ServeRequest {
    var request = ServeRequest(input: input, program: Self.program)
    request.preview = preview.request(input)
    request.preview.screen = preview.options.screen ?? .none
    (request.address, request.port, request.hostNames) = (server.listen, server.port, server.hosts)
    (request.certificates, request.key) = (server.certificate, server.key)
    (request.isReadOnly, request.maximumViewers) = (server.readOnly, server.maxViewers)
    (request.allowsRecording, request.tokenFile) = (server.allowRecording, server.token)
    return request
  }

  /// The network process's executable, in the same folder as this one.
  private static var program: String {
    FileLocation.path(FileLocation(SystemProgram.path).folder, "headroom-serve")
  }
}
