internal import ColorScience
internal import Filters
internal import Frames
internal import ImageFiles
internal import Preview
internal import Rendering
internal import Sessions

/// The form that one of the renderer's outputs is rendered in for other devices. Only the rendering thread uses it.
final class RenderedForm {
  /// The form.
  var form: StreamForm
  /// A still instead of frames for an encoder; nil: a stream.
  var still: StillKind?
  /// Browsers show SDR video as if it were sRGB, and a still as its tags say: with these the picture stays the same when it is paused.
  var wantsSRGBTags = false
  /// How the light is mapped, as resolved last.
  private(set) var target: TargetPlan?

  /// A form that is rendered to when somebody wants it.
  init(_ form: StreamForm) { self.form = form }

  private var layout: PixelLayout { still?.layout(form.transfer) ?? form.layout }

  /// How an output is rendered in this form.
  func settings(_ plan: PreviewPlan, _ view: PreviewView) -> OutputSettings {
    var settings = OutputSettings(
      mapping: view.mapping(plan.request.shownMapping, to: form.kind, on: form.display),
      rendering: plan.request.rendering,
      target: { [self] source, size, mapping, filters in try target(plan, source, size, mapping, filters) })
    settings.isResizable = true
    return settings
  }

  private func target(
    _ plan: PreviewPlan, _ source: SourcePlan, _ size: Size, _ mapping: MappingRequest, _ filters: [Filter]
  ) throws -> RenderTarget {
    var target = try TargetPlan(source, mapping, filters: filters)
    // Pixels of a display have no tags, but these are sRGB.
    if form.kind == .display {
      target.color = .bt709
      target.color.transfer = .sRGB
    }
    target.code(as: layout, of: source)
    if still != nil, wantsSRGBTags, form.transfer == .sdr { target.color.transfer = .sRGB }
    self.target = target
    let picture = plan.picture(size, in: form.area, filters, isEven: still == nil)
    var whole = Filter.frameSize(filters, picture: picture)
    if still == nil { whole = whole.even }
    let format = PixelFormat(size: whole, layout: layout, color: target.color)
    var result = RenderTarget(
      target, format, picture: picture, orientation: plan.geometry.orientation,
      dithers: plan.request.rendering.dithers, limit: target.limit)
    result.scaledSize = plan.geometry.orientation.rotated(picture)
    return result
  }
}

extension PreviewPlan {
  /// The size of the picture on another device.
  /// - Parameters:
  ///   - size: Of frames of the source.
  ///   - area: What it may fill, with what filters draw beside it; nil: it keeps its size.
  ///   - isEven: For subsampled chroma.
  func picture(_ size: Size, in area: Size?, _ filters: [Filter], isEven: Bool) -> Size {
    let aspect = geometry.sampleAspectRatio?.value ?? 1
    let rotated = geometry.orientation.rotated(size)
    let own = Size(width: Int((Double(rotated.width) * aspect).rounded()), height: rotated.height)
    let fit =
      area.map { ScreenFit(rotated, aspect: aspect, in: ScreenArea(size: $0), filters, isHalved: false).picture } ?? own
    return isEven ? fit.even : fit
  }
}

extension Size {
  /// With an even width and height, at least 16: encoders take no others.
  var even: Size { Size(width: max(width & ~1, 16), height: max(height & ~1, 16)) }
}
