internal import ColorScience
internal import Displays
internal import Filters
internal import Frames
internal import ImageFiles
internal import Rendering
internal import ToneMapping

/// The form of pictures: the format, its colour space, and the stage after which frames are taken.
struct PictureForm {
  /// The rendering of frames of a source.
  struct Rendering: Sendable, Hashable, Codable {
    /// nil: frames are written unchanged.
    var target: RenderTarget?
    /// A second rendering, of the frames coded by the first.
    var decoding: Decoding?
    /// HDR metadata of the pictures.
    var metadata = HDRMetadata()
    /// Limit in cd/m² on the light of PQ pictures; nil: unlimited.
    var limit: Double?
    /// Luminance in cd/m² of 1.0, or of the largest code; nil for scene light.
    var white: Double?
    var notes: [Message] = []
    var warnings: [Message] = []
  }

  /// Converts frames coded as in a transcode back to light.
  struct Decoding: Sendable, Hashable, Codable {
    var source: FrameRenderer.Endpoint
    var rendering: DisplayRendering
    var target: FrameRenderer.Endpoint
  }

  let request: PictureRequest
  /// nil for Y4M, which holds coded frames.
  let space: ImageSpace?
  let stage: PictureRequest.Stage
  let filters: [Filter]

  /// - Parameter color: Tags of the input.
  /// - Throws: `Refusal` if the format cannot hold what is requested, with what would work.
  init(_ request: PictureRequest, color: ColorDescription) throws {
    self.request = request
    let space = try Self.space(request, color: color)
    self.space = space
    stage = request.stage(in: space)
    filters = try Filter.parsed(request.filters)
    try refuseIdleOptions()
  }

  var format: ImageFormat { request.format }

  /// Pictures are SDR, whatever the input.
  var isSDR: Bool { request.mapping.chosenKind.map { $0 == .sdr } ?? space.map { !$0.isHDR } ?? (stage != .decoded) }

  /// Use of dynamic metadata: none for light as decoded.
  var use: ShotTracker.Use? { stage == .decoded ? nil : request.dynamicMetadataUse }

  private static func space(_ request: PictureRequest, color: ColorDescription) throws(Refusal) -> ImageSpace? {
    let format = request.format
    if request.space == .display, request.mapping.display == nil { throw .invalid(.noDisplay) }
    if request.mapping.chosenKind == .display {
      guard format.spaces.contains(.display) else { throw .invalid(.cannotCarry(format, .display)) }
      if let asked = request.space, asked != .display {
        throw .invalid(
          "display-has-own-space",
          "\(.outputKind, "display") makes pixels in the display's own space: omit \(.space, asked.shortName).")
      }
      return .display
    }
    if let asked = request.space {
      if format.spaces.contains(asked) { return asked }
      throw .invalid(.cannotCarry(format, asked))
    }
    // Contact sheets are for viewing.
    if request.contact != nil, format.spaces.contains(.sRGB) { return .sRGB }
    let preferred: ImageSpace =
      switch request.input.overrides.applied(to: color).transfer {
      case .pq: .bt2100PQ
      case .hlg: .bt2100HLG
      case .linear: format.spaces.contains(.linearBT2020) ? .linearBT2020 : .bt2100PQ
      default: .sRGB
      }
    return format.spaces.contains(preferred) ? preferred : format.spaces.first
  }

  /// Returns the rendering of frames decoded to the format `first`.
  func rendering(of source: SourcePlan, _ first: PixelFormat, orientation: Orientation) throws(Refusal) -> Rendering {
    let size = orientation.rotated(first.size)
    guard let space else { return try codedRendering(of: source, first, size, orientation) }
    let format = format.pixelFormat(frameSize(size), in: space, bitDepth: request.bitDepth)
    func target(_ encoding: OutputEncoding, limit: Double?) -> RenderTarget {
      RenderTarget(
        endpoint: FrameRenderer.Endpoint(format: format, transfer: encoding.transfer), picture: PictureArea(size),
        orientation: orientation, dithers: request.rendering.dithers, limit: limit, rendering: encoding.rendering)
    }
    if stage == .decoded {
      let encoding = encoding(of: source.interpretation, in: space)
      let said = try decodedMetadata(source, space)
      var result = Rendering(target: target(encoding, limit: said?.limit), metadata: said?.metadata ?? HDRMetadata())
      result.limit = said?.limit
      result.notes = said?.notes ?? []
      result.metadata.linearUnit = encoding.unit
      result.white = encoding.white
      result.warnings = clips(source, space)
      return result
    }
    let plan = try targetPlan(source, primaries: stage == .output ? nil : space.primaries.space)
    guard stage == .output else {
      let encoding = OutputEncoding.mapped(plan, in: space, for: request.mapping.display?.model)
      var result = Rendering(
        target: target(encoding, limit: plan.limit), metadata: plan.metadata, limit: plan.limit, notes: plan.notes,
        warnings: plan.warnings)
      result.metadata.linearUnit = encoding.unit
      result.white = encoding.white
      return result
    }
    var result = coded(source, plan, size, orientation)
    let color = result.target?.endpoint.format.color ?? plan.color
    let content = try SourcePlan.interpretation(color, name: request.output)
    // Signal 1 of SDR is the peak for which it was made.
    let encoding = encoding(of: content, in: space, sdrWhite: plan.display.peak)
    result.white = encoding.white
    result.decoding = result.target.map { target in
      Decoding(
        source: FrameRenderer.Endpoint(format: target.endpoint.format, transfer: content.transfer),
        rendering: encoding.rendering, target: FrameRenderer.Endpoint(format: format, transfer: encoding.transfer))
    }
    result.metadata.linearUnit = encoding.unit
    return result
  }

