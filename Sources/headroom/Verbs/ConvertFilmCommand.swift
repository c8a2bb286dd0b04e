internal import ArgumentParser
internal import BatchTranscode
internal import FFmpegIO
internal import Foundation
internal import Sessions

/// `headroom convert-film`: converts one of several films, as requested by `transcode` through a socket. Hidden.
struct ConvertFilmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert-film", abstract: "Convert a film for headroom transcode.", shouldDisplay: false)

  @Flag(help: "Print messages of FFmpeg and the encoder.")
  var verbose = false

  static func arguments(verbose: Bool) -> [String] { ["convert-film"] + (verbose ? ["--verbose"] : []) }

  func run() throws {
    FFmpegLog.level = verbose ? .verbose : .quiet
    guard SessionJob.serve(descriptor: STDIN_FILENO, wording: .english) else { throw ExitStatus.failed }
  }
}
