internal import ArgumentParser
internal import FFmpegIO

/// `headroom dump INPUT -o PATTERN`
struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump", abstract: "Write frames as pictures or raw buffers: OpenEXR, PNG, TIFF, AVIF, JPEG XL, Y4M.",
    discussion: """
      In linear spaces 1.0 is 100 cd/m² for PQ as decoded, SDR white for SDR and after the mapping; HLG as decoded is \
      scene light, 0 to 1. Files say so where their format can, raw ones in a JSON file beside them. Pictures are turned \
      as the input says that they are to be shown. After SIGINT or SIGTERM what was read is written.
      """)

  @Argument(help: "Input file; - is Y4M on standard input.")
  var input: String

  @OptionGroup var options: DumpOptions

  func run() throws {
    FFmpegLog.level = options.output.messages.verbose ? .verbose : .quiet
    do {
      if let status = try PictureJob(request: PictureRequest(options, input: input)).run() { throw status }
    } catch let status as ExitStatus {
      throw status
    } catch {
      throw CommandFailure(error)
    }
  }
}