  /// Returns the frame size including filter drawings beside the picture.
  private func frameSize(_ picture: Size) -> Size { Filter.frameSize(filters, picture: picture) }

  /// Warns if light exceeds the space and no tone mapping reduces it.
  private func clips(_ source: SourcePlan, _ space: ImageSpace) -> [Message] {
    if source.color.transfer == .hlg, space.isLinear, !format.isRaw {
      let text: MessageText =
        "HLG as decoded is scene-referred, but other programs will read it as display-referred: use "
        + "\(.stage, "mapped")."
      return [Message("hlg-scene-light", text)]
    }
    guard source.interpretation.metadata != nil, !space.isLinear, source.color.transfer != space.transfer,
      space.transfer != .pq
    else { return [] }
    let limit = space.transfer == .hlg ? "1000 cd/m²" : "SDR white"
    return [
      Message(
        "light-clipped-in-space",
        "Light above \(limit) is clipped in \(space.name): \(.stage, "mapped") tone-maps it.")
    ]
  }

  /// Returns the encoding of light as decoded, in the space of the pictures.
  private func encoding(
    of content: ContentInterpretation, in space: ImageSpace, sdrWhite: Double? = nil
  ) -> OutputEncoding {
    OutputEncoding.decoded(
      content, in: space, gamut: request.mapping.gamut,
      sdrWhite: sdrWhite ?? request.mapping.sdrWhite ?? EDRMetadata.defaultOpticalOutputScale)
  }

  /// Returns the target: the display of the space, unless another is requested.
  private func targetPlan(_ source: SourcePlan, primaries: RGBSpace?) throws(Refusal) -> TargetPlan {
    var mapping = request.mapping
    if mapping.chosenKind == nil {
      switch space?.transfer {
      case .pq: mapping.chosenKind = .hdr10
      case .hlg: mapping.chosenKind = .hlg
      case .linear, nil: break
      case .unspecified: mapping.chosenKind = .display
      default: mapping.chosenKind = .sdr
      }
    }
    return try TargetPlan(
      source, mapping, asked: request.metadata, primaries: primaries, filters: filters,
      graphics: request.geometry.borderLight)
  }

  /// Returns the rendering that codes frames as a transcode does.
  private func coded(_ source: SourcePlan, _ plan: TargetPlan, _ size: Size, _ orientation: Orientation) -> Rendering {
    var plan = plan
    let own = source.layout.planar
    let isKept = plan.keepsCoding && Y4MEncoder.depths(of: own).contains(own.bitDepth)
    let layout = isKept ? own : .common(for: plan.color)
    plan.code(as: layout, of: source)
    let format = PixelFormat(size: frameSize(size), layout: layout, color: plan.color)
    let target = RenderTarget(
      plan, format, picture: size,
      orientation: orientation, dithers: request.rendering.dithers, limit: plan.limit)
    return Rendering(
      target: target, metadata: plan.metadata, limit: plan.limit, notes: plan.notes, warnings: plan.warnings)
  }

