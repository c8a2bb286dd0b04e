public import Frames
internal import Lettering

/// The appearance of a pattern on a canvas, and the parts of it that are measured.
public struct PatternDrawing: Sendable {
  /// The fill of an area. Positions are relative to the area.
  public enum Content: Sendable {
    /// One R'G'B' signal.
    case flat(SIMD3<Double>)
    /// A signal for each column.
    case columns(@Sendable (_ x: Int) -> SIMD3<Double>)
    /// A signal for each row.
    case rows(@Sendable (_ y: Int) -> SIMD3<Double>)
    /// A signal for each pixel.
    case pixels(@Sendable (_ x: Int, _ y: Int) -> SIMD3<Double>)
  }

  /// A filled area.
  public struct Element: Sendable {
    /// Area in picture pixels.
    public var area: PictureArea
    /// The fill.
    public var content: Content

    /// Creates a filled area.
    public init(_ area: PictureArea, _ content: Content) { (self.area, self.content) = (area, content) }
  }

  /// A measured area of one colour.
  public struct Patch: Sendable, Hashable {
    /// Unique within the pattern: "75% yellow".
    public var name: String
    /// The group in reports: "75% bars".
    public var group: String
    /// Area in picture pixels.
    public var area: PictureArea
    /// R', G', B', nominally 0...1.
    public var signal: SIMD3<Double>

    /// Whether R', G' and B' are equal.
    public var isGray: Bool { signal.x == signal.y && signal.y == signal.z }
  }

  /// A measured area whose signal changes along one axis.
  public struct Ramp: Sendable {
    /// The direction in which a ramp changes.
    public enum Axis: String, Sendable, Hashable {
      /// Along the row, or down the column.
      case horizontal, vertical
    }

    /// Unique within the pattern.
    public var name: String
    /// Area in picture pixels.
    public var area: PictureArea
    /// The direction in which the signal changes.
    public var axis: Axis
    /// Signal by the column or row, relative to the area.
    public var signal: @Sendable (_ position: Int) -> SIMD3<Double>

    /// Length in columns or rows.
    public var length: Int { axis == .horizontal ? area.width : area.height }
  }

  /// An area of fine structure that is compared pixel by pixel.
  public struct Detail: Sendable, Hashable {
    /// The kind of structure.
    public enum Kind: String, Sendable, Hashable {
      /// Colour edges without luma edges: their position shows the chroma siting.
      case chroma
      /// Lines and waves whose contrast must be preserved.
      case luma
    }

    /// Unique within the pattern.
    public var name: String
    /// The kind of structure.
    public var kind: Kind
    /// Area in picture pixels.
    public var area: PictureArea

    /// Creates an area that is compared pixel by pixel.
    public init(_ name: String, kind: Kind, area: PictureArea) {
      self.name = name
      self.kind = kind
      self.area = area
    }
  }

  /// A moving or flashing element that distinguishes frames.
  public struct Mark: Sendable, Hashable {
    /// "flash field".
    public var name: String
    /// Area in this frame, in picture pixels.
    public var area: PictureArea
    /// R', G', B' in this frame.
    public var signal: SIMD3<Double>
    /// R', G', B' of this area in other frames.
    public var other: SIMD3<Double>
  }

  /// A line of text.
  public struct Label: Sendable, Hashable {
    /// Horizontal alignment in the area.
    public enum Alignment: Sendable, Hashable {
      /// Left, centred or right.
      case leading, center, trailing
    }

    /// The text, a single line.
    public var text: String
    /// The bounds of the text, which is scaled down to fit, and omitted if it would be illegible.
    public var area: PictureArea
    /// Alignment in `area`.
    public var alignment = Alignment.center
    /// R', G', B' of the letters.
    public var signal: SIMD3<Double>

    /// Creates a line of text in an area, centred by default.
    public init(_ text: String, area: PictureArea, alignment: Alignment = .center, signal: SIMD3<Double>) {
      (self.text, self.area, self.alignment, self.signal) = (text, area, alignment, signal)
    }
  }

