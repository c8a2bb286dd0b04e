internal import CFFmpeg
package import Frames
internal import Media

extension MediaInfo {
  /// Whether the format is a still picture format: FFmpeg's demuxers of single and of numbered files.
  var isOfPictures: Bool { formatName.hasSuffix("_pipe") || ContainerTraits.of(formatName).family == .pictures }

  /// The description of a single-picture file that FFmpeg does not read.
  /// - Parameters:
  ///   - frame: The picture.
  ///   - orientation: How it is rotated for display.
  ///   - formatName: A short name of the format.
  ///   - codecName: FFmpeg's name of its codec.
  package init(
    still frame: CodedFrame, orientation: Orientation, formatName: String, codecName: String, longName: String,
    url: String
  ) {
    let stream = StreamInfo(
      index: 0, kind: .video, codecName: codecName, dispositions: ["default"],
      timeBase: frame.time.timeBase, startTime: 0, frameCount: 1, sideData: [],
      video: VideoStreamInfo(still: frame, orientation: orientation))
    self.init(
      url: url, formatName: formatName, formatLongName: longName,
      byteCount: Location(url, standardStream: "pipe:0").byteCount, tags: [:], chapters: [], streams: [stream])
  }
}

extension VideoStreamInfo {
  /// FFmpeg's frame rate for stills.
  private static let stillRate = Rational(25, 1)

  /// Stream information from a picture.
  package init(still frame: CodedFrame, orientation: Orientation = .identity) {
    let color = frame.color
    self.init(
      index: 0, size: frame.size, pixelFormatName: frame.layout.words, layout: frame.layout,
      bitDepth: frame.layout.bitDepth,
      color: ColorTags(
        primaries: color.primaries, transfer: color.transfer, matrix: color.matrix, range: color.range,
        chromaLocation: color.chromaLocation),
      primariesName: unsafe text(av_color_primaries_name(color.avPrimaries)),
      transferName: unsafe text(av_color_transfer_name(color.avTransfer)),
      matrixName: unsafe text(av_color_space_name(color.avMatrix)),
      rangeName: unsafe text(av_color_range_name(color.avRange)), averageFrameRate: Self.stillRate,
      realFrameRate: Self.stillRate, timeBase: frame.time.timeBase,
      displayMatrix: orientation == .identity ? nil : DisplayMatrix(orientation), projection: [],
      metadata: frame.metadata)
  }
}
