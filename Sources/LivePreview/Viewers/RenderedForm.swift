internal import ColorScience
internal import Filters
internal import Frames
internal import ImageFiles
internal import Preview
internal import Rendering
internal import Sessions

/// The form of one renderer output for other devices. Used only by the rendering thread.
final class RenderedForm {
  /// The form.
  var form: StreamForm
  /// The kind of a still; nil: a stream.
  var still: StillKind?
  /// Browsers treat SDR video as sRGB, but stills by their tags: with sRGB tags the picture does not change on pause.
  var wantsSRGBTags = false
  /// The light mapping as last resolved.
  private(set) var target: TargetPlan?

  /// A form that is rendered on demand.
  init(_ form: StreamForm) { self.form = form }

  private var layout: PixelLayout { still?.layout(form.transfer) ?? form.layout }

  /// Returns the output settings of this form.
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
    // Native display pixels have no tags, but these are sRGB.
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
  /// Returns the size of the picture on another device.
  /// - Parameters:
  ///   - size: Size of source frames.
  ///   - area: Area for the picture and filter drawings beside it; nil: keeps its size.
  ///   - isEven: Even dimensions, for subsampled chroma.
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
  /// The size with even width and height of at least 16, as encoders require.
  var even: Size { Size(width: max(width & ~1, 16), height: max(height & ~1, 16)) }
}
