internal import Farm
internal import Files
internal import FFmpegIO
internal import Media
public import Sessions

extension Session {
  /// Joins the pieces of a film to its output, and adds everything else from its input.
  /// - Parameters:
  ///   - film: The film.
  ///   - follows: Waits for missing pieces; otherwise they are an error.
  ///   - allowsMixed: Accepts versions other than the plan's.
  ///   - output: Another file with the same container; nil: the plan's output.
  ///   - overwrites: Replaces an existing file.
  /// - Throws: `Refusal` that lists missing or invalid pieces, `FarmError`, or the error of a library.
  @discardableResult
  public func assemble(
    _ film: Film, follows: Bool = false, allowsMixed: Bool = false, output: String? = nil, overwrites: Bool = false
  ) throws -> Outcome {
    let output = output ?? film.plan.transcode.video.url
    if !overwrites, film.folder.assembledOutput(of: film.checksum)?.isSameName(as: output) ?? false {
      note("film-complete", "'\(output)' is complete already.")
      return .finished
    }
    warn(try film.check(allowsMixed: allowsMixed))
    let overwrites = overwrites || film.plan.transcode.request.overwrites || film.folder.hasBegun(output)
    try OutputPath(output).check(reading: [film.plan.input.path], overwrites: overwrites)
    let format = film.plan.transcode.video.format
    let (planned, asked) = try (
      MediaWriter.formatName(url: film.plan.transcode.video.url, format: format),
      MediaWriter.formatName(url: output, format: format)
    )
    if planned != asked {
      throw Refusal.invalid(
        "output-of-other-container",
        "'\(output)' has a different container from the plan's (\(planned)): choose a name with the same suffix.")
    }
    return try AssembleRun(
      self, film, follows: follows, allowsMixed: allowsMixed, output: output, overwrites: overwrites
    ).run()
  }
}
