public import ImageFiles
internal import Media
internal import ToneMapping

/// Frames to write as pictures or raw buffers.
public struct PictureRequest: DefaultedRequest, Hashable, Codable {
  /// The processing stage after which a frame is taken.
  public enum Stage: String, Sendable, Hashable, Codable, CaseIterable {
    /// As decoded, after the mapping, after the filters, and as coded.
    case decoded, mapped, filtered, output
  }

  /// The grid of a contact sheet.
  public struct Grid: Sendable, Hashable, Codable {
    /// Pictures across.
    public var columns: Int
    /// Pictures down.
    public var rows: Int

    /// A sheet of columns times rows pictures.
    public init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }

    var count: Int { columns * rows }

    /// - Throws: `Refusal` for an empty or unreasonably large grid.
    fileprivate func validate() throws(Refusal) {
      guard (1...32).contains(columns), (1...32).contains(rows) else {
        throw .invalid(.outOfRange(.contact, "\(columns)x\(rows)", "1x1", "32x32"))
      }
    }
  }

  /// The input and how to read it.
  public var input: InputRequest
  /// A file name pattern such as `frame-%06d.exr`, or one file; "-": standard output.
  public var output: String
  /// The format of the pictures.
  public var format: ImageFormat
  /// nil: suitable for the format and the input.
  public var space: ImageSpace?
  /// nil: suitable for the space.
  public var stage: Stage?
  /// nil: the format's default.
  public var bitDepth: Int?
  /// nil: ZIP.
  public var compression: EXRCompression?
  /// AVIF and JPEG XL encode samples losslessly.
  public var isLossless = false
  /// The frames to write.
  public var selection = FrameSelection()
  /// A contact sheet of frames spread over the input.
  public var contact: Grid?
  /// nil: the number of the first frame.
  public var startNumber: Int?
  /// Deinterlacing, cropping, scaling and rotation of pictures.
  public var geometry = GeometryRequest.upright
  /// Light mapping to the pictures' display.
  public var mapping = MappingRequest()
  /// Rendering options.
  public var rendering = RenderingRequest()
  /// Known properties of the input's light, and metadata of PQ pictures.
  public var metadata = MetadataRequest()
  /// As in `TranscodeRequest`.
  public var filters: [String] = []
  /// As in `TranscodeRequest`.
  public var statistics: String?
  /// Replaces existing files.
  public var overwrites = false
  /// Threads and kernels.
  public var processing = ProcessingRequest()

  public static let defaults = PictureRequest(input: "", output: "", format: .png)

  /// Every frame of an input, with the default values.
  public init(input: String, output: String, format: ImageFormat) {
    self.input = InputRequest(input)
    self.output = output
    self.format = format
  }

  /// Number of the first file.
  var firstNumber: Int { startNumber ?? selection.range?.first ?? 0 }

  /// Frames keep the input's code values: Y4M without mapping, filters or statistics.
  var keepsCodes: Bool { format == .y4m && stage(in: nil) == .decoded && filters.isEmpty && statistics == nil }

  /// Returns the stage after which frames are taken, filters aside: as requested, or suitable for the space.
  func stage(in space: ImageSpace?) -> Stage {
    let isSDR = space.map { !$0.isHDR } ?? false
    if let stage, stage != .filtered { return stage }
    return isSDR || mapping.isRequested ? .mapped : .decoded
  }

  /// Use of the input's dynamic metadata; nil: none.
  var dynamicMetadataUse: ShotTracker.Use? { rendering.dynamicMetadataUse(for: mapping) }

  /// Checks the values and their combinations.
  /// - Throws: `Refusal` for values out of range and for options that are mutually exclusive.
  public func validate() throws(Refusal) {
    try input.validate()
    try mapping.validate()
    try rendering.validate(with: mapping)
    try metadata.validate(with: mapping)
    try processing.validate()
    try geometry.validate()
    if let startNumber, !(0...FileNames.largestNumber).contains(startNumber) {
      throw .invalid(.outOfRange(.startNumber, "\(startNumber)", "0", "\(FileNames.largestNumber)"))
    }
    try selection.validate()
    if let contact { try contact.validate() }
    if contact != nil, selection.at != nil || selection.range != nil || selection.every != 1 {
      throw .invalid(.exclusive(.contact, .at))
    }
  }
}

extension PictureRequest {
  /// The pictures requested by the output name of a transcode.
  /// - Returns: nil if the output is not a picture.
  /// - Throws: `Refusal` if the request has options for video.
  public init?(_ request: TranscodeRequest) throws(Refusal) {
    guard let name = request.output, request.coding.format == nil, request.coding.encoder == nil,
      let format = ImageFormat(suffixOf: name),
      !format.holdsManyFrames
    else { return nil }
    if let parameter = TranscodeOptions.set(in: request, with: .isForVideo).first {
      throw .invalid(.forVideo(parameter, output: name))
    }
    self.init(input: request.input.name, output: name, format: format)
    input = request.input
    stage = request.filters.isEmpty ? .mapped : .filtered
    switch request.mapping.kind {
    case .sdr: space = .sRGB
    case .hdr10: space = .bt2100PQ
    case .hlg: space = .bt2100HLG
    case .display: space = .display
    }
    if let space, !format.spaces.contains(space) { self.space = nil }
    (selection, overwrites) = (request.selection, request.overwrites)
    geometry = request.geometry
    geometry.bakesRotation = true
    (mapping, rendering, processing) = (request.mapping, request.rendering, request.processing)
    // A transcode always maps.
    mapping.chosenKind = mapping.kind
    (metadata, filters, statistics) = (request.metadata, request.filters, request.statistics)
  }
}
