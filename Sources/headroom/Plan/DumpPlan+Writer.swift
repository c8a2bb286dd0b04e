internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import ImageFiles

extension DumpPlan {
  /// What the writer of pictures is told.
  func writerSettings(video: VideoStreamInfo) throws -> ImageFileWriter.Settings {
    var settings = ImageFileWriter.Settings(names: names, encoder: try picture.encoder())
    settings.firstNumber = firstNumber
    settings.threads = options.rendering.processing.threadCount
    return settings
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
