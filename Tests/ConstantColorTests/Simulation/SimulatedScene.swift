import Frames

/// A chart of patches of known reflectances on grey, with lights that may vary over it.
struct SimulatedScene: Sendable {
  /// A value for each place of the frame, both coordinates from 0 to 1.
  typealias Field = @Sendable (_ x: Double, _ y: Double) -> Double

  /// A light of the room.
  struct Lamp: Sendable {
    var light: SimulatedLight
    var lux: Double
    var field: Field = { _, _ in 1 }
  }

  let surfaces: [Spectra.Reflectance]
  let columns: Int
  /// Side of a patch, and of the grey between patches, in pixels: its middle has 1024. Patches of a chart that fills a
  /// phone's picture have many more, so that noise matters less there.
  var patch = 40, gap = 4
  /// Between the patches.
  var ground = Spectrum { _ in 0.3 }

  init(_ surfaces: [Spectra.Reflectance], columns: Int? = nil) {
    self.surfaces = surfaces
    self.columns = columns ?? Int(Double(surfaces.count).squareRoot().rounded(.up))
  }

  var rows: Int { (surfaces.count + columns - 1) / columns }
  private var pitch: Int { patch + gap }
  var size: Size { Size(width: columns * pitch + gap, height: rows * pitch + gap) }

  /// The middle of a patch, without its border.
  func area(of index: Int, inset: Int = 4) -> PictureArea {
    PictureArea(
      x: gap + index % columns * pitch, y: gap + index / columns * pitch, width: patch, height: patch
    ).inset(inset, inset)
  }

  /// The patch at a place in pixels; nil: the ground.
  func surface(x: Double, y: Double) -> Int? {
    let (column, row) = ((x - Double(gap)) / Double(pitch), (y - Double(gap)) / Double(pitch))
    guard column >= 0, row >= 0, column < Double(columns), row < Double(rows) else { return nil }
    let side = Double(patch) / Double(pitch)
    guard column - column.rounded(.down) < side, row - row.rounded(.down) < side else { return nil }
    let index = Int(row) * columns + Int(column)
    return index < surfaces.count ? index : nil
  }
}
