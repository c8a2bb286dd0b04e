internal import FFmpegIO
internal import ImageFiles
internal import Media
public import Sessions

/// A conversion of many films, one file for each.
public struct LibraryRequest: Sendable, Hashable, Codable {
  /// Files, and folders whose films are converted, those of the folders within included.
  public var inputs: [String]
  /// The folder of the outputs. Films of a folder keep their place below it.
  public var folder: String
  /// Suffix of the outputs, without a dot, which chooses the container; nil: that of `coding.format`, or the input's, or "mkv" where that is
  /// not for HDR video.
  public var suffix: String?
  /// What is done with each film. The names of its files do not count.
  public var transcode: TranscodeRequest
  /// Films that are converted at the same time: 1 to 64.
  public var jobs = 1
  /// Films whose output exists are done already.
  public var skipsExisting = false
  /// SDR films of folders are converted as well. Files that are named always are.
  public var includesSDR = false
  /// File of a JSON report about all films; "-": standard output.
  public var report: String?

  /// The HDR films, one after the other.
  /// - Parameters:
  ///   - inputs: Files and folders.
  ///   - folder: The folder of the outputs.
  ///   - transcode: What is done with each film.
  public init(_ inputs: [String], folder: String, transcode: TranscodeRequest) {
    (self.inputs, self.folder, self.transcode) = (inputs, folder, transcode)
  }

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range, and for what is possible for single films only.
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
      // A suffix of no container is the user's own.
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

  /// The suffix that is stated, or follows from the container that is.
  var chosenSuffix: String? { suffix ?? transcode.coding.format.flatMap { MediaWriter.suffixes(of: $0).first } }

  /// Parameters that name a file of one film.
  private var partsOfOneFilm: [Parameter] {
    var isMeasured = false
    if case .file = transcode.metadata.inputLight { isMeasured = true }
    return [
      (Parameter.statistics, transcode.statistics != nil), (.measured, isMeasured),
      (.burnSubtitles, transcode.burnedSubtitles.map(SubtitleStream.isFile) ?? false),
    ].filter(\.1).map(\.0)
  }

  /// A report is of a run: one that does what is missing replaces that of the run before.
  var replacesReport: Bool { transcode.overwrites || skipsExisting }

  /// What is done with one film.
  func request(for film: LibraryPlan.Film) -> TranscodeRequest {
    var request = transcode
    (request.input.name, request.output) = (film.input, film.output)
    request.report = report == nil ? nil : "-"
    return request
  }
}
