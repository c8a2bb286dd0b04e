internal import ArgumentParser
internal import FFmpegIO
internal import ImageFiles

/// How an input is opened, and what may be opened because of it.
struct OpeningOptions: ParsableArguments {
  /// Names of protocols, as "http,https".
  struct Protocols: ExpressibleByArgument {
    let names: [String]

    init?(argument: String) {
      names = argument.split(separator: ",").map { $0.lowercased() }
      guard !names.isEmpty else { return nil }
    }
  }

  @Option(
    help: ArgumentHelp(
      "Format of the input by ffmpeg's name (found out from the content; playlists, manifests and other files that "
        + "name files only by this or their suffix).", valueName: "name"))
  var inputFormat: String?

  @Option(
    help: ArgumentHelp(
      "Protocols of ffmpeg's that the input, and what it names, may be fetched by, as http,https (none: files only).",
      valueName: "names"))
  var allowProtocols: Protocols?

  /// Opens an input by FFmpeg or, of stills that it does not read or not whole, by the library of their format.
  /// - Parameters:
  ///   - videoIndex: Place of the stream to decode; nil: the best one.
  ///   - threads: Of the decoder; 0: as many as there are cores.
  ///   - pictures: How picture files are read.
  ///   - opened: Gets what a file says about itself as soon as FFmpeg has it open, also where it has no video.
  func open(
    _ name: String, videoIndex: Int? = nil, threads: Int = 0, limits: MediaReader.Limits = MediaReader.Limits(),
    pictures: StillSettings = StillSettings(), opened: (MediaInfo) -> Void = { _ in }
  ) throws -> any MediaInput {
    if inputFormat == nil, let sequence = try ImageSequence(pattern: name, startNumber: pictures.startNumber) {
      return try SequenceReader(sequence, settings: pictures, threads: threads, limits: limits)
    }
    if pictures.startNumber != nil {
      throw CommandFailure(
        "--input-start-number is for a sequence of pictures, and '\(name)' is none: leave it out, or name the files as "
          + "in 'frame-%06d.png'.", .usage)
    }
    let reader: any MediaInput
    if inputFormat == nil, let still = try StillReader(path: name, settings: pictures) {
      reader = still
    } else {
      var limits = limits
      limits.protocols = allowProtocols?.names ?? []
      let media = try MediaReader(
        url: name, format: inputFormat, videoIndex: videoIndex, threads: threads, limits: limits, opened: opened)
      media.composite(pictures.compositing)
      reader = media
    }
    guard pictures.frameRate != nil else { return reader }
    guard reader.isStill, let file = ImageSequence(file: name) else {
      throw CommandFailure("--frame-rate is for pictures, and '\(name)' has times of its own: leave it out.", .usage)
    }
    return try SequenceReader(file, settings: pictures, threads: threads, limits: limits)
  }
}
