internal import Sessions

extension ServeDiagnostic {
  var words: String {
    switch self {
    case .hasNoServer(let program):
      "'\(program)' is missing, the program that talks to the network: run `swift build -c release`, and keep both programs together."
    case .cannotStart(let program, let reason): "Cannot start '\(program)': \(reason)."
    case .cannotListen(let reason): reason
    case .serverHasEnded: "The server has ended by itself."
    case .goesOnWithoutServer: "The server has ended: other devices no longer see anything."
    case .cannotEncode(let codec, let reason): "No stream of \(codec): \(reason)"
    case .isNoHostName(let name): "'\(name)' is no name of a machine: --host takes one such as box.example."
    case .encoderIsSlow(let codec):
      "Encoding \(codec) takes too long beside the other streams: it gets fewer frames, so that they do not."
    case .tlsNeedsBoth: "--certificate and --key belong together: give both, or neither."
    case .isNoToken(let file):
      "'\(file)' does not hold a token, 32 hexadecimal digits: name a file that does not exist to have one made."
    case .tokenIsOpen(let file):
      "Other users can read or change the token in '\(file)': make the file your own with `chmod 600`, or name another."
    case .cannotKeepToken(let file, let reason): "Cannot keep the token in '\(file)': \(reason)."
    case .isNotEncrypted(let address):
      "What is sent from \(address) is not encrypted, and neither is the token: in a network that others use, add --certificate and --key."
    case .served(let viewers, let frames):
      "\(frames == 1 ? "1 frame was" : "\(frames) frames were") encoded for \(viewers.counting("viewer"))."
    }
  }
}
