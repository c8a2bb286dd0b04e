internal import Files
internal import Foundation
internal import PreviewProtocol
public import Sessions
internal import Synchronization

/// How to show a preview on other devices, resolved before the first frame.
public struct ServePlan: Sendable, Hashable {
  /// The request.
  public let request: ServeRequest
  /// The preview.
  public let preview: PreviewPlan

  /// One-line summary of the plan.
  public var summary: String { preview.summary }
}

extension Session {
  /// Resolves a request: opens its input, and sets up a device.
  /// - Throws: `Refusal` for impossible requests, or the error of a library.
  public func plan(_ request: ServeRequest) throws -> ServePlan {
    try request.validate()
    let plan = ServePlan(request: request, preview: try plan(request.preview))
    if !request.isLocal, request.certificates == nil {
      warn(
        "not-encrypted",
        "What is sent from \(request.address) is not encrypted, and neither is the token: in a network that others use, "
          + "add \(.certificate) and \(.key).")
    }
    return plan
  }

  /// Shows the input on other devices until it ends, or `cancel()` is called. Waits for a seek at the end of a file.
  /// - Parameters:
  ///   - plan: The plan.
  ///   - onListening: Receives the address for users, and its QR code, with one line of text per two rows of modules.
  /// - Returns: How it ended.
  /// - Throws: The error of the preview or of its recording.
  @discardableResult
  public func run(
    _ plan: ServePlan, onListening: (_ url: String, _ code: [String]) throws -> Void
  ) throws -> Outcome {
    let output = try PreviewOutput(plan.preview)
    let input = try takePreviewed(plan.preview)
    return try running {
      let server = try ServerProcess(plan.request.program, plan.request.configuration())
      let clock = StreamClock(begin: .now, date: Date().timeIntervalSince1970)
      let viewers = PreviewViewers(
        server, plan.preview, clock, isReadOnly: plan.request.isReadOnly, allowsRecording: plan.request.allowsRecording,
        wording: wording)
      let run: PreviewRun
      do {
        run = try PreviewRun(self, plan.preview, input, on: output, for: viewers, clock: clock)
        // Requests may come as soon as the address is announced.
        run.tellState()
        try onListening(server.listening.url, server.listening.code)
      } catch {
        server.finish()
        throw error
      }
      return try run.run()
    }
  }
}

extension ServeRequest {
  /// Returns the server configuration, with the token of a file or a new one.
  fileprivate func configuration() throws(Refusal) -> ServerConfiguration {
    var configuration = ServerConfiguration(token: try tokenFile.map(TokenFile.token) ?? TokenFile.newToken())
    (configuration.address, configuration.port, configuration.hostNames) = (address, port, hostNames)
    (configuration.isReadOnly, configuration.maximumViewers) = (isReadOnly, maximumViewers)
    configuration.title = preview.input.name
    configuration.tls = certificates.flatMap { chain in
      // The server changes to another folder.
      key.map {
        ServerConfiguration.TLSFiles(certificates: FileLocation.resolved(chain), key: FileLocation.resolved($0))
      }
    }
    return configuration
  }
}
