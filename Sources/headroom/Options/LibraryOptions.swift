internal import ArgumentParser
internal import BatchTranscode
internal import Files
internal import Foundation
internal import Sessions

/// The selection of films, if there is more than one.
struct LibraryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Suffix of outputs in a folder, which selects the container (that of -f, or the input's, or mkv if that does "
        + "not support HDR video).", valueName: "mkv|mp4|..."))
  var suffix: String?

  @Option(help: ArgumentHelp("Films to convert at once (1).", valueName: "n"))
  var jobs: Int?

  @Flag(help: "Skip films whose output already exists: a second run converts the missing ones.")
  var skipExisting = false

  @Flag(
    name: .customLong("include-sdr"),
    help: "Convert SDR films in folders, too; files named explicitly are always converted.")
  var includeSDR = false

  /// Returns a request for several inputs, a folder, or an output folder.
  /// - Returns: nil for a single input and output.
  func request(_ inputs: [String], _ options: TranscodeArguments) throws -> LibraryRequest? {
    let transcode = options.request(inputs[0])
    let output = transcode.output
    func isFolder(_ name: String) -> Bool { name != "-" && FileStatus(name)?.kind == .folder }
    guard inputs.count > 1 || output.map({ $0.hasSuffix("/") || isFolder($0) }) ?? false || isFolder(inputs[0]) else {
      if suffix != nil || jobs != nil || includeSDR {
        let option = suffix != nil ? "--suffix" : jobs != nil ? "--jobs" : "--include-sdr"
        throw CommandFailure(
          "\(option) is for more than one film: name several inputs, a folder, or an output folder.", .usage)
      }
      return nil
    }
    var request = LibraryRequest(inputs, folder: output ?? "", transcode: transcode)
    request.suffix = suffix.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
    (request.jobs, request.skipsExisting, request.includesSDR) = (jobs ?? 1, skipExisting, includeSDR)
    request.report = transcode.report
    return request
  }
}
