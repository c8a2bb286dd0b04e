public import ColorScience

/// The meaning of a `SceneImage`'s samples, and how they were captured.
public struct SceneDescription: Sendable, Hashable {
  /// The meaning of R, G and B.
  public enum Components: Sendable, Hashable {
    /// Linear R, G and B of a colour space.
    case rgb(RGBSpace)
    /// The linear response of a camera's sensor, without white balance.
    /// - Parameters:
    ///   - name: Maker and model.
    ///   - toXYZ: The matrix from the camera's R, G, B to CIE XYZ that its maker or its raw files state, for light in
    ///     which equal XYZ and camera components of white are not implied; nil: none.
    case camera(name: String, toXYZ: Matrix3?)
  }

  /// The meaning of R, G and B.
  public var components: Components
  /// The value at which each channel saturates; nil: unknown, as in files of floating-point samples.
  public var saturation: SIMD3<Float>?
  /// The step of the samples' quantization near saturation, in their unit; 0 if they are floating-point.
  public var quantum: Float
  /// Exposure, as far as the file states it.
  public var exposure: Exposure?
  /// Noise, if the file states it.
  public var noise: NoiseModel?
  /// The share of pixels with a measured sample, by channel: 1, or less behind a colour filter array, whose other
  /// samples are interpolated.
  public var sampleDensity = SIMD3<Double>(repeating: 1)

  /// Only the components are known by default.
  public init(
    components: Components, saturation: SIMD3<Float>? = nil, quantum: Float = 0, exposure: Exposure? = nil,
    noise: NoiseModel? = nil
  ) {
    self.components = components
    self.saturation = saturation
    self.quantum = quantum
    self.exposure = exposure
    self.noise = noise
  }
}

/// The exposure of a picture; nil where the file does not state it.
public struct Exposure: Sendable, Hashable, Codable {
  /// Exposure time in seconds.
  public var seconds: Double?
  /// F-number of the lens.
  public var fNumber: Double?
  /// Sensitivity (ISO speed).
  public var sensitivity: Double?
  /// Whether the flash fired.
  public var flashFired: Bool?

  /// Nothing is known by default.
  public init(
    seconds: Double? = nil, fNumber: Double? = nil, sensitivity: Double? = nil, flashFired: Bool? = nil
  ) {
    self.seconds = seconds
    self.fNumber = fNumber
    self.sensitivity = sensitivity
    self.flashFired = flashFired
  }

  /// How many times as bright this exposure makes the same scene as another.
  ///
  /// An aperture or a gain that is not stated by both is assumed to be equal.
  /// - Returns: nil unless both state their exposure time.
  /// Source: ISO 12232:2019: a signal is proportional to t · S / N².
  public func ratio(to other: Exposure) -> Double? {
    func quotient(_ path: KeyPath<Exposure, Double?>) -> Double? {
      guard let own = self[keyPath: path], let others = other[keyPath: path], own > 0, others > 0 else { return nil }
      return own / others
    }
    guard let time = quotient(\.seconds) else { return nil }
    let (lens, gain) = (quotient(\.fNumber) ?? 1, quotient(\.sensitivity) ?? 1)
    return time * gain / (lens * lens)
  }
}

/// Noise of a linear sensor: the variance of a sample grows linearly with the sample.
public struct NoiseModel: Sendable, Hashable, Codable {
  /// Variance for each unit of signal, by channel (shot noise), in the unit of the samples.
  public var shot: SIMD3<Double>
  /// Variance without signal, by channel (read noise), in the square of that unit.
  public var read: SIMD3<Double>

  /// Both at least 0.
  public init(shot: SIMD3<Double>, read: SIMD3<Double>) {
    self.shot = shot
    self.read = read
  }

  /// Variances of the channels of a pixel.
  public func variance(of sample: SIMD3<Double>) -> SIMD3<Double> {
    shot * sample.replacing(with: 0, where: sample .< 0) + read
  }
}
