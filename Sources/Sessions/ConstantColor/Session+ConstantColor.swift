internal import ConstantColor
internal import Foundation
internal import Media

extension Session {
  /// Makes a picture of constant colour from two pictures, and what goes beside it.
  ///
  /// If the picture cannot be believed, it is not written; everything else is.
  /// - Throws: `Refusal` for impossible requests and for pictures that are no pair, `Cancellation`, or the error of a
  ///   library; nothing is left behind.
  public func run(_ request: ConstantColorRequest) throws -> ConstantColorOutcome {
    try request.validate()
    return try running {
      let files = try ConstantColorFiles(request, self)
      return try ConstantColorRun(self, request, files).run()
    }
  }
}
