package import Frames
internal import Lettering

/// The background picture behind the traces. Blends in linear light and clips to the picture.
package struct ScopeCanvas {
  let size: Size
  let text: ScopeText
  /// sRGB code values: planes of green, blue and red, as in frames.
  private(set) var planes: [[UInt8]]

  var scale: Double { text.scale }
  /// Width of a one-point line in whole pixels.
  var hairline: Int { max(Int(scale.rounded()), 1) }

  package init(size: Size, text: ScopeText) {
    self.size = size
    self.text = text
    planes = [ScopeStyle.ground.codes.y, ScopeStyle.ground.codes.z, ScopeStyle.ground.codes.x].map {
      Array(repeating: $0, count: size.width * size.height)
    }
  }

  package mutating func fill(_ area: PictureArea, _ color: ScopeColor, opacity: Double = 1) {
    let area = area.intersection(PictureArea(size))
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX { blend(x, y, color, coverage: opacity) }
    }
  }

  /// The drawing as a frame in `ScopePainter.format`.
  package var frame: CodedFrame {
    let format = ScopePainter.format(size)
    let frame = CodedFrame(size: size, layout: format.layout, color: format.color)
    Self.copy(planes, to: frame)
    return frame
  }

  /// Fills a frame with planes of its size.
  static func copy(_ planes: [[UInt8]], to frame: CodedFrame) {
    let width = frame.size.width
    for (index, plane) in planes.enumerated() {
      unsafe frame.withPlane(index) { target in
        unsafe plane.withUnsafeBytes { source in
          guard let source = source.baseAddress else { return }
          for y in 0..<frame.size.height {
            unsafe target.row(y).copyMemory(from: source + y * width, byteCount: width)
          }
        }
      }
    }
  }

  /// Blends a pixel inside the picture; coverage is 0...1.
  private mutating func blend(_ x: Int, _ y: Int, _ color: ScopeColor, coverage: Double) {
    guard coverage > 0 else { return }
    let place = y * size.width + x
    let codes = SIMD3(color.codes.y, color.codes.z, color.codes.x)
    for plane in 0..<3 {
      guard coverage < 1 else {
        planes[plane][place] = codes[plane]
        continue
      }
      let below = ScopeColor.lights[Int(planes[plane][place])]
      let light = below + (ScopeColor.lights[Int(codes[plane])] - below) * coverage
      planes[plane][place] = ScopeColor.code(light)
    }
  }

  /// Blends pixels with the coverage of `ink`.
  mutating func add(_ ink: ScopeInk, _ color: ScopeColor, opacity: Double = 1) {
    let area = ink.area.intersection(PictureArea(size))
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX { blend(x, y, color, coverage: Double(ink[x, y]) * opacity) }
    }
  }

  /// Alignment of a text relative to its position.
  package enum Alignment { case leading, centre, trailing }

  /// Draws a line of text with capitals vertically centred at `y`, aligned horizontally at `x`.
  package mutating func write(
    _ words: String, x: Double, y: Double, _ alignment: Alignment = .leading,
    points: Double = ScopeStyle.textHeight, color: ScopeColor = ScopeStyle.label
  ) {
    let line = text.line(words, points: points)
    let width = text.width(words, points: points)
    let left =
      switch alignment {
      case .leading: x
      case .centre: x - width / 2
      case .trailing: x - width
      }
    let (column, row) = (Int(left.rounded()), Int((y - text.middle(points: points)).rounded()))
    let columns = max(-column, 0)..<max(min(line.width, size.width - column), max(-column, 0))
    for y in max(-row, 0)..<max(min(line.height, size.height - row), max(-row, 0)) {
      for x in columns {
        blend(column + x, row + y, color, coverage: Double(line.values[y * line.width + x]) / 255)
      }
    }
  }
}
