internal import ColorScience
internal import FFmpegIO
internal import Files
internal import Frames
internal import Media
internal import Rendering
internal import Subtitles

/// Subtitles to burn into the picture.
public struct SubtitlePlan: Sendable, Hashable, Codable {
  /// The file with the subtitles.
  public enum Source: Sendable, Hashable, Codable {
    /// The input itself.
    case input
    /// Another file, as it was at planning time.
    case file(InputFingerprint)
  }

  /// The file with the subtitles.
  public let source: Source
  /// Index of the stream in that file.
  public let index: Int
  /// "#3 subrip (eng)"
  public let label: String
  /// Offset added to their times, in seconds: times in another file start with the film.
  let offset: Double
  /// The picture into which they are drawn.
  let geometry: SubtitleGeometry
  /// Luminance of graphics white in cd/m², for outputs with absolute light.
  public let luminance: Double
  /// Interpretation of Blu-ray palettes; nil: determined from their contents.
  public let palette: SubtitlePalette?

  /// Luminance of graphics white in cd/m². Source: ITU-R BT.2408-7, 2.1.
  static let graphicsWhite = 203.0

  /// - Parameters:
  ///   - transfer: Transfer function of the film.
  ///   - pictureSize: Size of the coded picture.
  /// - Throws: `Refusal` if a player rotates the picture by anything but quarter turns.
  init(
    _ stream: SubtitleStream, _ request: TranscodeRequest, _ geometry: GeometryPlan,
    of transfer: TransferCharacteristics, pictureSize: Size, reader: any MediaInput
  ) throws(Refusal) {
    (source, index, label) = (stream.source, stream.index, stream.label)
    offset = source == .input ? 0 : reader.info.startTime ?? 0
    luminance = request.mapping.referenceWhite ?? Self.graphicsWhite
    palette = request.subtitlePalette ?? (transfer == .pq ? nil : .bt709)
    var turn = Orientation.identity
    if let matrix = geometry.displayMatrix {
      guard let player = matrix.orientation else {
        throw .failed(
          "subtitles-not-upright",
          "'\(request.input.name)' is displayed rotated by \(reader.video.rotation.words)°: subtitles drawn into it "
            + "would not be upright. Leave them beside it, or rotate the picture with another program first.")
      }
      turn = player
    }
    let aspect = geometry.sampleAspectRatio.map(turn.rotated(sampleAspectRatio:))?.value ?? 1
    self.geometry = SubtitleGeometry(
      size: turn.rotated(pictureSize),
      storage: turn.rotated(geometry.orientation.rotated(reader.video.size)),
      pixelAspect: aspect.isFinite && aspect > 0 ? aspect : 1, turn: turn)
  }
}

extension SubtitlePlan {
  /// Size in bytes of an input that takes a while to read.
  private static let longInput = 1 << 30

  /// Returns notes on the subtitles.
  func notes(for target: RenderTarget, _ name: String, _ info: MediaInfo) -> [Message] {
    let white = nits(on: target).map { $0.words + " cd/m²" } ?? "SDR white"
    var notes = [Message("subtitles-burned-in", "Burning in subtitle stream \(label), white at \(white).")]
    if source == .input, let bytes = info.byteCount, bytes >= Self.longInput {
      notes.append(
        Message(
          "subtitles-read-first",
          "Reading all of '\(name)' (\(bytes >> 20) MiB) for its subtitles first; "
            + "extracting them to a file avoids this."))
    }
    return notes
  }

  /// Height of an Ultra HD canvas.
  private static let ultraHeight = 2160
  /// Maximum luminance in cd/m² of subtitles on an HDR film, about as bright as its white. If BT.709 were read as PQ,
  /// white would be the PQ peak, and light grey 500 cd/m².
  private static let brightestSubtitle = 400.0
  /// Maximum light in cd/m² of one primary: of a red or blue with that luminance.
  private static let brightestPrimary = 1000.0

