internal import ArgumentParser

/// The network access to a preview, and its permissions.
struct ServeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Address to listen on (127.0.0.1: this machine only); 0.0.0.0 is all addresses.", valueName: "address"))
  var listen: String = "127.0.0.1"

  @Option(help: ArgumentHelp("TCP port (any free one).", valueName: "number"))
  var port: Int = 0

  @Option(
    name: .customLong("host"),
    help: ArgumentHelp(
      "Host name of this machine for other devices, besides its addresses; repeatable.", valueName: "name"))
  var hosts: [String] = []

  @Option(help: ArgumentHelp("PEM file of a certificate chain, to enable TLS.", valueName: "file"))
  var certificate: String?

  @Option(help: ArgumentHelp("PEM file of the certificate's private key.", valueName: "file"))
  var key: String?

  @Option(
    help: ArgumentHelp(
      "File for the token, created if missing, to keep the same URL (a new token each time).",
      valueName: "file"))
  var token: String?

  @Flag(help: "Let other devices view only, without changing anything.")
  var readOnly = false

  @Flag(help: "Let other devices start and stop recordings.")
  var allowRecording = false

  @Option(help: ArgumentHelp("Maximum number of streams at a time, 1 to 100.", valueName: "count"))
  var maxViewers: Int = 16
}
