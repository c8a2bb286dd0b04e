internal import ArgumentParser
internal import LivePreview
internal import Sessions

/// `headroom preview DEVICE|FILE`
struct PreviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Show a capture device or a file live, in a window, a terminal, or on an output device.",
    discussion: "Cards often state the wrong colorimetry: --input-transfer and others override it. ? lists the keys.")

  @Argument(help: "V4L2 device such as /dev/video0, or a file; - is Y4M on standard input.")
  var input: String?

  @Flag(help: "List capture devices with their inputs, formats, sizes, rates and controls.")
  var listDevices = false

  @Flag(help: "With --list-devices: JSON instead of text.")
  var json = false

  @OptionGroup var preview: PreviewArguments

  func validate() throws {
    if listDevices == (input != nil) {
      throw ValidationError("Name a device or a file to show, or list the devices with --list-devices.")
    }
    if json, !listDevices { throw ValidationError("--json is for --list-devices: add it.") }
    if let input { try validated { try preview.request(input).validate() } }
  }

  func run() throws {
    guard let input else { return try list() }
    let (request, options) = (preview.request(input), preview.options)
    let isHeld = request.isShownOnTerminal && !options.dryRun
    try options.messages.listening(holdsMessages: isHeld, onlyPlans: options.dryRun) { session in
      let plan = try session.plan(request)
      if options.dryRun { return try Console.result(plan.lines) }
      if !options.messages.quiet, !request.isShownOnTerminal { Console.note(plan.summary) }
      try session.run(plan)
    }
  }

  private func list() throws {
    try failing {
      let listing = CaptureListing()
      if listing.isEmpty { Console.note("There is no capture device here.") }
      try Console.result(json ? listing.json() : listing.text, ends: json || !listing.isEmpty ? "\n" : "")
    }
  }
}
