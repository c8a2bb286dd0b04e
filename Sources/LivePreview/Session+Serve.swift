internal import Files
internal import Foundation
internal import PreviewProtocol
public import Sessions
internal import Synchronization

/// How a preview is shown on other devices, resolved before the first frame.
public struct ServePlan: Sendable, Hashable {
  /// The request.
  public let request: ServeRequest
  /// What is shown.
  public let preview: PreviewPlan

  /// What will be done, in one line.
  public var summary: String { preview.summary }
}

extension Session {
  /// Resolves a request against its input: opens it, and sets a device up.
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

  /// Shows the input on other devices until it ends, or `cancel()` is called. At the end of a file it waits for a seek.
  /// - Parameters:
  ///   - plan: The plan.
  ///   - onListening: Gets what a person opens, and a QR code of it, a line of text for two rows of modules.
  /// - Returns: How it ended.
  /// - Throws: Why it failed, or the recording beside it did.
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
        // Whoever is told where it is can ask at once.
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
  /// With the token of a file, or a new one.
  fileprivate func configuration() throws(Refusal) -> ServerConfiguration {
    var configuration = ServerConfiguration(token: try tokenFile.map(TokenFile.token) ?? TokenFile.newToken())
    (configuration.address, configuration.port, configuration.hostNames) = (address, port, hostNames)
    (configuration.isReadOnly, configuration.maximumViewers) = (isReadOnly, maximumViewers)
    configuration.title = preview.input.name
    configuration.tls = certificates.flatMap { chain in
      // The server leaves this folder.
      key.map {
        ServerConfiguration.TLSFiles(certificates: FileLocation.resolved(chain), key: FileLocation.resolved($0))
      }
    }
    return configuration
  }
}
