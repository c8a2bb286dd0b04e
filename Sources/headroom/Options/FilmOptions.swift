internal import ArgumentParser
internal import ChunkedTranscode
internal import Sessions

/// How to divide a film, and where to render its pieces.
struct FilmOptions: ParsableArguments {
  enum Queue: String, ExpressibleByArgument, CaseIterable {
    case slurm
  }

  @Option(help: ArgumentHelp("Work folder, shared by all machines: plan, pieces, claims, logs.", valueName: "dir"))
  var work: String

  @Option(help: ArgumentHelp("Length of a piece in seconds of the film (60).", valueName: "s"))
  var chunkSeconds: Double?

  @Option(help: ArgumentHelp("Number of pieces, instead of their length.", valueName: "n"))
  var chunks: Int?

  @Option(help: ArgumentHelp("Tries after which a piece counts as failed.", valueName: "n"))
  var maxTries = 3

  @Option(help: "Submit the pieces, and a job to join them, to a queue.")
  var submit: Queue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --submit slurm: options of sbatch, such as \"--partition=render --mem=8G\". They take precedence over the "
        + "measured needs of the first piece.", valueName: "options"))
  var sbatchOptions: String?

  @Option(help: ArgumentHelp("With --submit slurm: maximum number of pieces to render at once.", valueName: "n"))
  var maxJobs: Int?

  func validate() throws {
    if chunks != nil, chunkSeconds != nil {
      throw ValidationError("--chunks cannot be combined with --chunk-seconds: choose one.")
    }
    if submit == nil, sbatchOptions != nil || maxJobs != nil {
      throw ValidationError("--sbatch-options and --max-jobs are for --submit slurm: add it.")
    }
  }

  func request(_ transcode: TranscodeRequest) -> FilmRequest {
    var request = FilmRequest(transcode, folder: work)
    if let chunkSeconds { request.division = .seconds(chunkSeconds) }
    if let chunks { request.division = .count(chunks) }
    request.maximumTries = maxTries
    return request
  }
}
