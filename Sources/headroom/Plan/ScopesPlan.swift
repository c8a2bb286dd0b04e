internal import FFmpegIO
internal import Frames
internal import ImageFiles
internal import Lettering
internal import Rendering
internal import Scopes
internal import ToneMapping

/// What is drawn of an input, and what its pictures become.
struct ScopesPlan {
  /// What the output is.
  enum Form {
    case video(MediaWriter.Settings)
    case pictures(names: FileNames, format: ImageFormat)
  }

  let form: Form
  let source: SourcePlan
  let orientation: Orientation
  let settings: ScopeSettings
  let painter: ScopePainter
  /// What painted pictures become.
  let target: FrameRenderer.Endpoint
  let selection: FrameSelection
  private(set) var notes: [String]

  /// - Throws: `CommandFailure` where the scopes do not fit, or the output cannot hold them, with what would work.
  init(reader: any MediaInput, first: CodedFrame, _ options: ScopesOptions, source input: InputOptions) throws {
    source = try SourcePlan(frame: first, path: reader.info.url, overrides: input.overrides, use: nil)
    notes = source.notes
    let geometry = try GeometryPlan(
      reader.video, path: reader.info.url, bakesRotation: options.bakeRotation, scale: nil)
    orientation = geometry.orientation
    let size = options.size.scaled(by: options.scale)
    guard size.width <= 16_384, size.height <= 16_384, size.width * size.height <= 1 << 26 else {
      throw CommandFailure("A picture of \(size) is too large: choose a smaller --size or --scale.", .usage)
    }
    let layout = try ScopeLayout(kinds: options.scopes.values, size: size, scale: Double(options.scale))
    let plane = options.vectorscope ?? .ictcp
    settings = ScopeSettings(
      kinds: Set(options.scopes.values), plane: plane, columns: layout.columns,
      rowStep: options.rows)
    let content = source.interpretation
    let marks = ScopeMarks(
      sdrWhite: options.sdrWhite, referenceWhite: options.referenceWhite,
      peak: options.peak ?? content.metadata?.contentPeak)
    painter = ScopePainter(
      layout: layout, plane: plane, primaries: content.primaries, marks: marks,
      typeface: try Typeface.usual())
    var selection = FrameSelection(options.selection)
    selection.at = options.at?.seconds
    if let format = options.pictureFormat {
      (form, target) = try Self.pictures(format, size, options)
    } else {
      (form, target) = try Self.video(like: reader.video, size, options)
    }
    if case .pictures(let names, _) = form, !names.hasNumber, !selection.isSingle {
      selection.range = FrameRange(first: selection.range?.first ?? 0, last: selection.range?.first ?? 0)
      if !reader.isStill {
        notes.append("One picture of one frame: --at and --frames choose it, a number in the name takes all.")
      }
    }
    selection.setOrigin(first: first, reader)
    self.selection = selection
  }

  /// What is drawn, in one line.
  var summary: String {
    let names = painter.layout.kinds.map(\.rawValue).joined(separator: ", ")
    return "\(source.color.words) -> \(names), \(painter.layout.size)"
  }
}
