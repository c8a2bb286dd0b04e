internal import Farm
internal import Media

extension Session {
  /// Joins the pieces of a film to its output, with everything else from its input.
  /// - Parameters:
  ///   - follows: Waits for pieces that are missing; otherwise they are an error.
  ///   - allowsMixed: Versions other than the plan's are accepted.
  /// - Throws: `Refusal` that names pieces which are missing or not valid, `FarmError`, or the error of a library.
  @discardableResult
  public func assemble(_ film: Film, follows: Bool = false, allowsMixed: Bool = false) throws -> Outcome {
    let output = film.plan.transcode.video.url
    if film.folder.isAssembled(output) {
      note([.film(.isAssembled(output: output))])
      return .finished
    }
    warn(try film.check(allowsMixed: allowsMixed))
    let overwrites = film.plan.transcode.request.overwrites || film.folder.hasBegunAssembly
    try OutputPath(output).check(reading: [film.plan.input.path], overwrites: overwrites)
    return try AssembleRun(self, film, follows: follows, allowsMixed: allowsMixed).run()
  }
}
