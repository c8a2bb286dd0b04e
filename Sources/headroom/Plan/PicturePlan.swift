internal import ColorScience
internal import Filters
internal import Frames
internal import ImageFiles
internal import Rendering
internal import ToneMapping

/// What pictures are written as: the format, its space, and after which step of the way frames are taken.
struct PicturePlan {
  /// How frames of a source are rendered.
  struct Rendering {
    /// nil: frames go as they are.
    var target: StreamRenderer.Target?
    /// A second rendering, of frames that the first has coded.
    var decoding: Decoding?
    /// What pictures say of their light.
    var metadata = HDRMetadata()
    /// Light in cd/m² that no PQ picture exceeds; nil where nothing keeps it in bounds.
    var limit: Double?
    /// Luminance in cd/m² of 1.0, or of the largest code; nil for light of a scene.
    var white: Double?
    var notes: [String] = []
    var warnings: [String] = []
  }

  /// The way back to light of frames that were coded as transcode codes them.
  struct Decoding {
    var source: FrameRenderer.Endpoint
    var stages: [any Stage]
    var target: FrameRenderer.Endpoint
  }

  let request: PictureRequest
  /// nil for Y4M, which holds coded frames.
  let space: ImageSpace?
  let stage: FrameOutputOptions.Stage

  /// - Parameter color: Tags of the input.
  /// - Throws: `CommandFailure` where the format cannot hold what is asked for, with what would work.
  init(_ request: PictureRequest, color: ColorDescription) throws {
    self.request = request
    let space = try Self.space(request, color: color)
    self.space = space
    stage = request.stage(in: space)
    try refuseIdleOptions()
  }

  var format: ImageFormat { request.format }

  /// What of the dynamic metadata is used: nothing for light as it was decoded.
  var use: SceneTracker.Use? { stage == .decoded ? nil : request.sceneUse }

  private static func space(_ request: PictureRequest, color: ColorDescription) throws -> ImageSpace? {
    let format = request.format
    if let asked = request.space {
      if format.spaces.contains(asked) { return asked }
      let others = ImageFormat.allCases.filter { $0.spaces.contains(asked) }.map(\.rawValue).joined(separator: ", ")
      let own =
        format.spaces.isEmpty
        ? "it holds frames as they are coded; leave --space out"
        : "it takes \(format.spaces.map(\.name).joined(separator: ", "))"
      throw CommandFailure(
        "\(format.rawValue) cannot carry \(asked.name): \(own), or choose one of \(others).", .usage)
    }
    // A contact sheet is for the eye.
    if request.contact != nil, format.spaces.contains(.sRGB) { return .sRGB }
    let usual: ImageSpace =
      switch request.source.overrides.applied(to: color).transfer {
      case .pq: .bt2100PQ
      case .hlg: .bt2100HLG
      case .linear: format.spaces.contains(.linearBT2020) ? .linearBT2020 : .bt2100PQ
      default: .sRGB
      }
    return format.spaces.contains(usual) ? usual : format.spaces.first
  }

  /// How frames like `first` are rendered.
  func rendering(of source: SourcePlan, _ first: CodedFrame, orientation: Orientation) throws -> Rendering {
    let size = orientation.turned(first.size)
    guard let space else { return try codedRendering(of: source, first, size, orientation) }
    let format = format.pixelFormat(frameSize(size), in: space, bitDepth: request.bitDepth)
    func target(_ ending: LightEnding, limit: Double?) -> StreamRenderer.Target {
      StreamRenderer.Target(
        endpoint: FrameRenderer.Endpoint(format: format, transfer: ending.transfer), pictureSize: size,
        orientation: orientation, dithers: request.rendering.dither, limit: limit, way: ending.way)
    }
    if stage == .decoded {
      let ending = ending(of: source.interpretation, in: space)
      let said = try decodedMetadata(source, space)
      var result = Rendering(target: target(ending, limit: said?.limit), metadata: said?.metadata ?? HDRMetadata())
      result.limit = said?.limit
      result.notes = said?.notes ?? []
      result.metadata.linearUnit = ending.unit
      result.white = ending.white
      result.warnings = cuts(source, space)
      return result
    }
    let plan = try targetPlan(source, primaries: stage == .output ? nil : space.primaries)
    guard stage == .output else {
      let ending = LightEnding.mapped(plan.display, in: space) { plan.mapping(for: $0) }
      var result = Rendering(
        target: target(ending, limit: plan.limit), metadata: plan.metadata, limit: plan.limit, notes: plan.notes,
        warnings: plan.warnings)
      result.metadata.linearUnit = ending.unit
      result.white = ending.white
      return result
    }
    var result = coded(plan, size, orientation)
    let content = try content(plan.color)
    // Signal 1 of SDR is the peak that it was made for.
    let ending = ending(of: content, in: space, sdrWhite: plan.display.peak)
    result.white = ending.white
    result.decoding = result.target.map { target in
      Decoding(
        source: FrameRenderer.Endpoint(format: target.endpoint.format, transfer: content.transfer),
        stages: ending.way.stages(for: nil), target: FrameRenderer.Endpoint(format: format, transfer: ending.transfer))
    }
    result.metadata.linearUnit = ending.unit
    return result
  }

