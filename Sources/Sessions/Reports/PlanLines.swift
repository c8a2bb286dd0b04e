internal import FFmpegIO
internal import Foundation
internal import Frames
internal import ImageFiles
internal import Media
internal import Patterns

extension TranscodePlan {
  public var lines: [String] {
    let origin: String =
      switch selection.origin {
      case .input: "timestamps are kept"
      case .time(let time): "\(time.seconds.words) s of the input becomes zero"
      case .firstFrame: "the first frame is at zero"
      }
    return ["transcode '\(request.input.name)'"]
      + PlanLines.table([
        ("video stream", "#\(videoIndex), \(decoded.words)"), ("interpreted as", source.color.words),
        ("selected", "\(selection.selection.words); \(origin)"), ("mapping", target.summary(from: source)),
        ("code values", codeValues),
        ("filters", request.filters.isEmpty ? nil : request.filters.joined(separator: ", ")),
        ("geometry", geometry.steps), ("burned in", subtitles?.words(on: renderTarget)),
        ("output", PlanLines.output(request.output, request.overwrites)),
      ]) + video.lines
      + PlanLines.table(
        streams.streams.enumerated().map { ("stream \($0)", $1.words) } + [
          ("report", request.report), ("statistics", request.statistics),
        ])
  }
}

extension SubtitlePlan {
  /// Wording for plans and reports.
  package func words(on target: RenderTarget) -> String {
    let white = nits(on: target).map { "white at \($0.words) cd/m²" } ?? "at SDR white"
    guard case .file(let file) = source else { return "\(label), \(white)" }
    return "'\(file.path)' \(label), \(white)"
  }
}

extension PicturePlan {
  public var lines: [String] {
    ["write '\(request.input.name)' as pictures"]
      + PlanLines.table([
        ("decoded", decoded.words), ("interpreted as", source.color.words), ("selected", request.selection.words),
        ("rendered", summary), ("filters", request.filters.isEmpty ? nil : request.filters.joined(separator: ", ")),
        ("geometry", geometry.steps), ("output", PlanLines.output(request.output, request.overwrites)),
        ("contact sheet", request.contact.map { "\($0.columns)x\($0.rows)" }),
        ("mastering display", metadata.masteringDisplay?.integerText), ("MaxCLL", metadata.contentLight?.text),
        ("statistics", request.statistics),
      ])
  }
}

extension ScopesPlan {
  public var lines: [String] {
    let head =
      ["draw scopes of '\(request.input.name)'"]
      + PlanLines.table([
        ("decoded", decoded.words), ("selected", selection.selection.words), ("drawn", summary),
        ("output", PlanLines.output(request.output, request.overwrites)), ("counts", request.data),
      ])
    if case .video(let video) = form { return head + video.lines }
    return head
  }
}

extension PatternPlan {
  public var lines: [String] {
    let head =
      ["make the pattern \(request.pattern)"]
      + PlanLines.table([
        ("made", summary), ("range", "\(signal.range.words), \(signal.bitDepth) bits"),
        ("output", PlanLines.output(request.output, request.overwrites)),
      ])
    switch form {
    case .video(let video): return head + video.lines
    case .pictures(let format, let space, let pixels):
      return head + PlanLines.table([("picture", "\(format.rawValue), \(space.name), \(pixels.words)")])
    }
  }
}

extension VideoPlan {
  package var lines: [String] {
    return PlanLines.table([
      ("container", format ?? (try? MediaWriter.formatName(url: url))),
      ("container options", CodingRequest.Option.text(muxerOptions)), ("encoder", encoding ?? ""),
      ("encoder options", CodingRequest.Option.text(encoderOptions)), ("frames", pixelFormat.words),
      ("frame rate", frameRate.map { "\($0)" }), ("time base", "\(timeBase)"), ("colour", color.words),
      ("mastering display", metadata.masteringDisplay?.integerText), ("MaxCLL", metadata.contentLight?.text),
      ("HDR10+", copiesHDR10Plus ? "copied" : nil),
      ("rotation", displayMatrix.map { "\($0.rotation.rounded().words)°, left to the player" }),
      ("chapters", chapters.isEmpty ? nil : "\(chapters.count)"),
    ])
  }
}

extension StreamPlan.Stream {
  /// Wording for plans and reports.
  package var words: String {
    switch self {
    case .frames: "video"
    case .copied(_, let label): label.text + " copied"
    case .encoded(_, let label, let encoding): label.text + " as " + encoding.words
    }
  }
}

extension StreamEncoding {
  package var words: String {
    let rate = bitRate?.bitRateWords
    return [encoder, mix?.rawValue, rate].compactMap(\.self).joined(separator: ", ")
  }
}

extension FrameSelection {
  package var words: String {
    if isWhole { return "all frames" }
    let parts: [String?] = [
      at.map { "the frame at \($0.words) s" }, start.map { "from \($0.words) s" }, duration.map { "\($0.words) s" },
      range.map { "frames \($0.first) to \($0.last.map(String.init) ?? "the end")" },
      every == 1 ? nil : "1 frame in \(every)",
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension PixelFormat {
  package var words: String { "\(size) \(layout.name ?? "\(layout.bitDepth)-bit \(layout.components.rawValue)")" }
}

package enum PlanLines {
  package static func output(_ name: String?, _ overwrites: Bool) -> String {
    name.map { "'\($0)'" + (overwrites ? ", which may be replaced" : "") } ?? "none"
  }

  /// Returns lines for the entries with values.
  package static func table(_ entries: [(String, String?)]) -> [String] {
    entries.compactMap { name, value in
      value.map { "  " + name.padding(toLength: 19, withPad: " ", startingAt: 0) + $0 }
    }
  }
}

extension CodingRequest.Option {
  /// "k=v:k=v"; nil if empty.
  static func text(_ options: [CodingRequest.Option]) -> String? {
    options.isEmpty ? nil : options.map { "\($0.name)=\($0.value)" }.joined(separator: ":")
  }
}
