internal import PreviewProtocol
internal import Sessions

/// Client requests, on the server's thread.
extension PreviewViewers {
  func answer(_ id: Int, _ request: ServerRequest) {
    guard let owner else { return }
    if request.kind == .patch { return server.send(.answer(request: id, owner.answer(request.body))) }
    do {
      let isTaken: Bool
      if let kind = StillKind(request.kind) {
        let device = try ViewerDevice(request.query, isReference: owner.isReference)
        isTaken = stills.add(
          StillQueue.Still(
            request: id, kind: kind, form: device.stillForm, wantsSRGBTags: device.wantsSRGBTags))
      } else {
        isTaken = stills.add(StillQueue.Place(request: id, position: try Self.place(request.query)))
      }
      guard isTaken else {
        return server.send(.answer(request: id, .error(503, "Too many pictures are asked for at a time: try again.")))
      }
      owner.showAgain()
    } catch {
      server.send(.answer(request: id, .error(400, "\(error)")))
    }
  }

  private static func place(_ query: [String: String]) throws(ClientError) -> SIMD2<Double> {
    func fraction(_ item: String) throws(ClientError) -> Double {
      guard let value = query[item].flatMap({ Double($0) }), (0..<1).contains(value) else {
        throw ClientError(description: "'\(item)' takes a fraction from 0 to below 1.")
      }
      return value
    }
    if let unknown = query.keys.first(where: { $0 != "x" && $0 != "y" }) {
      throw ClientError(description: "There is no item '\(unknown)': use x and y.")
    }
    return SIMD2(try fraction("x"), try fraction("y"))
  }
}

/// A malformed client request: the reason, as a sentence for the client.
package struct ClientError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String
}

extension ServerAnswer {
  /// - Parameter reason: A sentence.
  static func error(_ status: Int, _ reason: String) -> ServerAnswer {
    .json((try? JSON.line([("error", reason)])) ?? "{}", status: status)
  }

  /// Returns a JSON object as an answer.
  static func json(_ text: String, status: Int = 200) -> ServerAnswer {
    ServerAnswer(status: status, contentType: "application/json", bytes: Array(text.utf8))
  }
}