  /// Returns the rendering for Y4M: the source's code values as planar Y'CbCr, or a transcode's.
  private func codedRendering(
    of source: SourcePlan, _ first: PixelFormat, _ size: Size, _ orientation: Orientation
  ) throws(Refusal) -> Rendering {
    guard stage == .decoded else { return coded(source, try targetPlan(source, primaries: nil), size, orientation) }
    var (layout, color) = (first.layout.read(by: source.color.matrix), source.color)
    if layout.components == .rgb {
      layout = PixelLayout(.ycbcr444, bitDepth: layout.bitDepth == 8 ? 8 : 12)
      color.matrix = color.primaries == .bt2020 ? .bt2020NCL : .bt709
      color.range = .narrow
    } else if YCbCrMatrix(color.matrix, primaries: color.primaries.space) == nil {
      // Y4M does not signal the matrix, so use the one that readers assume.
      color.matrix = color.primaries == .bt2020 ? .bt2020NCL : .bt709
    }
    layout.packing = .planar
    layout.bitDepth = Y4MEncoder.depths(of: layout).first { $0 >= layout.bitDepth } ?? layout.bitDepth
    if color.matrix == source.color.matrix, request.keepsCodes, layout == first.layout.planar { return Rendering() }
    let target = RenderTarget(
      endpoint: FrameRenderer.Endpoint(
        format: PixelFormat(size: frameSize(size), layout: layout, color: color),
        transfer: source.interpretation.transfer, reach: source.interpretation.transfer.reach(in: color.range)),
      picture: PictureArea(size), orientation: orientation, dithers: false)
    return Rendering(target: target)
  }

  /// Returns the metadata of unchanged light; nil if the form differs from the input's.
  private func decodedMetadata(_ source: SourcePlan, _ space: ImageSpace) throws(Refusal) -> StaticMetadata? {
    guard source.color.transfer == .pq, space.transfer == .pq || space.isLinear else { return nil }
    let peak = PQ.peak
    let settings = DisplayMapping.Settings(
      metadata: source.interpretation.metadata, primaries: source.interpretation.primaries, curve: .clip,
      display: Display(sdrWhite: EDRMetadata.defaultOpticalOutputScale, peak: peak, primaries: .bt2020))
    return try StaticMetadata(
      source, settings, keepsLight: true, paints: !filters.isEmpty, asked: request.metadata)
  }
}

extension PictureForm {
  /// - Throws: `Refusal` for ineffective options.
  private func refuseIdleOptions() throws(Refusal) {
    let isLinear = space?.isLinear ?? false
    if let bitDepth = request.bitDepth, isLinear || !format.bitDepths.contains(bitDepth) {
      throw .invalid(.bitDepth(bitDepth, format, isLinear: isLinear))
    }
    if request.compression != nil, format != .exr {
      throw .invalid("compression-for-exr", "\(.compression) is for exr, not for \(format.rawValue): omit it.")
    }
    if request.isLossless, ![.avif, .jxl].contains(format) {
      throw .invalid(
        "format-always-lossless", "\(.lossless) is for avif and jxl; \(format.rawValue) is always lossless: omit it.")
    }
    if stage == .decoded, request.mapping.isRequested {
      throw .invalid(
        "decoded-light-not-mapped",
        "Decoded light is not mapped: omit \(.outputKind), \(.toneMap), \(.peak), \(.referenceWhite), \(.exposure) and "
          + "what else maps light, or choose \(.stage, "mapped").")
    }
    if space == .display {
      if request.contact != nil { throw .invalid(.exclusive(.contact, .display)) }
      guard stage == .mapped else {
        throw .invalid(
          "display-needs-mapped-stage",
          "\(.outputKind, "display") is what light is mapped to, not \(.stage, stage.rawValue): omit one of the two.")
      }
    } else if let space, !space.isHDR, let kind = request.mapping.chosenKind, kind != .sdr, stage != .output {
      throw .invalid(
        "picture-space-for-sdr",
        "\(space.name) is for SDR, not for \(kind.rawValue): omit \(.outputKind), or choose another \(.space).")
    }
    try refuseIdleFilters()
    let isAsked = request.metadata.masteringDisplay != nil || request.metadata.contentLight != nil
    if isAsked, space?.transfer != .pq, space != nil || request.keepsCodes {
      throw .invalid(.pictureMetadataNeedsPQ)
    }
  }

  private func refuseIdleFilters() throws(Refusal) {
    if request.statistics != nil, request.contact != nil {
      throw .invalid(
        "statistics-of-contact-sheet",
        "\(.statistics) is for frames, not for a contact sheet: omit one of the two.")
    }
    if filters.isEmpty {
      if request.stage == .filtered {
        throw .invalid(
          "filtered-stage-needs-filter",
          "\(.stage, "filtered") is after the filters: add a \(.filter), or omit \(.stage).")
      }
      return
    }
    if let stage = request.stage, [.decoded, .mapped].contains(stage) {
      throw .invalid(
        "stage-before-filters",
        "\(.stage, stage.rawValue) is before the filters: omit it, or choose filtered or output.")
    }
    if stage == .decoded, filters.contains(where: \.needsMapping) {
      throw .invalid(
        "clip-warning-needs-mapping",
        "clip-warning shows what the mapping to a display does, but decoded light is not mapped: add "
          + "\(.outputKind, "sdr"), or choose a \(.space) for SDR.")
    }
  }
}
