internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import Media

/// The difference between a picture of a sequence and the first one.
struct SequenceDifference {
  /// Description for messages, without a full stop.
  let words: String

  /// - Returns: nil without a relevant difference.
  init?(_ frame: CodedFrame, _ video: VideoStreamInfo, _ first: CodedFrame, _ firstVideo: VideoStreamInfo) {
    func text(_ own: String, _ others: String) -> String { "it is \(own), but the first of the sequence is \(others)" }
    if frame.size != first.size {
      words = text("\(frame.size)", "\(first.size)")
    } else if frame.color != first.color {
      words = text("tagged as \(Self.words(frame.color))", Self.words(first.color))
    } else if frame.layout != first.layout {
      words = text(Self.words(frame.layout), Self.words(first.layout))
    } else if frame.metadata.linearUnit != first.metadata.linearUnit {
      words = text("light whose 1.0 is \(Self.unit(frame))", Self.unit(first))
    } else if video.displayMatrix != firstVideo.displayMatrix {
      words = text("to be rotated by \(video.rotation)°", "by \(firstVideo.rotation)°")
    } else {
      return nil
    }
  }

  private static func words(_ color: ColorDescription) -> String {
    "\(color.primaries) \(color.transfer) \(color.matrix) \(color.range == .full ? "full" : "limited") range"
  }

  private static func words(_ layout: PixelLayout) -> String {
    layout.samples == .half ? "light in half floats" : "\(layout.bitDepth)-bit \(layout.components)"
  }

  private static func unit(_ frame: CodedFrame) -> String {
    frame.metadata.linearUnit.map { "\($0) cd/m²" } ?? "not stated"
  }
}
