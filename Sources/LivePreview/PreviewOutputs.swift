internal import Capture
internal import ColorScience
internal import Filters
internal import Frames
internal import Glibc
internal import Media
internal import Preview
internal import Rendering
internal import Sessions
internal import StreamPipeline

/// The output of a preview.
enum PreviewOutput {
  /// A screen, which may change size.
  case screen(any PreviewScreen)
  /// A device read by other programs.
  case device(OutputDevice)
  /// No output: frames are rendered and discarded.
  case nothing(DiscardingSink)

  /// - Throws: `Failure` or `Refusal` if the screen or device does not exist.
  init(_ plan: PreviewPlan) throws {
    let size = plan.geometry.orientation.rotated(plan.decoded.size)
    switch plan.request.screen.resolved {
    case .device(let path):
      let device = try OutputDevice(path)
      try device.setUp(size: size, rate: plan.rate, color: plan.target.color)
      self = .device(device)
    case .none:
      let isOfUse = plan.request.screen == .none || plan.request.recording != nil || plan.request.report != nil
      guard isOfUse else {
        throw Refusal.invalid(
          "no-screen",
          "There is neither a display nor a terminal to show pictures on: choose \(.screen, "null"), or record with "
            + "\(.destination, "FILE").")
      }
      self = .nothing(DiscardingSink())
    case .terminal: self = .screen(TerminalScreen())
    case .window, .automatic:
      let aspect = plan.geometry.sampleAspectRatio?.value ?? 1
      let preferred = Size(width: Int((Double(size.width) * aspect).rounded()), height: size.height)
      self = .screen(try WindowScreen(title: plan.request.input.name, preferred: preferred))
    }
  }

  var sink: any FrameSink {
    switch self {
    case .screen(let screen): screen
    case .device(let device): device
    case .nothing(let sink): sink
    }
  }

  /// Releases the output after the last frame.
  func close() {
    switch self {
    case .screen(let screen): screen.close()
    case .device(let device): device.finish()
    case .nothing: break
    }
  }

  var screen: (any PreviewScreen)? { if case .screen(let screen) = self { screen } else { nil } }

  /// Layout of the frames; nil: a suitable one.
  var layout: PixelLayout? {
    switch self {
    case .screen(let screen): screen.layout
    case .device(let device): device.layout
    case .nothing: nil
    }
  }
}

extension PreviewRequest.Screen {
  /// The screen that is actually used.
  var resolved: PreviewRequest.Screen {
    guard self == .automatic else { return self }
    return WindowScreen.isDisplayAvailable ? .window : isatty(STDOUT_FILENO) != 0 ? .terminal : .none
  }
}

extension PreviewRequest {
  /// Pictures are shown on the terminal, where messages would overwrite them.
  package var isShownOnTerminal: Bool { screen.resolved == .terminal }
}

/// Discards frames.
struct DiscardingSink: FrameSink {
  func write(_ frame: CodedFrame) {}
  func pass(_ data: any PassingData) {}
}

/// Render scale for a screen. Used only by the rendering thread.
final class ScreenScale {
  /// Renders at half the width and height.
  var isHalved = false
}

extension PreviewPlan {
  /// Returns the output settings of the preview.
  func settings(_ output: PreviewOutput, _ scale: ScreenScale) throws -> OutputSettings {
    var settings = OutputSettings(
      mapping: request.shownMapping, rendering: request.rendering, filters: try Filter.parsed(request.filters),
      target: { source, size, mapping, filters in
        try target(of: output, source, size, mapping, filters, isHalved: scale.isHalved)
      })
    settings.following = request.following
    settings.isResizable = output.screen != nil
    return settings
  }

  private func target(
    of output: PreviewOutput, _ source: SourcePlan, _ size: Size, _ mapping: MappingRequest, _ filters: [Filter],
    isHalved: Bool
  ) throws -> RenderTarget {
    var plan = try TargetPlan(source, mapping, filters: filters)
    let layout =
      output.layout ?? (plan.color.matrix == .rgb ? PixelLayout(.rgb, bitDepth: 8) : .common(for: plan.color))
    plan.code(as: layout, of: source)
    let picture = geometry.orientation.rotated(size)
    guard let screen = output.screen else {
      let whole = geometry.orientation.rotated(decoded.size)
      return fixed(plan, layout, picture, in: Filter.frameSize(filters, picture: whole), filters)
    }
    let aspect = geometry.sampleAspectRatio?.value ?? 1
    let shown = ScreenFit(picture, aspect: aspect, in: screen.area, filters, isHalved: isHalved).picture
    let format = PixelFormat(size: Filter.frameSize(filters, picture: shown), layout: layout, color: plan.color)
    var target = RenderTarget(
      plan, format, picture: shown, orientation: geometry.orientation, dithers: request.rendering.dithers, limit: nil)
    target.scaledSize = geometry.orientation.rotated(shown)
    return target
  }

  /// Returns the output settings of the recording.
  func recordingSettings() -> OutputSettings {
    OutputSettings(
      mapping: recording.mapping, rendering: request.rendering,
      target: { source, size, mapping, _ in
        var plan = try TargetPlan(source, mapping)
        let video = recording.video
        plan.code(as: video.layout, of: source)
        var target = fixed(plan, video.layout, geometry.orientation.rotated(size), in: video.size, [])
        // The file's tags are already written.
        target.endpoint.format.color = video.color
        return target
      })
  }

  /// Returns settings for frames of a fixed size, whatever the size of the picture.
  private func fixed(
    _ plan: TargetPlan, _ layout: PixelLayout, _ picture: Size, in size: Size, _ filters: [Filter]
  ) -> RenderTarget {
    let format = PixelFormat(size: size, layout: layout, color: plan.color)
    let whole = Filter.frameSize(filters, picture: picture)
    // Without the last column or row of a picture whose chroma would be split.
    let isAlmost = (0...1).contains(whole.width - size.width) && (0...1).contains(whole.height - size.height)
    if whole == size || isAlmost && filters.isEmpty {
      var target = RenderTarget(
        plan, format, picture: whole == size ? picture : size, orientation: geometry.orientation,
        dithers: request.rendering.dithers, limit: plan.limit)
      target.scaledSize = whole == size ? nil : geometry.orientation.rotated(size)
      return target
    }
    let shape = Double(picture.width) / Double(picture.height)
    let height = min(size.height, Int((Double(size.width) / shape).rounded()))
    let fit = Size(
      width: max(min(size.width, Int((Double(height) * shape).rounded())) & ~1, 2), height: max(height & ~1, 2))
    var target = RenderTarget(
      plan, format, picture: fit, orientation: geometry.orientation, dithers: request.rendering.dithers,
      limit: plan.limit)
    (target.picture.x, target.picture.y) = ((size.width - fit.width) / 2 & ~1, (size.height - fit.height) / 2 & ~1)
    target.scaledSize = geometry.orientation.rotated(fit)
    return target
  }
}
