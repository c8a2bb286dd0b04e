internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import ImageFiles
internal import Rendering

extension DumpPlan {
  /// What the writer of pictures is told.
  func writerSettings(first: CodedFrame, video: VideoStreamInfo) throws -> ImageFileWriter.Settings {
    var settings = ImageFileWriter.Settings(
      names: request.names, encoder: picture.encoder(sampleAspectRatio: sampleAspectRatio))
    settings.replacesFiles = request.overwrites
    settings.firstNumber = request.firstNumber
    settings.threads = request.rendering.processing.threadCount
    var copied = first.format
    copied.color = source.color
    let format = rendering.target?.endpoint.format ?? copied
    if picture.format == .y4m {
      settings.header = Y4MEncoder.header(
        for: format, rate: rate(video), sampleAspectRatio: sampleAspectRatio,
        fieldOrder: first.fieldOrder)
    }
    if let raw = RawFormat(rawValue: picture.format.rawValue), let space = picture.space {
      let (size, white) = (format.size, rendering.white)
      settings.sidecar = { times in
        RawSidecar(size: size, format: raw, space: space, white: white, times: times).json
      }
    }
    return settings
  }

  /// Frames a second of those that are taken.
  private func rate(_ video: VideoStreamInfo) -> Rational? {
    video.frameRate.map { rate in
      let (denominator, overflows) = rate.denominator.multipliedReportingOverflow(by: request.selection.every)
      return overflows ? rate : Rational(rate.numerator, denominator)
    }
  }

  /// What will be done, in one line.
  var summary: String {
    let filters = request.filters.isEmpty ? "" : " and filtered"
    let taken = (picture.stage == .decoded ? "as decoded" : "\(picture.stage.rawValue)") + filters
    guard let space = picture.space else { return "\(source.color.words) -> \(picture.format.rawValue), \(taken)" }
    let unit = rendering.metadata.linearUnit
    let white = space.isLinear ? unit.map { ", 1.0 is \($0.words) cd/m²" } ?? ", scene light" : ""
    return "\(source.color.words) -> \(picture.format.rawValue) in \(space.name), \(taken)\(white)"
  }
}
