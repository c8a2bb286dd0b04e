public import ColorScience
public import Frames
public import Lettering

/// Draws pictures of scopes. Everything independent of the counts is drawn once; a frame is a copy of that plus traces.
///
/// Identical counts produce identical bytes.
public final class ScopePainter: Sendable {
  /// Format of the pictures: eight-bit full-range R'G'B' as in sRGB, planes of green, blue and red.
  public static func format(_ size: Size) -> PixelFormat {
    PixelFormat(
      size: size, layout: PixelLayout(.rgb, bitDepth: 8),
      color: ColorDescription(primaries: .bt709, transfer: .sRGB, matrix: .rgb, range: .full))
  }

  /// Positions of the scopes.
  public let layout: ScopeLayout
  private let ground: [[UInt8]]
  private let plots: [any ScopePlot]

  /// Creates a painter and draws everything independent of the counts.
  /// - Parameters:
  ///   - layout: Positions of the scopes.
  ///   - plane: The plane of the vectorscope; must match the counts.
  ///   - primaries: Primaries of the content.
  ///   - marks: Luminances marked on light axes.
  ///   - typeface: Typeface of titles and labels.
  public init(
    layout: ScopeLayout, plane: VectorPlane, primaries: RGBSpace, marks: ScopeMarks, typeface: Typeface
  ) {
    self.layout = layout
    var canvas = ScopeCanvas(size: layout.size, text: ScopeText(typeface: typeface, scale: layout.scale))
    let lines = marks.lines
    let hairline = canvas.hairline
    plots = layout.places.map { place -> any ScopePlot in
      switch place.kind {
      case .waveform, .parade: LevelPlot(place, marks: lines)
      case .histogram: HistogramPlot(place, marks: lines, lineWidth: hairline)
      case .vectorscope:
        VectorPlot(
          place, plane: plane, primaries: primaries, nits: marks.referenceWhite, hairline: hairline)
      case .chromaticity: ChromaticityPlot(place, hairline: hairline)
      }
    }
    for plot in plots { plot.drawGround(on: &canvas) }
    ground = canvas.planes
  }

  /// Draws the scopes of one frame. A scope without counts stays empty.
  /// - Parameters:
  ///   - counts: The counts of one frame, with the settings of the layout.
  ///   - frame: A frame of `layout`'s size in the layout of `format`; every pixel is written.
  public func paint(_ counts: ScopeCounts, into frame: CodedFrame) {
    precondition(frame.size == layout.size && frame.layout == Self.format(layout.size).layout)
    ScopeCanvas.copy(ground, to: frame)
    unsafe TraceTarget.with(frame) { target in
      for plot in plots { unsafe plot.paint(counts, on: target) }
    }
  }
}