  /// Returns the interpretation of the subtitles' palettes: Ultra HD Blu-ray on an Ultra HD canvas, and also on the
  /// smaller canvas that such discs may have, provided no colour becomes too bright.
  func palette(of track: SubtitleTrack) -> SubtitlePalette {
    guard palette == nil, case .pictures(let pictures) = track.content else { return palette ?? .bt709 }
    if pictures.contains(where: { $0.coding == .sRGB }) { return .bt709 }
    if pictures.contains(where: { $0.canvas?.height ?? 0 >= Self.ultraHeight }) { return .bt2020PQ }
    let scale = SampleScale(bitDepth: 8, range: .narrow)
    let limit = scale.code(fromLuma: PQ.inverseEOTF(Self.brightestSubtitle))
    let colors = pictures.lazy.flatMap(\.parts).flatMap(\.picture.shownColors)
    let isDim = colors.allSatisfy { Int($0.x) <= limit && Self.peak($0, scale) <= Self.brightestPrimary }
    return isDim ? .bt2020PQ : .bt709
  }

  /// Returns the light in cd/m² of the brightest primary of luma, Cb and Cr, read as BT.2020 PQ.
  private static func peak(_ color: SIMD4<UInt8>, _ scale: SampleScale) -> Double {
    let (cb, cr) = (scale.chroma(fromCode: Int(color.y)), scale.chroma(fromCode: Int(color.z)))
    let rgb = YCbCrMatrix.bt2020.rgb(fromYCbCr: SIMD3(scale.luma(fromCode: Int(color.x)), cb, cr))
    return PQ.eotf(min(max(rgb.max(), 0), 1))
  }

  /// Returns the luminance of graphics white in cd/m²; nil if it is the display's white.
  func nits(on target: RenderTarget) -> Double? {
    switch target.endpoint.transfer {
    case .pq: target.limited(luminance)
    case .hlg: luminance
    default: nil
    }
  }
}

/// A subtitle stream named by a request.
package struct SubtitleStream {
  let source: SubtitlePlan.Source
  let index: Int
  let label: String

  /// Index in the input; nil: in another file.
  var inputIndex: Int? { source == .input ? index : nil }

  /// - Parameter name: A file, or an FFmpeg stream specifier of the input, which may begin with its number, "0:".
  /// - Throws: `Refusal` if no subtitles have this name, or the error of a library.
  init(_ name: String, of reader: any MediaInput) throws {
    let (info, indices): (MediaInfo, [Int])
    if Self.isFile(name), let path = MediaName.resolvedPath(name) {
      info = try MediaReader.probe(url: path)
      source = .file(try InputFingerprint(path))
      indices = info.streams.map(\.index)
    } else {
      info = reader.info
      source = .input
      indices = (try? reader.streams(matching: Self.specifier(name))) ?? []
    }
    let subtitles = info.streams.filter { $0.kind == .subtitle }
    guard let stream = subtitles.first(where: { indices.contains($0.index) }) else {
      let available = subtitles.map(\.subtitleLabel).joined(separator: ", ")
      let advice: MessageText = subtitles.isEmpty ? "none: give a file with \(.burnSubtitles)." : "\(available)."
      throw Refusal.invalid(
        "no-such-subtitles", "'\(name)' is neither a file nor subtitles of '\(info.url)', which has \(advice)")
    }
    (index, label) = (stream.index, stream.subtitleLabel)
  }

  /// Returns whether a file with this name exists; otherwise the name denotes a stream.
  package static func isFile(_ name: String) -> Bool { FileStatus(name).map { $0.kind != .folder } ?? false }

  /// Returns the specifier without the number of the input, which is always 0.
  private static func specifier(_ name: String) -> String { name.hasPrefix("0:") ? String(name.dropFirst(2)) : name }
}

extension StreamInfo {
  /// "#3 subrip (eng)"
  fileprivate var subtitleLabel: String {
    let tongue = language.map { $0 == "und" ? "" : " (\($0))" } ?? ""
    return "#\(index) \(codecName)" + tongue + (title.map { " '\($0)'" } ?? "")
  }
}
