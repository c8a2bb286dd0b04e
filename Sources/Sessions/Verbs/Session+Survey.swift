internal import Frames
internal import Measurement
internal import Media
internal import Rendering

extension Session {
  /// Determines the geometry of an output and the light of the selected frames, reading the input for missing values.
  ///
  /// Light is measured in frames as rendered. Bars are detected in the input's own fields, because deinterlacing
  /// spreads the picture over their edges. Without deinterlacing, one pass determines both.
  /// - Parameters:
  ///   - video: The video stream.
  ///   - open: Opens the input again.
  /// - Throws: `Refusal` for an impossible crop, `Cancellation`, or the error of a library.
  func survey(
    _ request: some PictureReading, _ video: VideoStreamInfo, _ open: () throws -> any MediaInput
  ) throws -> (GeometryPlan, MeasuredLight?) {
    var geometry = try request.geometry(of: video, crop: request.geometry.crop)
    let (looksForBars, measures) = (request.geometry.crop == .automatic, request.metadata.measuresInput)
    guard looksForBars || measures else { return (geometry, try request.metadata.statedLight()) }
    var preparation = geometry.preparation
    preparation.scaling = nil
    let isOnePass = preparation.deinterlacing == nil
    var (content, kept): (ContentLightAccumulator?, PictureArea?)
    if looksForBars {
      let reader = try open()
      var selection = request.selection
      if let mode = preparation.deinterlacing { selection = selection.pictures(of: mode) }
      let light: [Message] = measures && isOnePass ? [.measuringInput(request.input.name)] : []
      let pass = try measure(
        request, selection, reader, PicturePreparation(), light.isEmpty ? [.nearest] : [.nearest, .bilinear],
        black: request.geometry.cropLimit ?? CropRequest.blackSignal,
        for: [.lookingForBars(in: request.input.name)] + light)
      kept = lightArea(pass, request.geometry.cropLimit ?? CropRequest.blackSignal, geometry, video, reader)
      content = pass.content[.bilinear]
      if let kept { geometry = try request.geometry(of: video, crop: .area(geometry.shown(kept, of: video.size))) }
    }
    guard measures else { return (geometry, try request.metadata.statedLight()) }
    if content == nil {
      content = try measure(
        request, request.selection, open(), preparation, [.bilinear],
        for: [.measuringInput(request.input.name)]
      ).content[.bilinear]
    }
    let light = content?.measurement(of: kept, coversFile: request.selection.isWhole)
    return (geometry, light.map { MeasuredLight($0, peak: content?.robustPeak) })
  }

  private func measure(
    _ request: some PictureReading, _ selection: FrameSelection, _ reader: any MediaInput,
    _ preparation: PicturePreparation, _ readings: Set<ChromaUpsampling>, black: Double? = nil,
    for purposes: [Message]
  ) throws -> LightPass {
    try reader.prepare(preparation)
    var measuring = MeasureRequest(input: request.input.name)
    (measuring.input, measuring.selection, measuring.processing) = (request.input, selection, request.processing)
    measuring.peakPercentile = request.metadata.peakPercentile ?? MetadataRequest.defaultPeakPercentile
    guard let pass = try measure(measuring, reader, readings, black: black, for: purposes) else { throw Cancellation() }
    return pass
  }

  /// Minimum size of a detected picture: anything smaller is a logo on black, or a defect.
  private static let smallestCrop = 64

  /// Returns the area of decoded pictures without their bars, and reports it.
  /// - Returns: nil: no crop.
  private func lightArea(
    _ pass: LightPass, _ limit: Double, _ geometry: GeometryPlan, _ video: VideoStreamInfo, _ reader: any MediaInput
  ) -> PictureArea? {
    let light = { PictureArea.blackBarLight(pass.transfer, signal: $0 * limit) }
    guard let lit = pass.content[.nearest]?.pictureArea(light) else {
      note("all-frames-black", "Auto crop: all frames are black, so nothing is cropped.")
      return nil
    }
    let byField =
      geometry.deinterlacing == nil && (geometry.keepsFields(of: video) || reader.statistics.interlacedFrames > 0)
    var multiples = (video.layout ?? .assumed).cropMultiples(byField: byField)
    // Most encoders accept only even sizes.
    multiples = Size(width: max(multiples.width, 2), height: max(multiples.height, 2))
    let area = lit.enlarged(in: video.size, multiples: multiples)
    let hasNone = area == PictureArea(video.size)
    guard !hasNone, min(area.width, area.height) >= Self.smallestCrop else {
      note([hasNone ? .noBars : .litAreaTooSmall])
      return nil
    }
    let size = geometry.orientation.rotated(video.size)
    let shown = geometry.shown(area, of: video.size)
    note("black-bars-cropped", "Auto crop: \(Self.bars(around: shown, of: size)); \(shown) is kept.")
    return area
  }

  /// "bars of 140 rows at the top and 140 at the bottom".
  private static func bars(around area: PictureArea, of size: Size) -> String {
    func side(_ first: Int, _ last: Int, _ unit: String, _ sides: (String, String)) -> String? {
      switch (first, last) {
      case (0, 0): nil
      case (_, 0): "\(first) \(unit) \(sides.0)"
      case (0, _): "\(last) \(unit) \(sides.1)"
      default: "\(first) \(unit) \(sides.0) and \(last) \(sides.1)"
      }
    }
    let found = [
      side(area.y, size.height - area.maxY, "rows", ("at the top", "at the bottom")),
      side(area.x, size.width - area.maxX, "columns", ("on the left", "on the right")),
    ]
    return "bars of " + found.compactMap(\.self).joined(separator: ", and of ")
  }
}

extension Message {
  fileprivate static func lookingForBars(in name: String) -> Message {
    Message("looking-for-black-bars", "looking for black bars in '\(name)' first.")
  }

  fileprivate static let noBars = Message(
    "no-black-bars", "Auto crop: there are no black bars, so nothing is cropped.")

  /// The detected area is too small for a film.
  fileprivate static let litAreaTooSmall = Message(
    "lit-area-too-small",
    "Auto crop: only a small part of the picture is ever lit, so nothing is cropped: give \(.crop, "W:H:X:Y").")

  fileprivate static func measuringInput(_ name: String) -> Message {
    Message("measuring-input", "measuring '\(name)' first.")
  }
}

extension FrameSelection {
  /// Returns the input pictures from which the selected frames are made, and possibly more. A picture has one frame or,
  /// by field, two.
  fileprivate func pictures(of mode: Deinterlacing) -> FrameSelection {
    var selection = self
    selection.range?.first /= mode.framesPerPicture
    if let last = selection.range?.last { selection.range?.last = last / mode.framesPerPicture }
    if mode.framesPerPicture > 1 { selection.every = 1 }
    return selection
  }
}

extension MetadataRequest {
  /// Returns the light of the input from a measurement file; nil: none.
  fileprivate func statedLight() throws -> MeasuredLight? {
    guard case .file(let path) = inputLight else { return nil }
    return MeasuredLight(try ContentMeasurement(jsonFile: path))
  }
}
