internal import FFmpegIO
internal import Files
internal import Foundation
internal import Media
public import Sessions

/// A transcode divided into chunks that machines render one by one.
public struct FilmRequest: Sendable, Hashable, Codable {
  /// How a film is divided.
  public enum Division: Sendable, Hashable, Codable {
    /// Chunks of about this many seconds.
    case seconds(Double)
    /// A number of chunks.
    case count(Int)
  }

  /// The transcode. Its file paths have to be valid on every machine.
  public var transcode: TranscodeRequest
  /// The work folder.
  public var folder: String
  /// How the film is divided.
  public var division = Division.seconds(60)
  /// Number of tries after which a chunk counts as failed.
  public var maximumTries = 3

  /// Divides a film into chunks of one minute.
  /// - Parameters:
  ///   - transcode: The transcode; relative paths are relative to the current folder.
  ///   - folder: The work folder, shared by all machines.
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
  /// - Throws: `Refusal` for values out of range, and for transcodes that cannot be divided.
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
    if let obstacle { throw .invalid(obstacle.message(transcode.input.name)) }
  }

  /// Checks that the folder is new, empty, or already a work folder.
  private func checkFolder() throws(Refusal) {
    guard let names = FileLocation.names(in: folder) else {
      if FileStatus(folder) != nil || FileStatus(FileLocation(folder).folder)?.kind != .folder {
        throw .failed(
          "impossible-work-folder",
          "'\(folder)' cannot be a work folder: it is a file, or the folder that it is to be in does not exist.")
      }
      return
    }
    let own: Set = [
      "plan.json", "shots.json", "chunks", "claims", "tries", "slurm", "cancelled", "assembling", "assembled.json",
    ]
    if let other = names.sorted().first(where: { !own.contains($0) && !$0.hasPrefix(".") }) {
      throw .failed(
        "work-folder-has-other-files",
        "'\(folder)' is not a work folder, it has other files such as '\(other)': name an empty or new folder with "
          + "\(.workFolder).")
    }
  }

  /// Maximum number of chunks, which keeps a plan below a megabyte.
  static let maximumChunks = 5000
  static let possibleTries = 1...100

  /// Why the transcode cannot be divided, as far as the request shows.
  private var obstacle: FilmObstacle? {
    if transcode.input.name == "-" || !transcode.input.isRepeatable { return .stream }
    if transcode.output.map({ $0 == "-" }) ?? true {
      return FilmObstacle("pieces-to-stream", "the output is not a file. Name one with \(.destination, "FILE").")
    }
    if let option = TranscodeOptions.options.first(where: {
      $0.effects.contains(.isForWholeFilm) && $0.isSet(in: transcode)
    }) {
      let isRate = CodingOptions.options.contains { $0.parameter == option.parameter }
      let advice: MessageText = isRate ? "Use \(.crf)." : "Omit it."
      return FilmObstacle(
        "pieces-of-whole-film",
        "\(option.parameter) is about the whole film, and pieces do not know of each other. \(advice)")
    }
    if transcode.following != nil {
      return FilmObstacle("pieces-following-display", "\(.follow) depends on when a frame is rendered. Omit it.")
    }
    if transcode.selection.at != nil {
      return FilmObstacle("pieces-of-one-frame", "\(.at) selects one frame. Use headroom transcode.")
    }
    if transcode.geometry.deinterlacing == .field, transcode.selection.range != nil || transcode.selection.every != 1 {
      return FilmObstacle(
        "pieces-counting-fields",
        "\(.frames) and \(.every) count frames, and how many \(.deinterlace, "field") makes is known once all are "
          + "decoded. Use \(.start) and \(.duration), or headroom transcode.")
    }
    return nil
  }
}

/// Why a film cannot be divided.
struct FilmObstacle {
  private let code: Message.Code
  private let reason: MessageText

  /// - Parameter reason: The obstacle, worded to follow a colon, and what helps.
  init(_ code: Message.Code, _ reason: MessageText) { (self.code, self.reason) = (code, reason) }

  /// The input cannot be read twice.
  static let stream = FilmObstacle(
    "pieces-of-stream",
    "it is a pipe, a device or an address, which cannot be read twice. Write it to a file first.")

  /// - Parameter name: The input.
  func message(_ name: String) -> Message {
    Message(code, "'\(name)' cannot be rendered in pieces: \(reason)")
  }
}

extension TranscodePlan {
  /// Why the output cannot be made from pieces; nil: it can.
  var filmObstacle: FilmObstacle? {
    guard let encoder = video.encoder else { return Self.notHeld("none") }
    if !request.input.protocols.isEmpty, request.input.name.contains("://") { return .stream }
    guard MediaWriter.writesPackets(url: video.url, format: video.format), Encoders.isHeldByMatroska(encoder) else {
      return Self.notHeld(encoder)
    }
    if let option = rateOption(encoder) {
      return FilmObstacle(
        "pieces-with-rate-option",
        "the option \(option) makes \(encoder) keep to a bit rate, which pieces cannot share. Use \(.crf).")
    }
    if Encoders.sharesNoBits(encoder) || keepsQuality(encoder) { return nil }
    return FilmObstacle(
      "pieces-with-bit-rate",
      "\(encoder) keeps to a bit rate, which pieces cannot share. Use \(.encoder, "libx265"), libx264 or libsvtav1 "
        + "with \(.crf).")
  }

  /// The obstacle that Matroska cannot carry the coded pictures.
  private static func notHeld(_ encoder: String) -> FilmObstacle {
    FilmObstacle(
      "pieces-not-in-matroska",
      "what \(encoder) writes cannot be kept in pieces. Choose another encoder with \(.encoder).")
  }

  /// Returns whether the encoder uses constant quality, by default or by request.
  private func keepsQuality(_ encoder: String) -> Bool {
    switch encoder {
    case "libx264", "libx265", "libsvtav1": true
    case "libaom-av1", "libvpx-vp9": video.crf != nil
    default: false
    }
  }

  /// Encoder options for rate control, buffers, or first-pass statistics. Each piece would start with an empty history.
  private static let rateOptions: Set<String> = [
    "b", "bitrate", "maxrate", "minrate", "bufsize", "vbv-maxrate", "vbv-bufsize", "vbv-init", "strict-cbr", "nal-hrd",
    "hrd", "pass", "passes", "stats", "tbr", "mbr", "target-bitrate", "end-usage", "abr", "slow-firstpass",
  ]

  private func rateOption(_ encoder: String) -> String? {
    for option in video.encoderOptions where option.value != "0" {
      // x264 and x265 accept both spellings.
      if Self.rateOptions.contains(option.name.replacing("_", with: "-")) { return option.name }
      // SVT-AV1: 0 is constant quality.
      if encoder == "libsvtav1", option.name == "rc" { return option.name }
    }
    return nil
  }
}
