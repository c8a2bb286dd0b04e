internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import ImageFiles
internal import Rendering

extension DumpPlan {
  /// What the writer of pictures is told.
  func writerSettings(first: CodedFrame, video: VideoStreamInfo) throws -> ImageFileWriter.Settings {
    var settings = ImageFileWriter.Settings(names: names, encoder: try picture.encoder())
    settings.firstNumber = firstNumber
    settings.threads = request.rendering.processing.threadCount
    let format = rendering.target?.endpoint.format ?? first.format
    if picture.format == .y4m {
      settings.header = Y4MEncoder.header(
        for: format, rate: video.averageFrameRate ?? video.realFrameRate, sampleAspectRatio: sampleAspectRatio,
        fieldOrder: first.fieldOrder)
    }
    if let raw = RawFormat(rawValue: picture.format.rawValue), let space = picture.space {
      let (size, white) = (format.size, white)
      settings.sidecar = { times in
        RawSidecar(size: size, format: raw, space: space, white: white, times: times).json
      }
    }
    return settings
  }

  /// Luminance in cd/m² of 1.0 in linear samples, or of the largest code; nil for light of a scene.
  private var white: Double? {
    switch picture.space?.transfer {
    case .pq: PQ.peak
    case .hlg: nil
    default: rendering.metadata.linearUnit
    }
  }

  /// What will be done, in one line.
  var summary: String {
    let taken = picture.stage == .decoded ? "as decoded" : "\(picture.stage.rawValue)"
    guard let space = picture.space else { return "\(source.color.words) -> \(picture.format.rawValue), \(taken)" }
    let unit = rendering.metadata.linearUnit
    let white = space.isLinear ? unit.map { ", 1.0 is \($0.words) cd/m²" } ?? ", scene light" : ""
    return "\(source.color.words) -> \(picture.format.rawValue) in \(space.name), \(taken)\(white)"
  }
}
