internal import FFmpegIO
internal import ImageFiles
internal import Media
public import Sessions

/// A conversion of several films, each to a file.
public struct LibraryRequest: Sendable, Hashable, Codable {
  /// Input files, and folders whose films are converted, subfolders included.
  public var inputs: [String]
  /// Output folder. Films found in a folder keep their relative path.
  public var folder: String
  /// Suffix of the outputs, without a dot, which selects the container; nil: the suffix of `coding.format`, else the
  /// input's, or "mkv" where that container does not suit HDR video.
  public var suffix: String?
  /// The transcode of each film. Its file names are ignored.
  public var transcode: TranscodeRequest
  /// Number of films converted in parallel: 1 to 64.
  public var jobs = 1
  /// Films whose output exists count as done.
  public var skipsExisting = false
  /// Also converts SDR films found in folders. Files listed by name are always converted.
  public var includesSDR = false
  /// File for a JSON report on all films; "-": standard output.
  public var report: String?

  /// Converts the HDR films one after the other.
  /// - Parameters:
  ///   - inputs: Files and folders.
  ///   - folder: Output folder.
  ///   - transcode: The transcode of each film.
  public init(_ inputs: [String], folder: String, transcode: TranscodeRequest) {
    (self.inputs, self.folder, self.transcode) = (inputs, folder, transcode)
  }

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range, and for options that only apply to a single film.
  public func validate() throws(Refusal) {
    if !(1...64).contains(jobs) { throw .invalid(.outOfRange(.jobs, "\(jobs)", "1", "64")) }
    if let parameter = partsOfOneFilm.first {
      throw .invalid(
        "for-single-film", "\(parameter) is for a single film: omit it, or convert the films one by one.")
    }
    if let other = inputs.first(where: { MediaName.path($0) == nil }) {
      throw .invalid(.neitherFileNorFolder(other))
    }
    if let suffix = chosenSuffix, let format = ImageFormat(suffixOf: "film." + suffix), !format.holdsManyFrames {
      throw .invalid(
        "films-cannot-be-pictures",
        "Many films cannot become pictures (.\(suffix)): give \(.suffix) a video container such as mkv.")
    }
    if let suffix {
      if suffix.isEmpty || suffix.contains("/") {
        throw .invalid(
          "invalid-suffix",
          "'\(suffix)' cannot be a suffix: \(.suffix) takes that of a container, such as mkv.")
      }
      // A suffix that belongs to no container is the user's choice.
      if let format = transcode.coding.format, !MediaWriter.suffixes(of: format).contains(suffix.lowercased()),
        (try? MediaWriter.formatName(url: "film." + suffix)).map({ $0 != format }) ?? false
      {
        throw .invalid(
          "suffix-of-other-container",
          "\(.suffix, suffix) is not a suffix of \(.format, format): leave one of them out.")
      }
    }
    if suffix == nil, let format = transcode.coding.format, chosenSuffix == nil {
      throw .invalid(
        "container-without-suffix",
        "\(.format, format) has no suffix for the outputs: add \(.suffix), or leave out \(.format).")
    }
    var any = transcode
    any.output = "film"
    try any.validate()
  }

  /// The requested suffix, or the one of the requested container.
  var chosenSuffix: String? { suffix ?? transcode.coding.format.flatMap { MediaWriter.suffixes(of: $0).first } }

  /// Parameters that name a file of a single film.
  private var partsOfOneFilm: [Parameter] {
    var isMeasured = false
    if case .file = transcode.metadata.inputLight { isMeasured = true }
    return [
      (Parameter.statistics, transcode.statistics != nil), (.measured, isMeasured),
      (.burnSubtitles, transcode.burnedSubtitles.map(SubtitleStream.isFile) ?? false),
    ].filter(\.1).map(\.0)
  }

  /// A report describes one run: a run that completes an earlier one replaces its report.
  var replacesReport: Bool { transcode.overwrites || skipsExisting }

  /// Returns the transcode of a film.
  func request(for film: LibraryPlan.Film) -> TranscodeRequest {
    var request = transcode
    (request.input.name, request.output) = (film.input, film.output)
    request.report = report == nil ? nil : "-"
    return request
  }
}
