import ColorScience
import Foundation
import Frames
import Patterns

/// A single fault in the samples or the tags of a picture.
struct InjectedFault: Sendable {
  var name: String
  /// What becomes of a clean frame of a drawing.
  var apply: @Sendable (CodedFrame, PatternDrawing) -> CodedFrame

  init(_ name: String, _ apply: @escaping @Sendable (CodedFrame, PatternDrawing) -> CodedFrame) {
    self.name = name
    self.apply = apply
  }

  /// Every sample by itself, luma and chroma nominally 0...1 and -0.5...0.5.
  static func levels(
    _ name: String, _ change: @escaping @Sendable (_ plane: Int, _ value: Double) -> Double
  ) -> InjectedFault {
    InjectedFault(name) { frame, _ in
      let scale = SampleScale(bitDepth: frame.layout.bitDepth, range: frame.color.range)
      let most = Double(scale.videoCodes.upperBound), least = Double(scale.videoCodes.lowerBound)
      return frame.replacing { plane, x, y in
        let (offset, unit) = plane == 0 ? (scale.lumaOffset, scale.lumaScale) : (scale.chromaOffset, scale.chromaScale)
        let value = (Double(frame.sample(plane: plane, x: x, y: y)) - offset) / unit
        return Int(min(max(change(plane, value) * unit + offset, least), most).rounded())
      }
    }
  }

  /// Codes of ten bit that are added to luma and chroma.
  static func offset(_ luma: Int, _ blue: Int, _ red: Int) -> InjectedFault {
    InjectedFault("offset \(luma) \(blue) \(red)") { frame, _ in
      let most = (1 << frame.layout.bitDepth) - 5
      return frame.replacing { plane, x, y in
        min(max(frame.sample(plane: plane, x: x, y: y) + [luma, blue, red][plane], 4), most)
      }
    }
  }

  static func contrast(_ gain: Double) -> InjectedFault { levels("contrast \(gain)") { $0 == 0 ? gain * $1 : $1 } }
  static func saturation(_ gain: Double) -> InjectedFault { levels("saturation \(gain)") { $0 == 0 ? $1 : gain * $1 } }
  static func gamma(_ power: Double) -> InjectedFault {
    levels("gamma \(power)") { $0 == 0 && $1 > 0 ? pow($1, power) : $1 }
  }
  static func clip(_ level: Double) -> InjectedFault { levels("clip \(level)") { $0 == 0 ? min($1, level) : $1 } }
  static func crush(_ level: Double) -> InjectedFault { levels("crush \(level)") { $0 == 0 ? max($1, level) : $1 } }

  /// Chroma turned by an angle in degrees.
  static func hue(_ degrees: Double) -> InjectedFault {
    InjectedFault("hue \(degrees)°") { frame, _ in
      let middle = Double(1 << (frame.layout.bitDepth - 1))
      let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
      return frame.replacing { plane, x, y in
        guard plane > 0 else { return frame.sample(plane: 0, x: x, y: y) }
        let blue = Double(frame.sample(plane: 1, x: x, y: y)) - middle
        let red = Double(frame.sample(plane: 2, x: x, y: y)) - middle
        return Int(((plane == 1 ? cosine * blue - sine * red : sine * blue + cosine * red) + middle).rounded())
      }
    }
  }

  static let swappedChroma = InjectedFault("Cb and Cr swapped") { frame, _ in
    frame.replacing { plane, x, y in frame.sample(plane: plane == 0 ? 0 : 3 - plane, x: x, y: y) }
  }

  /// Codes without their last bits.
  static func truncation(_ bits: Int) -> InjectedFault {
    InjectedFault("\(bits) bits cut off") { frame, _ in
      frame.replacing { plane, x, y in (frame.sample(plane: plane, x: x, y: y) >> bits) << bits }
    }
  }

  static func tags(_ name: String, _ change: @escaping @Sendable (inout ColorDescription) -> Void) -> InjectedFault {
    InjectedFault(name) { frame, _ in frame.tagged(change) }
  }

  /// Everything a number of pixels of luma to the right.
  static func shift(_ pixels: Int) -> InjectedFault {
    InjectedFault("shifted by \(pixels)") { frame, _ in
      frame.replacing { plane, x, y in
        frame.sample(plane: plane, x: max(x - (plane == 0 ? pixels : pixels / 2), 0), y: y)
      }
    }
  }

  /// A box over a share of one patch, a number of codes off.
  static func box(share: Double, patch: Int, codes: Int) -> InjectedFault {
    InjectedFault("box over \(share) of patch \(patch), \(codes) codes") { frame, drawing in
      let area = drawing.patches[patch % drawing.patches.count].area
      let side = share.squareRoot()
      let width = Int((Double(area.width) * side).rounded(.up)), height = Int((Double(area.height) * side).rounded(.up))
      let box = PictureArea(
        x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width: width, height: height)
      return Self.changed(frame, box, by: codes)
    }
  }

  /// One patch as a whole.
  static func patch(_ index: Int, codes: Int) -> InjectedFault {
    InjectedFault("patch \(index) \(codes) codes off") { frame, drawing in
      Self.changed(frame, drawing.patches[index % drawing.patches.count].area, by: codes)
    }
  }

  private static func changed(_ frame: CodedFrame, _ area: PictureArea, by codes: Int) -> CodedFrame {
    frame.replacing { plane, x, y in
      let sample = frame.sample(plane: plane, x: x, y: y)
      guard plane == 0, area.contains(x: x, y: y) else { return sample }
      return sample + codes > 1000 || sample + codes < 8 ? sample - codes : sample + codes
    }
  }
}
