internal import ArgumentParser
internal import ChunkedTranscode
internal import Sessions

/// How a film is divided, and where its pieces are rendered.
struct FilmOptions: ParsableArguments {
  enum Queue: String, ExpressibleByArgument, CaseIterable {
    case slurm
  }

  @Option(help: ArgumentHelp("Work folder, which all machines share: plan, pieces, claims, logs.", valueName: "dir"))
  var work: String

  @Option(help: ArgumentHelp("Length of a piece in seconds of the film (60).", valueName: "s"))
  var chunkSeconds: Double?

  @Option(help: ArgumentHelp("Number of pieces, instead of their length.", valueName: "n"))
  var chunks: Int?

  @Option(help: ArgumentHelp("Tries after which a piece counts as failed.", valueName: "n"))
  var maxTries = 3

  @Option(help: "Submit the pieces, and a job that joins them, to a queue.")
  var submit: Queue?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --submit slurm: options of sbatch, such as \"--partition=render --mem=8G\". They take precedence over what the "
        + "first piece was measured to need.", valueName: "options"))
  var sbatchOptions: String?

  @Option(help: ArgumentHelp("With --submit slurm: pieces that are rendered at the same time.", valueName: "n"))
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
