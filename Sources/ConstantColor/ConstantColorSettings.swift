public import ColorScience
public import Frames
internal import Glibc

/// Settings for computing a constant-colour picture from a pair.
public struct ConstantColorSettings: Sendable, Hashable {
  /// Exposure of the ambient picture divided by that of the flash picture; nil: from the pictures' metadata, else 1.
  public var exposureRatio: Double?
  /// The colour of the flash.
  public var flash: FlashLight
  /// Linear colour space of the result; its white is D65.
  public var space: RGBSpace
  /// Whether movement between the pictures is detected and compensated for.
  public var registers: Bool
  /// Areas of interest to measure.
  public var regions: [PictureArea]

  /// Creates settings; by default, the flash has 5500 K and the result BT.709 primaries.
  public init(
    exposureRatio: Double? = nil, flash: FlashLight = .temperature(5500), space: RGBSpace = .bt709,
    registers: Bool = true, regions: [PictureArea] = []
  ) {
    self.exposureRatio = exposureRatio
    self.flash = flash
    self.space = space
    self.registers = registers
    self.regions = regions
  }
}

/// The known colour of the flash and the camera.
public enum FlashLight: Sendable, Hashable {
  /// Correlated colour temperature of the flash in kelvins: on the daylight locus from 4000 K, on the Planckian locus
  /// below.
  case temperature(Double)
  /// R, G and B of a neutral surface in the light of the flash alone, in any unit.
  case neutral(SIMD3<Double>)
  /// A calibration of the camera and the flash.
  case calibrated(ColorCalibration)
}

/// Converts a picture's components in the light of the flash to colour in D65.
package struct FlashTransform: Sendable {
  /// From components to CIE XYZ in D65, except for the scale.
  package var toXYZ: Matrix3
  /// R, G and B of a neutral surface in the light of the flash; their mean is 1.
  package var white: SIMD3<Double>
  /// Relative light of the flash over the frame.
  package var falloff: FlatField?

  /// - Throws: `ConstantColorError.unknownColor`, or `.calibration` if it is for other components.
  package init(_ light: FlashLight, _ components: SceneDescription.Components) throws(ConstantColorError) {
    switch light {
    case .calibrated(let calibration):
      guard calibration.components == components.name else {
        throw .calibration(of: calibration.components, picture: components.name)
      }
      self.init(toXYZ: calibration.toXYZ, white: calibration.white, falloff: calibration.falloff)
    case .neutral(let neutral):
      // Without a matrix, balanced components are treated as BT.709: hues are approximate.
      guard let matrix = components.toXYZ else {
        let balance = Matrix3(diagonal: neutral.sum() / (3 * neutral))
        self.init(toXYZ: RGBSpace.bt709.rgbToXYZ * balance, white: neutral)
        return
      }
      self.init(adapting: matrix, neutral: neutral)
    case .temperature(let kelvins):
      guard let matrix = components.toXYZ else { throw .unknownColor(camera: components.name) }
      let light = Chromaticity.illuminant(kelvins: kelvins)
      self.init(adapting: matrix, neutral: matrix.inverse * light.unitLuminance)
    }
  }

  private init(toXYZ: Matrix3, white: SIMD3<Double>, falloff: FlatField? = nil) {
    self.toXYZ = toXYZ
    // Light outside the gamut has a negative component, which is useless as a balance.
    let white = white.replacing(with: 0.02 * white.max(), where: white .< 0.02 * white.max())
    self.white = 3 * white / white.sum()
    self.falloff = falloff
  }

  /// Adapts the neutral of the flash light to D65 with the Bradford transform.
  private init(adapting matrix: Matrix3, neutral: SIMD3<Double>) {
    let xyz = matrix * neutral
    let source = Chromaticity(x: xyz.x / xyz.sum(), y: xyz.y / xyz.sum())
    let adaptation = RGBSpace.adaptation(from: source, to: RGBSpace.bt709.white)
    self.init(toXYZ: adaptation * matrix, white: neutral)
  }
}

extension SceneDescription.Components {
  /// The camera, or the colour space named by its primaries.
  package var name: String {
    switch self {
    case .camera(let name, _): name
    case .rgb(let space):
      switch ColorPrimaries(space) {
      case .some(let primaries): "\(primaries)"
      case nil: "rgb(\(space.red), \(space.green), \(space.blue), \(space.white))"
      }
    }
  }

  /// To CIE XYZ; nil: unknown.
  var toXYZ: Matrix3? {
    switch self {
    case .camera(_, let matrix): matrix
    case .rgb(let space): space.rgbToXYZ
    }
  }
}

extension Chromaticity {
  /// Returns the chromaticity of a light source by its correlated colour temperature: daylight from 4000 K, a Planckian
  /// radiator below.
  /// - Parameter kelvins: Clipped to 1667...25,000.
  /// Source: CIE 015:2018, 4.1.2, for daylight; Kim et al. (2002), US patent 7024034, for the Planckian locus.
  package static func illuminant(kelvins: Double) -> Chromaticity {
    let t = 1000 / min(max(kelvins, 1667), 25_000)
    if kelvins >= 4000 {
      let x =
        kelvins <= 7000
        ? ((-4.6070 * t + 2.9678) * t + 0.09911) * t + 0.244063 : ((-2.0064 * t + 1.9018) * t + 0.24748) * t + 0.237040
      return Chromaticity(x: x, y: (-3 * x + 2.87) * x - 0.275)
    }
    let x = ((-0.2661239 * t - 0.2343589) * t + 0.8776956) * t + 0.179910
    let y =
      kelvins < 2222
      ? ((-1.1063814 * x - 1.34811020) * x + 2.18555832) * x - 0.20219683
      : ((-0.9549476 * x - 1.37418593) * x + 2.09137015) * x - 0.16748867
    return Chromaticity(x: x, y: y)
  }
}
