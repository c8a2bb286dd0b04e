internal import FFmpegIO
internal import Files
internal import Foundation
internal import Media

/// A transcode that is divided into chunks, which machines render one by one.
public struct FilmRequest: Sendable, Hashable, Codable {
  /// How a film is divided.
  public enum Division: Sendable, Hashable, Codable {
    /// Chunks of about this many seconds of the film.
    case seconds(Double)
    /// A number of chunks.
    case count(Int)
  }

  /// What is done. The paths of its files are those of every machine.
  public var transcode: TranscodeRequest
  /// The work folder.
  public var folder: String
  /// How the film is divided.
  public var division = Division.seconds(60)
  /// Tries after which a chunk counts as failed.
  public var maximumTries = 3

  /// A film in chunks of a minute.
  /// - Parameters:
  ///   - transcode: What is done; relative paths are those of the current folder.
  ///   - folder: The work folder, which all machines share.
  public init(_ transcode: TranscodeRequest, folder: String) {
    self.transcode = transcode
    self.folder = Self.absolute(folder)
    self.transcode.input.name = Self.absolute(transcode.input.name)
    self.transcode.output = transcode.output.map(Self.absolute)
    if let name = transcode.burnedSubtitles, SubtitleStream.isFile(name) {
      self.transcode.burnedSubtitles = Self.absolute(name)
    }
  }

  private static func absolute(_ path: String) -> String {
    if path == "-" || path.utf8.first == UInt8(ascii: "/") { return path }
    guard let folder = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(folder) }
    return FileLocation.path(unsafe String(systemName: folder), path)
  }

  /// Checks the values.
  /// - Throws: `Refusal` for values out of range, and for what cannot be divided.
  public func validate() throws(Refusal) {
    switch division {
    case .seconds(let seconds):
      if !(0.1...86_400).contains(seconds) {
        throw .invalid(.outOfRange(.chunkSeconds, "\(seconds)", "0.1", "86400 s"))
      }
    case .count(let count):
      if !(1...Self.maximumChunks).contains(count) {
        throw .invalid(.outOfRange(.chunks, "\(count)", "1", "\(Self.maximumChunks)"))
      }
    }
    if !Self.possibleTries.contains(maximumTries) {
      throw .invalid(.outOfRange(.maxTries, "\(maximumTries)", "1", "100"))
    }
    try checkFolder()
    try transcode.validate()
    if let obstacle { throw .invalid(.film(.cannotBeDivided(name: transcode.input.name, obstacle))) }
  }

  /// A work folder is new, empty, or one already.
  private func checkFolder() throws(Refusal) {
    guard let names = FileLocation.names(in: folder) else {
      if FileStatus(folder) != nil || FileStatus(FileLocation(folder).folder)?.kind != .folder {
        throw .failed(.film(.cannotBeFolder(folder: folder)))
      }
      return
    }
    let own: Set = [
      "plan.json", "shots.json", "chunks", "claims", "tries", "slurm", "cancelled", "assembling", "assembled.json",
    ]
    if let other = names.sorted().first(where: { !own.contains($0) && !$0.hasPrefix(".") }) {
      throw .failed(.film(.folderHasOthers(folder: folder, name: other)))
    }
  }

  /// A plan stays below a megabyte.
  static let maximumChunks = 5000
  static let possibleTries = 1...100

  /// Why the request cannot be divided, as far as it says so itself.
  private var obstacle: FilmObstacle? {
    if transcode.input.name == "-" || !transcode.input.isRepeatable { return .isStream }
    if transcode.output.map({ $0 == "-" }) ?? true { return .writesStream }
    if transcode.report != nil { return .writesBeside(.report) }
    if transcode.statistics != nil { return .writesBeside(.statistics) }
    if transcode.following != nil { return .followsDisplay }
    if transcode.selection.at != nil { return .isSingleFrame }
    if transcode.deinterlacing == .field, transcode.selection.range != nil || transcode.selection.every != 1 {
      return .countsFields
    }
    if let parameter = transcode.coding.rate.parameters.first { return .sharesBits(parameter) }
    return nil
  }
}

/// Why a film cannot be divided.
public enum FilmObstacle: Sendable, Hashable, Codable {
  /// The input is a pipe, a device or an address: it cannot be read twice.
  case isStream
  /// The input is made of pictures.
  case isOfPictures
  /// The output is a stream, or nothing is written.
  case writesStream
  /// A file beside the output is of the whole run.
  case writesBeside(Parameter)
  /// The display may change while pieces are rendered.
  case followsDisplay
  /// One frame is all that is selected.
  case isSingleFrame
  /// Frames are selected by number, but which pictures are interlaced, and become two, is known once they are decoded.
  case countsFields
  /// Packets of the input have no times, so frames cannot be told apart without decoding.
  case hasNoTimes(packets: Int)
  /// A frame that was sought is another one: the time that was asked for, and what came, in seconds.
  case seeksInexactly(wanted: Double, found: Double?)
  /// The encoder keeps to a bit rate, by its default or by an option.
  case keepsBitRate(encoder: String, option: String?)
  /// What is asked of the bit rate holds for the whole film, and pieces do not know of each other.
  case sharesBits(Parameter)
  /// Coded pictures cannot be carried by a Matroska file.
  case isNotHeld(encoder: String)
  /// The tags of the video change mid-stream, and its dynamic metadata is used.
  case changesWithMetadata(seconds: Double)
}