  /// Of frames with what filters draw beside a picture.
  private func frameSize(_ picture: Size) -> Size { Filter.frameSize(request.filters, picture: picture) }

  /// What a space has no room for, where no tone mapping makes it.
  private func cuts(_ source: SourcePlan, _ space: ImageSpace) -> [String] {
    if source.color.transfer == .hlg, space.isLinear, !format.isRaw {
      return [
        "HLG as decoded is light of the scene, 0 to 1, which other programs will take for that of a display: "
          + "--stage mapped gives that."
      ]
    }
    guard source.interpretation.metadata != nil, !space.isLinear, source.color.transfer != space.transfer else {
      return []
    }
    switch space.transfer {
    case .pq: return []
    case .hlg: return ["Light above 1000 cd/m² is cut off in \(space.name): --stage mapped brings it down."]
    default: return ["Light above SDR white is cut off in \(space.name): --stage mapped brings it down."]
    }
  }

  /// Light as it was decoded, in the space of pictures.
  private func ending(
    of content: ContentInterpretation, in space: ImageSpace, sdrWhite: Double? = nil
  ) -> LightEnding {
    LightEnding.decoded(
      content, in: space, gamut: request.mapping.gamut,
      sdrWhite: sdrWhite ?? request.mapping.sdrWhite ?? EDRMetadata.defaultOpticalOutputScale)
  }

  private func content(_ color: ColorDescription) throws -> ContentInterpretation {
    do {
      return try ContentInterpretation(color: color)
    } catch {
      throw CommandFailure(error, path: request.output)
    }
  }

  /// The display of the space, where nothing else is asked for.
  private func targetPlan(_ source: SourcePlan, primaries: ColorPrimaries?) throws -> TargetPlan {
    var mapping = request.mapping
    if mapping.chosenKind == nil {
      switch space?.transfer {
      case .pq: mapping.chosenKind = .hdr10
      case .hlg: mapping.chosenKind = .hlg
      default: break
      }
    }
    return try TargetPlan(
      source, options: mapping, asked: request.metadata, primaries: primaries, paints: !request.filters.isEmpty)
  }

  /// Frames as transcode codes them.
  private func coded(_ plan: TargetPlan, _ size: Size, _ orientation: Orientation) -> Rendering {
    let layout = PixelLayout(.ycbcr420, bitDepth: plan.color.transfer == .bt709 ? 8 : 10)
    let target = StreamRenderer.Target(
      endpoint: FrameRenderer.Endpoint(
        format: PixelFormat(size: frameSize(size), layout: layout, color: plan.color), transfer: plan.transfer,
        reach: plan.reach),
      pictureSize: size, orientation: orientation, dithers: request.rendering.dither, limit: plan.limit, way: plan.way)
    return Rendering(
      target: target, metadata: plan.metadata, limit: plan.limit, notes: plan.notes, warnings: plan.warnings)
  }

  /// Y4M: the source's own codes, in planes of Y'CbCr, or those of transcode.
  private func codedRendering(
    of source: SourcePlan, _ first: CodedFrame, _ size: Size, _ orientation: Orientation
  ) throws -> Rendering {
    guard stage == .decoded else { return coded(try targetPlan(source, primaries: nil), size, orientation) }
    var (layout, color) = (first.layout.read(by: source.color.matrix), source.color)
    if layout.components == .rgb {
      layout = PixelLayout(.ycbcr444, bitDepth: layout.bitDepth == 8 ? 8 : 12)
      color.matrix = color.primaries == .bt2020 ? .bt2020NCL : .bt709
      color.range = .narrow
    } else if YCbCrMatrix(color.matrix, primaries: color.primaries.space) == nil {
      // Y4M does not say the matrix: what a reader would not guess is not left to it.
      color.matrix = color.primaries == .bt2020 ? .bt2020NCL : .bt709
    }
    layout.packing = .planar
    layout.bitDepth = Y4MEncoder.depths(of: layout).first { $0 >= layout.bitDepth } ?? layout.bitDepth
    if color.matrix == source.color.matrix, request.keepsCodes, layout == first.layout { return Rendering() }
    let target = StreamRenderer.Target(
      endpoint: FrameRenderer.Endpoint(
        format: PixelFormat(size: frameSize(size), layout: layout, color: color),
        transfer: source.interpretation.transfer, reach: source.interpretation.transfer.reach(in: color.range)),
      pictureSize: size, orientation: orientation, dithers: false)
    return Rendering(target: target)
  }

  /// What is true of light that nothing was done to; in another form than it came in, nothing is said of it.
  private func decodedMetadata(_ source: SourcePlan, _ space: ImageSpace) throws -> StaticMetadata? {
    guard source.color.transfer == .pq, space.transfer == .pq || space.isLinear else { return nil }
    let peak = PQ.peak
    let settings = DisplayMapping.Settings(
      metadata: source.interpretation.metadata, primaries: source.interpretation.primaries, curve: .clip,
      display: Display(sdrWhite: EDRMetadata.defaultOpticalOutputScale, peak: peak, primaries: .bt2020))
    return try StaticMetadata(
      source, settings, keepsLight: true, paints: !request.filters.isEmpty, asked: request.metadata)
  }
}
