internal import ArgumentParser

/// How other devices reach a preview, and what they may do.
struct ServeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Address to listen on (127.0.0.1: this machine only); 0.0.0.0 is every address.", valueName: "address"))
  var listen: String = "127.0.0.1"

  @Option(help: ArgumentHelp("TCP port (any that is free).", valueName: "number"))
  var port: Int = 0

  @Option(
    name: .customLong("host"),
    help: ArgumentHelp(
      "Name by which other devices ask for this machine, besides its addresses; repeatable.", valueName: "name"))
  var hosts: [String] = []

  @Option(help: ArgumentHelp("PEM file of a certificate chain: TLS.", valueName: "file"))
  var certificate: String?

  @Option(help: ArgumentHelp("PEM file of the certificate's private key.", valueName: "file"))
  var key: String?

  @Option(
    help: ArgumentHelp(
      "File that the token is read from, and written to if it is missing: the URL stays the same (a new one each time).",
      valueName: "file"))
  var token: String?

  @Flag(help: "Other devices may look, and change nothing.")
  var readOnly = false

  @Flag(help: "Other devices may begin and end recordings.")
  var allowRecording = false

  @Option(help: ArgumentHelp("Streams that are sent at a time, 1 to 100.", valueName: "count"))
  var maxViewers: Int = 16
}
