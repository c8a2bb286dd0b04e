import ColorScience
import ConstantColorRuns
import Frames
import Sessions
import Synchronization

/// A device in front of a scene: its flash is on for some frames, and what is set shows two frames later.
final class FakeFlash: FlashFrameLight {
  static let size = Size(width: 160, height: 96)

  /// What a frame is taken with.
  private struct Setting: Hashable {
    var exposure = 1.0
    var intensity = 1.0
    var isLit = false
  }

  private struct State {
    var setting = Setting()
    /// Those of the frames to come.
    var pending = [Setting(), Setting()]
    var pictures: [Setting: CodedFrame] = [:]
    var begun: [SIMD2<Double>] = []
  }

  let isDriven: Bool
  private let exposures: ClosedRange<Double>?
  private let intensities: ClosedRange<Double>?
  private let light: @Sendable (_ x: Int, _ y: Int) -> SIMD2<Double>
  private let state = Mutex(State())

  /// - Parameters:
  ///   - exposures: Those that can be set, relative to the first, which is 10 ms.
  ///   - intensities: Those of the flash, relative to the first and greatest.
  ///   - light: Of the room and of the flash at a pixel, where 1 is clipped at the first exposure.
  init(
    exposures: ClosedRange<Double>? = nil, intensities: ClosedRange<Double>? = nil, isDriven: Bool = true,
    light: @escaping @Sendable (_ x: Int, _ y: Int) -> SIMD2<Double>
  ) {
    (self.exposures, self.intensities, self.isDriven, self.light) = (exposures, intensities, isDriven, light)
  }

  /// Factors of exposure and intensity, each time that another pair was begun.
  var begun: [SIMD2<Double>] { state.withLock { $0.begun } }

  var exposure: Exposure? { state.withLock { Exposure(seconds: 0.01 * $0.setting.exposure) } }
  var intensity: Double? { intensities == nil ? nil : state.withLock { $0.setting.intensity } }
  var exposureFactors: ClosedRange<Double>? {
    let now = state.withLock { $0.setting.exposure }
    return exposures.map { $0.lowerBound / now...$0.upperBound / now }
  }
  var flashFactors: ClosedRange<Double>? {
    let now = state.withLock { $0.setting.intensity }
    return intensities.map { $0.lowerBound / now...$0.upperBound / now }
  }

  /// A lamp is switched on by hand at the same time, once.
  func advance(to number: Int) {
    state.withLock { state in
      if number == 12 { state.setting.isLit = true }
      if number == 28 { state.setting.isLit = false }
    }
  }

  func begin(exposure: Double, intensity: Double) -> Bool {
    state.withLock { state in
      state.begun.append(SIMD2(exposure, intensity))
      state.setting.exposure *= exposure
      state.setting.intensity *= intensity
      state.setting.isLit = false
      return true
    }
  }

  /// The next frame, of 25 a second.
  func frame(_ number: Int) -> CodedFrame {
    state.withLock { state in
      state.pending.append(state.setting)
      let setting = state.pending.removeFirst()
      let picture = state.pictures[setting] ?? picture(setting)
      state.pictures[setting] = picture
      return picture.at(FrameTime(presentation: Int64(number), duration: 1, timeBase: Rational(1, 25)))
    }
  }

  private func picture(_ setting: Setting) -> CodedFrame {
    let color = ColorDescription(primaries: .bt709, transfer: .linear, matrix: .rgb, range: .full)
    let picture = CodedFrame(size: Self.size, layout: PixelLayout(.rgb, bitDepth: 12), color: color)
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width {
        let light = light(x, y)
        let sum = (light.x + (setting.isLit ? light.y * setting.intensity : 0)) * setting.exposure
        let code = Int((min(sum, 1) * 4095).rounded())
        for plane in 0..<3 { picture.setSample(code, plane: plane, x: x, y: y) }
      }
    }
    return picture
  }
}
