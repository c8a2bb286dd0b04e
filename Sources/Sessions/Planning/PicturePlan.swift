internal import ColorScience
internal import Filters
public import Frames
public import ImageFiles
internal import Media
internal import Rendering

/// How to write frames as pictures, resolved against the input before the first frame is rendered.
public struct PicturePlan: Sendable, Hashable, Codable {
  /// The request.
  public let request: PictureRequest
  /// nil for Y4M, which holds coded frames.
  public let space: ImageSpace?
  /// The stage after which frames are taken, filters aside.
  public let stage: PictureRequest.Stage
  /// Format of the decoded frames.
  package let decoded: PixelFormat
  package let inputChecksum: String
  /// How the input is interpreted.
  public private(set) var source: SourcePlan
  /// Scaling and rotation of pictures.
  public let geometry: GeometryPlan
  /// The light of the selected frames, if it was measured first.
  public let measured: MeasuredLight?
  /// Rendering of the first frame.
  private(set) var rendering: PictureForm.Rendering
  private let geometryNotes: [Message]
  /// Warnings to show before the run.
  public private(set) var warnings: [Message] = []

  /// - Throws: `Refusal` if the format cannot hold what is requested.
  init(
    _ request: PictureRequest, reader: any MediaInput, first: CodedFrame, geometry: GeometryPlan,
    measured: MeasuredLight?
  ) throws {
    self.request = request
    self.measured = measured
    self.geometry = geometry
    decoded = first.format
    inputChecksum = try Checksum.of(reader, first)
    let isOne = request.selection.isSingle || reader.isStill || request.contact != nil
    let hasNumber = try FileNames.checked(request.output).hasNumber
    if !hasNumber, !request.format.holdsManyFrames, !isOne {
      let numbered = "frame-%06d.\(request.format.suffixes.first ?? "")"
      throw Refusal.invalid(
        "file-holds-one-picture",
        "'\(request.output)' holds one picture, but more are requested: number the files, as in '\(numbered)', or "
          + "choose one frame with \(.frames) (dump: or \(.at)).")
    }
    let form = try PictureForm(request, color: first.color)
    (space, stage) = (form.space, form.stage)
    source = try SourcePlan(
      frame: first, survey: reader.survey(of: request.selection), name: reader.info.url,
      overrides: request.input.overrides, isStrict: request.input.isStrict,
      use: form.use, measured: measured)
    source.isCropped = geometry.changesAverages
    geometryNotes = geometry.notes(reader)
    rendering = try form.rendering(of: source, first.format, orientation: geometry.orientation)
    if let ratio = geometry.sampleAspectRatio, ratio.value != 1, request.contact == nil,
      ![.y4m, .exr].contains(request.format)
    {
      let text: MessageText =
        "Samples are not square (\(ratio.numerator):\(ratio.denominator)), which \(request.format.rawValue) cannot "
        + "signal: \(.scale) makes them square."
      warnings.append(Message("picture-samples-not-square", text))
    }
    if let matrix = geometry.displayMatrix, request.keepsCodes {
      let text: MessageText =
        "Y4M keeps the codes as they are and is not rotated by \(matrix.rotation.rounded().words)°."
      warnings.append(Message("y4m-not-rotated", text))
    }
    warnings += rendering.warnings
    if request.input.isStrict, let warning = warnings.first { throw Refusal.strict(warning) }
  }

  /// States the measured light of the coded pictures.
  mutating func state(_ light: ContentLight) { rendering.metadata.contentLight = light }

  /// HDR metadata of the pictures.
  public var metadata: HDRMetadata { rendering.metadata }

  /// Notes on the rendering.
  public var notes: [Message] { geometryNotes + rendering.notes }

  /// Returns the settings of the picture writer.
  func writerSettings(first: CodedFrame, video: VideoStreamInfo) throws -> ImageFileWriter.Settings {
    let encoder = request.format.encoder(
      compression: request.compression ?? .zip, isLossless: request.isLossless,
      sampleAspectRatio: geometry.sampleAspectRatio)
    var settings = ImageFileWriter.Settings(names: try FileNames.checked(request.output), encoder: encoder)
    settings.replacesFiles = request.overwrites
    settings.firstNumber = request.firstNumber
    settings.threads = request.processing.threadCount
    var copied = first.format
    (copied.color, copied.layout) = (source.color, copied.layout.planar)
    let format = rendering.target?.endpoint.format ?? copied
    if request.format == .y4m {
      settings.header = Y4MEncoder.header(
        for: format, rate: rate(video), sampleAspectRatio: geometry.sampleAspectRatio, fieldOrder: first.fieldOrder)
    }
    if let raw = RawFormat(rawValue: request.format.rawValue), let space {
      let (size, white) = (format.size, rendering.white)
      settings.sidecar = { times in
        RawSidecar(size: size, format: raw, space: space, white: white, times: times).json
      }
    }
    return settings
  }

  /// Returns the frame rate of the selected frames.
  private func rate(_ video: VideoStreamInfo) -> Rational? {
    video.frameRate.map { rate in
      let (denominator, overflows) = rate.denominator.multipliedReportingOverflow(by: request.selection.every)
      return overflows ? rate : Rational(rate.numerator, denominator)
    }
  }
}

extension ImageFormat {
  /// - Parameters:
  ///   - compression: Compression of OpenEXR.
  ///   - isLossless: AVIF and JPEG XL encode samples losslessly.
  ///   - sampleAspectRatio: Sample aspect ratio, if known.
  ///   - pointScale: Pixels per point of 1/72 inch, which PNG, TIFF, OpenEXR and JPEG XL can state; nil: not stated.
  package func encoder(
    compression: EXRCompression = .zip, isLossless: Bool = false, sampleAspectRatio: Rational? = nil,
    pointScale: Int? = nil
  ) -> any ImageEncoder {
    switch self {
    case .exr:
      EXREncoder(
        compression: compression, pixelAspectRatio: sampleAspectRatio?.value ?? 1, pointScale: pointScale)
    case .png: PNGEncoder(pointScale: pointScale)
    case .tiff: TIFFEncoder(pointScale: pointScale)
    case .y4m: Y4MEncoder()
    case .rgba16Float: RawEncoder(format: .rgba16Float)
    case .bgr10a2: RawEncoder(format: .bgr10a2)
    case .avif: AVIFEncoder(isLossless: isLossless)
    case .jxl: JXLEncoder(distance: isLossless ? 0 : JXLEncoder.defaultDistance, pointScale: pointScale)
    }
  }
}
