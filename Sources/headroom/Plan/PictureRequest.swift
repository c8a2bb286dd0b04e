internal import ArgumentParser
internal import FFmpegIO
internal import Filters
internal import Frames
internal import ImageFiles
internal import ToneMapping

/// Which frames are to be written as pictures, and as what: as `dump` is told, or as `transcode` is by the name of its
/// output.
struct PictureRequest {
  var input: String
  var output: String
  var names: FileNames
  var format: ImageFormat
  /// nil: what suits the format and the input.
  var space: ImageSpace?
  /// nil: what suits the space.
  var stage: FrameOutputOptions.Stage?
  /// nil: what is usual for the format.
  var bitDepth: Int?
  /// nil: what is usual.
  var compression: EXRCompression?
  /// AVIF and JPEG XL keep every bit of the samples that they code.
  var isLossless = false
  var selection: FrameSelection
  var contact: FrameOutputOptions.Grid?
  /// nil: the number of the first frame.
  var startNumber: Int?
  var scale: PictureScaling?
  /// Pictures are turned as the input says that they are to be shown.
  var bakesRotation = true
  var overwrites: Bool
  /// The options that choose one frame, for messages.
  var singleFrameOptions = "--frames"
  var messages: MessageOptions
  var mapping: MappingOptions
  var rendering: RenderingOptions
  var metadata: MetadataOptions
  var source: InputOptions
  var filterOptions: FilterOptions
  /// In their order.
  var filters: [Filter]

  init(_ options: DumpOptions, input: String) throws {
    let output = options.output
    self.input = input
    self.output = output.output
    names = try FileNames.checked(output.output)
    singleFrameOptions = "--at or --frames"
    bakesRotation = output.bakeRotation
    format = try output.chosenFormat()
    (space, stage, bitDepth, compression) = (output.space, output.stage, output.bitDepth, output.compression)
    isLossless = output.lossless
    selection = FrameSelection(output)
    (contact, startNumber, scale) = (output.contact, output.startNumber, output.scale)
    (overwrites, messages) = (output.overwrite, output.messages)
    (mapping, rendering) = (options.mapping, options.rendering)
    (metadata, source) = (options.metadata, options.source)
    filterOptions = options.filters
    filters = try options.filters.parsed()
  }

  /// - Returns: nil where the output is no picture.
  /// - Throws: `CommandFailure` where something is asked that is for video.
  init?(_ options: TranscodeOptions, input: String) throws {
    let output = options.output
    guard let name = output.output, output.coding.format == nil, output.coding.encoder == nil,
      let format = ImageFormat(suffixOf: name), !format.holdsManyFrames
    else { return nil }
    let forVideo =
      output.coding.forVideoOnly + [
        ("--report", output.report != nil), ("--map", !options.streams.map.isEmpty),
        ("-c:a", options.streams.soundEncoder != nil), ("-c:s", options.streams.subtitleEncoder != nil),
      ]
    if let option = forVideo.first(where: \.isGiven)?.name {
      throw CommandFailure("\(option) is for video, and '\(name)' is a picture: leave it out.", .usage)
    }
    self.input = input
    self.output = name
    names = try FileNames.checked(name)
    self.format = format
    stage = options.filters.texts.isEmpty ? .mapped : .filtered
    switch options.mapping.to {
    case .sdr: space = .sRGB
    case .hdr10: space = .bt2100PQ
    case .hlg: space = .bt2100HLG
    }
    if let space, !format.spaces.contains(space) { self.space = nil }
    selection = FrameSelection(output.selection)
    (scale, overwrites, messages) = (output.scale, output.overwrite, output.messages)
    (mapping, rendering) = (options.mapping, options.rendering)
    // A transcode is always mapped.
    mapping.chosenKind = mapping.to
    (metadata, source) = (options.metadata, options.source)
    filterOptions = options.filters
    filters = try options.filters.parsed()
  }

  /// File of the statistics; "-" is standard output.
  var stats: String? { filterOptions.stats }

  /// Number of the first file.
  var firstNumber: Int { startNumber ?? selection.range?.first ?? 0 }

  /// Frames go out as they are coded in the input: Y4M, where nothing is asked of the mapping, filtered or counted.
  var keepsCodes: Bool { format == .y4m && stage(in: nil) == .decoded && filters.isEmpty && stats == nil }

  /// After which step frames are taken, filters aside: what is asked for, else what suits the space.
  func stage(in space: ImageSpace?) -> FrameOutputOptions.Stage {
    let isSDR = space.map { !$0.isHDR } ?? false
    if let stage, stage != .filtered { return stage }
    return isSDR || mapping.isAsked ? .mapped : .decoded
  }

  /// What of the input's dynamic metadata is used; nil is nothing.
  var sceneUse: SceneTracker.Use? { rendering.sceneUse(for: mapping) }
}
