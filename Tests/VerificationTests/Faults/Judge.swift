import ColorScience
import Foundation
import Frames
import Patterns

/// A judge of its own: what two pictures of a pattern differ by, in ΔE ITP, with formulas that it writes itself.
///
/// Source: ITU-R BT.2100-2 (tables 4 and 5, ICtCp), BT.2124-0 (ΔE ITP), BT.1886-0, BT.2020-2 and BT.709-6 (matrices).
struct Judge {
  let drawing: PatternDrawing

  /// The largest ΔE ITP of a patch or of a part of a ramp, as the tags of each picture say.
  func worst(_ clean: CodedFrame, _ faulted: CodedFrame) -> Double {
    max(patches(clean, faulted).max() ?? 0, ramps(clean, faulted).max() ?? 0)
  }

  private func patches(_ clean: CodedFrame, _ faulted: CodedFrame) -> [Double] {
    drawing.patches.compactMap { patch in
      // The middle, away from filters; parts that something lies over are not judged.
      let area = patch.area.inset(patch.area.width / 4, patch.area.height / 4)
      let labels = drawing.labels.map(\.area)
      guard area.width >= 8, area.height >= 8, labels.allSatisfy({ $0.intersection(area).isEmpty }) else { return nil }
      return difference(mean(clean, area), clean.color, mean(faulted, area), faulted.color, clean.layout.bitDepth)
    }
  }

  private func ramps(_ clean: CodedFrame, _ faulted: CodedFrame) -> [Double] {
    drawing.ramps.flatMap { ramp -> [Double] in
      guard ramp.axis == .horizontal, ramp.area.height >= 12 else { return [] }
      let parts = 16
      let length = ramp.area.width / parts
      return (1..<parts - 1).map { part in
        let columns = stride(from: 0, to: length - 1, by: 2).map { column -> Double in
          let area = PictureArea(
            x: ramp.area.x + part * length + column, y: ramp.area.y + ramp.area.height / 4, width: 2,
            height: ramp.area.height / 2)
          return difference(mean(clean, area), clean.color, mean(faulted, area), faulted.color, clean.layout.bitDepth)
        }
        return columns.reduce(0, +) / Double(max(columns.count, 1))
      }
    }
  }

  /// Means of the planes over an area of luma.
  private func mean(_ frame: CodedFrame, _ area: PictureArea) -> SIMD3<Double> {
    var result = SIMD3<Double>.zero
    for plane in 0..<3 {
      let shift = (plane > 0 ? frame.layout.chromaShiftX : 0, plane > 0 ? frame.layout.chromaShiftY : 0)
      var (sum, count) = (0, 0)
      for y in area.y >> shift.1..<max(area.maxY >> shift.1, area.y >> shift.1 + 1) {
        for x in area.x >> shift.0..<max(area.maxX >> shift.0, area.x >> shift.0 + 1) {
          sum += frame.sample(plane: plane, x: x, y: y)
          count += 1
        }
      }
      result[plane] = Double(sum) / Double(max(count, 1))
    }
    return result
  }

  private func difference(
    _ a: SIMD3<Double>, _ aColor: ColorDescription, _ b: SIMD3<Double>, _ bColor: ColorDescription, _ bits: Int
  ) -> Double {
    let (first, second) = (ictcp(a, aColor, bits), ictcp(b, bColor, bits))
    let off = (first - second) * SIMD3(1, 0.5, 1)
    return 720 * (off * off).sum().squareRoot()
  }

  private func ictcp(_ codes: SIMD3<Double>, _ color: ColorDescription, _ bits: Int) -> SIMD3<Double> {
    let unit = pow(2, Double(bits - 8))
    let isFull = color.range == .full
    let most = pow(2, Double(bits)) - 1
    let luma = isFull ? codes.x / most : (codes.x / unit - 16) / 219
    let (cb, cr) = (
      (codes.y - 128 * unit) / (isFull ? most : 224 * unit), (codes.z - 128 * unit) / (isFull ? most : 224 * unit)
    )
    let (kr, kb): (Double, Double) =
      switch color.matrix {
      case .bt709: (0.2126, 0.0722)
      case .smpte170M, .bt470BG: (0.299, 0.114)
      default: (0.2627, 0.0593)
      }
    let red = luma + 2 * (1 - kr) * cr, blue = luma + 2 * (1 - kb) * cb
    let green = (luma - kr * red - kb * blue) / (1 - kr - kb)
    var light = light(SIMD3(red, green, blue), color.transfer)
    if color.primaries == .bt709 {
      light = SIMD3(
        (SIMD3(0.627404, 0.329283, 0.043313) * light).sum(), (SIMD3(0.069097, 0.919540, 0.011362) * light).sum(),
        (SIMD3(0.016391, 0.088013, 0.895595) * light).sum())
    }
    let lms = SIMD3(
      (SIMD3(1688, 2146, 262) * light).sum() / 4096, (SIMD3(683, 2951, 462) * light).sum() / 4096,
      (SIMD3(99, 309, 3688) * light).sum() / 4096)
    let signal = SIMD3(inversePQ(lms.x), inversePQ(lms.y), inversePQ(lms.z))
    return SIMD3(
      (signal.x + signal.y) / 2, (SIMD3(6610, -13613, 7003) * signal).sum() / 4096,
      (SIMD3(17933, -17390, -543) * signal).sum() / 4096)
  }

  /// cd/m².
  private func light(_ signal: SIMD3<Double>, _ transfer: TransferCharacteristics) -> SIMD3<Double> {
    switch transfer {
    case .pq: SIMD3(pq(signal.x), pq(signal.y), pq(signal.z))
    case .hlg: hlg(signal)
    default: 100 * SIMD3(pow(max(signal.x, 0), 2.4), pow(max(signal.y, 0), 2.4), pow(max(signal.z, 0), 2.4))
    }
  }

  private func pq(_ signal: Double) -> Double {
    let power = pow(max(signal, 0), 1 / 78.84375)
    return 10_000 * pow(max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power), 1 / 0.1593017578125)
  }

  private func inversePQ(_ nits: Double) -> Double {
    let power = pow(max(nits, 0) / 10_000, 0.1593017578125)
    return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
  }

  private func hlg(_ signal: SIMD3<Double>) -> SIMD3<Double> {
    func scene(_ value: Double) -> Double {
      let value = max(value, 0)
      return value <= 0.5 ? value * value / 3 : (exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }
    let linear = SIMD3(scene(signal.x), scene(signal.y), scene(signal.z))
    let luminance = (SIMD3(0.2627, 0.6780, 0.0593) * linear).sum()
    return luminance > 0 ? 1000 * pow(luminance, 0.2) * linear : .zero
  }
}