  /// Size in pixels.
  public var size: Size
  /// R', G', B' outside all elements.
  public var background: SIMD3<Double>
  /// Later elements cover earlier ones.
  public var elements: [Element] = []
  /// Drawn over all elements.
  public var labels: [Label] = []
  /// Measured areas of one colour.
  public var patches: [Patch] = []
  /// Measured ramps.
  public var ramps: [Ramp] = []
  /// Measured areas of fine structure.
  public var details: [Detail] = []
  /// Marks of moving patterns.
  public var marks: [Mark] = []
  /// Position of the machine-readable frame number (`FrameCode`).
  public var frameCode: PictureArea?

  /// Creates an empty drawing of the canvas's size.
  public init(_ canvas: PatternCanvas, background: SIMD3<Double> = .zero) {
    size = canvas.size
    self.background = background
  }

  /// Fills an area with one colour, to be measured.
  public mutating func patch(_ name: String, group: String, _ area: PictureArea, _ signal: SIMD3<Double>) {
    elements.append(Element(area, .flat(signal)))
    patches.append(Patch(name: name, group: group, area: area, signal: signal))
  }

  /// Fills an area with one of two colours, depending on the frame.
  public mutating func mark(
    _ name: String, _ area: PictureArea, _ signals: (SIMD3<Double>, else: SIMD3<Double>), isFirst: Bool
  ) {
    let (signal, other) = isFirst ? (signals.0, signals.else) : (signals.else, signals.0)
    elements.append(Element(area, .flat(signal)))
    marks.append(Mark(name: name, area: area, signal: signal, other: other))
  }

  /// Fills an area with a ramp, to be measured.
  public mutating func ramp(
    _ name: String, _ area: PictureArea, _ axis: Ramp.Axis = .horizontal,
    signal: @escaping @Sendable (_ position: Int) -> SIMD3<Double>
  ) {
    elements.append(Element(area, axis == .horizontal ? .columns(signal) : .rows(signal)))
    ramps.append(Ramp(name: name, area: area, axis: axis, signal: signal))
  }
}

/// The rasterized text of a label.
struct PlacedLabel: Sendable {
  /// Minimum height of legible text in pixels; smaller text is omitted.
  static let minimumHeight = 7.0

  /// Size of the coverage; may extend beyond the picture.
  let area: PictureArea
  private let coverage: Coverage
  private let signal: SIMD3<Double>

  /// Rasterizes the text as large as its area allows, in whole pixels; nil if it would be illegible.
  init?(_ label: PatternDrawing.Label, _ typeface: Typeface) {
    let bounds = label.area
    let natural = typeface.width(of: label.text, height: 1)
    guard natural > 0, !bounds.isEmpty else { return nil }
    let tallest = min(Double(bounds.height), Double(bounds.width) / natural, Typeface.heights.upperBound)
    let height = tallest.rounded(.down)
    guard height >= Self.minimumHeight else { return nil }
    coverage = typeface.line(label.text, height: height)
    signal = label.signal
    let room = bounds.width - coverage.width
    let indent =
      switch label.alignment {
      case .leading: 0
      case .center: room / 2
      case .trailing: room
      }
    area = PictureArea(
      x: bounds.x + indent, y: bounds.y + (bounds.height - coverage.height) / 2, width: coverage.width,
      height: coverage.height)
  }

  /// Blends the text over signals, by coverage.
  func paint(row y: Int, into signals: inout [SIMD3<Double>]) {
    guard y >= area.y, y < area.maxY else { return }
    let first = min(max(area.x, 0), signals.count)
    for x in first..<max(min(area.maxX, signals.count), first) {
      let value = coverage.values[(y - area.y) * coverage.width + x - area.x]
      guard value > 0 else { continue }
      let share = Double(value) / 255
      signals[x] = signals[x] * (1 - share) + signal * share
    }
  }
}
