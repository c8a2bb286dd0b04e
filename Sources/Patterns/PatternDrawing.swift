public import Frames

/// What a pattern looks like on a canvas, and what of it is measured.
public struct PatternDrawing: Sendable {
  /// What an area is filled with. Positions are relative to the area.
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

  /// An area and what it is filled with.
  public struct Element: Sendable {
    public var area: PictureArea
    public var content: Content

    public init(_ area: PictureArea, _ content: Content) {
      self.area = area
      self.content = content
    }
  }

  /// An area of one colour that is measured.
  public struct Patch: Sendable, Hashable {
    /// Distinct within the pattern: "75% yellow".
    public var name: String
    /// What it belongs to, for reports: "75% bars".
    public var group: String
    public var area: PictureArea
    /// R', G', B', nominally 0...1.
    public var signal: SIMD3<Double>

    public init(_ name: String, group: String, area: PictureArea, signal: SIMD3<Double>) {
      self.name = name
      self.group = group
      self.area = area
      self.signal = signal
    }

    /// R', G' and B' are the same.
    public var isGray: Bool { signal.x == signal.y && signal.y == signal.z }
  }

  /// An area whose signal changes along one axis and is measured along it.
  public struct Ramp: Sendable {
    public enum Axis: String, Sendable, Hashable {
      case horizontal, vertical
    }

    /// Distinct within the pattern.
    public var name: String
    public var area: PictureArea
    public var axis: Axis
    /// Signal by the column or row, relative to the area.
    public var signal: @Sendable (_ position: Int) -> SIMD3<Double>

    public init(
      _ name: String, area: PictureArea, axis: Axis, signal: @escaping @Sendable (_ position: Int) -> SIMD3<Double>
    ) {
      self.name = name
      self.area = area
      self.axis = axis
      self.signal = signal
    }

    /// Columns or rows.
    public var length: Int { axis == .horizontal ? area.width : area.height }
  }

  /// An area of fine structure that is compared pixel by pixel with what it should be.
  public struct Detail: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
      /// Edges of colour without edges of luma: where they lie is where chroma is.
      case chroma
      /// Lines and waves whose contrast must survive.
      case luma
    }

    public var name: String
    public var kind: Kind
    public var area: PictureArea

    public init(_ name: String, kind: Kind, area: PictureArea) {
      self.name = name
      self.kind = kind
      self.area = area
    }
  }

  /// Something that moves or flashes: where it is tells one frame from another.
  public struct Mark: Sendable, Hashable {
    /// "flash field".
    public var name: String
    public var area: PictureArea
    /// R', G', B' in this frame, and in others.
    public var signal: SIMD3<Double>
    public var other: SIMD3<Double>

    public init(_ name: String, area: PictureArea, signal: SIMD3<Double>, other: SIMD3<Double>) {
      self.name = name
      self.area = area
      self.signal = signal
      self.other = other
    }
  }

  /// Writing.
  public struct Label: Sendable, Hashable {
    public enum Alignment: Sendable, Hashable {
      case leading, center, trailing
    }

    public var text: String
    /// What the writing must fit into; it is made smaller where it does not, and left out where it cannot be read.
    public var area: PictureArea
    public var alignment: Alignment
    public var signal: SIMD3<Double>

    public init(_ text: String, area: PictureArea, alignment: Alignment = .center, signal: SIMD3<Double>) {
      self.text = text
      self.area = area
      self.alignment = alignment
      self.signal = signal
    }
  }

  public var size: Size
  public var background: SIMD3<Double>
  /// Later ones lie over earlier ones.
  public var elements: [Element] = []
  /// Over all elements.
  public var labels: [Label] = []
  public var patches: [Patch] = []
  public var ramps: [Ramp] = []
  public var details: [Detail] = []
  /// Of moving patterns.
  public var marks: [Mark] = []
  /// Where the number of the frame is written for machines (`FrameCode`).
  public var frameCode: PictureArea?

  public init(_ canvas: PatternCanvas, background: SIMD3<Double> = .zero) {
    size = canvas.size
    self.background = background
  }

  /// Fills an area with one colour that is measured.
  public mutating func patch(_ name: String, group: String, _ area: PictureArea, _ signal: SIMD3<Double>) {
    elements.append(Element(area, .flat(signal)))
    patches.append(Patch(name, group: group, area: area, signal: signal))
  }

  /// Fills an area with one of two colours, by the frame.
  public mutating func mark(
    _ name: String, _ area: PictureArea, _ signals: (SIMD3<Double>, else: SIMD3<Double>), isFirst: Bool
  ) {
    let (signal, other) = isFirst ? (signals.0, signals.else) : (signals.else, signals.0)
    elements.append(Element(area, .flat(signal)))
    marks.append(Mark(name, area: area, signal: signal, other: other))
  }

  /// Fills an area with a ramp that is measured.
  public mutating func ramp(
    _ name: String, _ area: PictureArea, _ axis: Ramp.Axis = .horizontal,
    signal: @escaping @Sendable (_ position: Int) -> SIMD3<Double>
  ) {
    elements.append(Element(area, axis == .horizontal ? .columns(signal) : .rows(signal)))
    ramps.append(Ramp(name, area: area, axis: axis, signal: signal))
  }
}
