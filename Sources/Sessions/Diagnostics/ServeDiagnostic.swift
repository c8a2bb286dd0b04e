/// About the server that shows a preview on other devices.
public enum ServeDiagnostic: Sendable, Hashable, Codable {
  /// The server's program is not beside this one.
  case hasNoServer(program: String)
  /// The system does not start it, and why.
  case cannotStart(program: String, reason: String)
  /// It cannot listen, and why.
  case cannotListen(reason: String)
  /// It has ended by itself, and nobody sees anything.
  case serverHasEnded
  /// It has ended by itself; the preview goes on without it.
  case goesOnWithoutServer
  /// A stream cannot be encoded, and why.
  case cannotEncode(codec: String, reason: String)
  /// No machine has such a name.
  case isNoHostName(String)
  /// A stream is encoded too slowly while there are others: it gets fewer frames.
  case encoderIsSlow(codec: String)
  /// Only a certificate, or only its key, was given.
  case tlsNeedsBoth
  /// A file holds no token.
  case isNoToken(file: String)
  /// Other users can read or change the file that holds the token.
  case tokenIsOpen(file: String)
  /// The file of the token can neither be read nor made, and why.
  case cannotKeepToken(file: String, reason: String)
  /// Other devices reach this address without TLS: what they are sent can be read, and so can the token.
  case isNotEncrypted(address: String)
  /// Streams that were encoded, their frames, and viewers that there were.
  case served(viewers: Int, frames: Int)
}
