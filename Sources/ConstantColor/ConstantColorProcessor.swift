internal import ColorScience
public import Frames
public import Rendering

/// Computes the picture that the flash alone would produce in the dark, from a pair with and without the flash.
///
/// The difference of two linear pictures is the light of the flash: any ambient light cancels.
/// Source: DiCarlo, Xiao, Wandell (2001), "Illuminating illumination"; Petschnigg et al. (2004), "Digital photography
/// with flash and no-flash image pairs", 5.
public struct ConstantColorProcessor: Sendable {
  /// The settings of the computation.
  public let settings: ConstantColorSettings
  private let pool: WorkerPool

  /// - Parameters:
  ///   - settings: The settings of the computation.
  ///   - pool: Worker threads; the result does not depend on their number.
  public init(_ settings: ConstantColorSettings = ConstantColorSettings(), pool: WorkerPool) {
    self.settings = settings
    self.pool = pool
  }

  /// Whether two pictures are a valid pair: same size and same components.
  public static func isConstantColorSupported(ambient: SceneImage, flash: SceneImage) -> Bool {
    ambient.size == flash.size && ambient.description.components == flash.description.components
  }

  /// Computes the picture.
  ///
  /// The ambient picture is released once it is aligned, unless the caller keeps it.
  /// - Parameters:
  ///   - ambient: The picture without the flash.
  ///   - flash: The picture with the flash.
  /// - Throws: `ConstantColorError`
  public func process(
    ambient: consuming SceneImage, flash: SceneImage
  ) throws(ConstantColorError) -> ConstantColorResult {
    // The unaligned picture is released after alignment.
    var ambient = consume ambient
    try check(ambient, flash)
    let transform = try FlashTransform(settings.flash, flash.description.components)
    let (ratio, source) = try exposureRatio(ambient, flash)
    let (flashNoise, ambientNoise) = (Self.noise(of: flash), Self.noise(of: ambient))
    let registration = Registration(
      of: flash, in: ambient, exposureRatio: ratio, isSearched: settings.registers, pool: pool)
    ambient = registration.resampled(ambient, pool: pool)
    let pair = LinearPair(
      flash: flash, ambient: ambient, gain: 1 / ratio, flashNoise: flashNoise, ambientNoise: ambientNoise)
    return try compose(pair, transform, registration, ratio, source)
  }

  private func compose(
    _ pair: LinearPair, _ transform: FlashTransform, _ registration: Registration, _ ratio: Double,
    _ source: ConstantColorResult.ExposureSource
  ) throws(ConstantColorError) -> ConstantColorResult {
    let blocks = PairBlocks(pair, pool: pool)
    if pair.isSwapped(blocks, white: transform.white) { throw .swapped(exposureRatio: ratio) }
    if let factor = pair.commonFactor(blocks) { throw .sameLight(factor: factor) }
    let confidence = BlockConfidence(blocks, pair, transform, mismatch: registration.mismatch)
    let calibrated = ReferenceWhite.calibrated(settings.flash, exposure: pair.flash.description.exposure)
    let scale = calibrated ?? ReferenceWhite.automatic(blocks, gain: pair.gain, transform)
    let picture = DarkRoomPicture(
      pair: pair, blocks: blocks, confidence: confidence.map,
      filling: FlashFilling(blocks, gain: pair.gain, confidence: confidence.map, white: transform.white),
      transform: transform,
      matrix: Matrix3(diagonal: SIMD3(repeating: scale)) * settings.space.rgbToXYZ.inverse * transform.toXYZ)
    let image = SceneImage(size: pair.size, description: SceneDescription(components: .rgb(settings.space)))
    let map = picture.compose(into: image, pool: pool)
    let measurement = RegionMeasurement(pair: pair, transform: transform, scale: scale)
    return ConstantColorResult(
      image: image, confidenceMap: map, constantColorCenterWeightedMeanConfidenceLevel: map.centerWeightedMean,
      exposureRatio: ratio, exposureSource: source, movement: registration.movement,
      regions: settings.regions.map { measurement.color(of: $0, confidence: map) }, scale: scale,
      hasAbsoluteScale: calibrated != nil)
  }

  private static func noise(of image: SceneImage) -> NoiseModel {
    image.description.noise ?? NoiseModel(estimating: image)
  }

  /// Plausible exposure ratios of two pictures of a scene; ratios outside indicate bad metadata.
  private static let exposureRatios = 1e-6...1e6

  private func check(_ ambient: SceneImage, _ flash: SceneImage) throws(ConstantColorError) {
    guard ambient.size == flash.size else { throw .sizes(ambient: ambient.size, flash: flash.size) }
    guard ambient.description.components == flash.description.components else { throw .components }
    for region in settings.regions where !region.isInside(flash.size) { throw .region(region, picture: flash.size) }
  }

  /// Returns the exposure ratio of the ambient to the flash picture, and its source.
  private func exposureRatio(
    _ ambient: SceneImage, _ flash: SceneImage
  ) throws(ConstantColorError) -> (Double, ConstantColorResult.ExposureSource) {
    if let stated = settings.exposureRatio {
      guard stated.isFinite, stated > 0 else { throw .exposureRatio(stated) }
      return (stated, .stated)
    }
    if let own = ambient.description.exposure, let other = flash.description.exposure, let ratio = own.ratio(to: other),
      Self.exposureRatios.contains(ratio)
    {
      return (ratio, .pictures)
    }
    return (1, .assumedEqual)
  }
}

extension LinearPair {
  /// Whether the flash picture is darker than the ambient one nearly everywhere.
  fileprivate func isSwapped(_ blocks: PairBlocks, white: SIMD3<Double>) -> Bool {
    var (brighter, darker, whole) = (0.0, 0.0, 0.0)
    for index in blocks.saturation.values.indices {
      let light = (blocks.flash.color(at: index) / white).sum()
      let room = gain * (blocks.ambient.color(at: index) / white).sum()
      guard light.isFinite, room.isFinite else { continue }
      brighter += max(light - room, 0)
      darker += max(room - light, 0)
      whole += room
    }
    // Flicker and noise darken a pair without a flash slightly in places.
    return darker > 4 * brighter && darker > 0.05 * whole
  }

  /// Cells along each axis in which the two pictures are compared.
  private static let cells = 8
  /// Flash light has a colour and falls off with distance, so factors spread more than this.
  private static let largestSpread = 0.02
  /// Below this factor a flash is weak, which lowers confidence.
  private static let minimumFactor = 1.05
  private static let saturation: Float = 0.95
  /// Cells darker than this share of the brightest are not compared.
  private static let minimumLight = 0.02

  /// Returns the factor by which the flash picture is brighter in every part and every component.
  /// - Returns: nil if it differs between parts or components, as with a flash, or is about 1.
  fileprivate func commonFactor(_ blocks: PairBlocks) -> Double? {
    let size = blocks.saturation.size
    var flash = [Double](repeating: 0, count: 3 * Self.cells * Self.cells)
    var room = flash
    for y in 0..<size.height {
      for x in 0..<size.width {
        let index = y * size.width + x
        guard blocks.saturation.values[index] < Self.saturation else { continue }
        let cell = y * Self.cells / size.height * Self.cells + x * Self.cells / size.width
        let (lit, dark) = (blocks.flash.color(at: index), blocks.ambient.color(at: index))
        for channel in 0..<3 {
          flash[3 * cell + channel] += lit[channel]
          room[3 * cell + channel] += gain * dark[channel]
        }
      }
    }
    let minimum = Self.minimumLight * (room.max() ?? 0)
    let factors = zip(flash, room).filter { $1 > minimum }.map { $0 / $1 }.filter(\.isFinite)
    let mean = factors.reduce(0, +) / Double(max(factors.count, 1))
    guard factors.count > Self.cells, mean > Self.minimumFactor,
      factors.allSatisfy({ ($0 / mean - 1).magnitude < Self.largestSpread })
    else { return nil }
    return mean
  }
}

/// The two aligned pictures, in the unit of the flash picture.
struct LinearPair: Sendable {
  /// The picture with the flash.
  var flash: SceneImage
  /// The picture without the flash, aligned to the flash picture.
  var ambient: SceneImage
  /// Factor of the ambient samples: exposure of the flash picture over exposure of the ambient picture.
  var gain: Double
  /// Noise of the flash picture.
  var flashNoise: NoiseModel
  /// Noise of the ambient picture, before the gain.
  var ambientNoise: NoiseModel

  /// Relative uncertainty of the exposure ratio, from the repeatability of shutter and aperture: a hundredth of the
  /// ambient light.
  static let exposureTolerance = 0.01

  var size: Size { flash.size }

  /// Returns the variance of a sample of the difference, by channel.
  func variance(flash: SIMD3<Double>, ambient: SIMD3<Double>) -> SIMD3<Double> {
    flashNoise.variance(of: flash) + gain * gain * ambientNoise.variance(of: ambient)
  }
}

/// The factor that makes light relative to a white surface.
enum ReferenceWhite {
  /// Rendered level of the brightest hundredth of the picture, if the level of white is unknown.
  private static let bright = 0.8
  private static let share = 0.01

  /// Returns the factor that brings the brightest hundredth of the picture to 0.8 of white.
  ///
  /// It depends only on the light of the flash, so ambient light has no influence.
  static func automatic(_ blocks: PairBlocks, gain: Double, _ transform: FlashTransform) -> Double {
    let weights = transform.toXYZ.row1
    let luminance = CellGrid(meanOver: blocks.saturation.size) { index in
      var sum = 0.0
      for channel in 0..<3 {
        let light = Double(blocks.flash[channel].values[index]) - gain * Double(blocks.ambient[channel].values[index])
        sum += weights[channel] * light
      }
      return SIMD8(lowHalf: SIMD4(sum, 0, 0, 0), highHalf: .zero)
    }
    let sorted = luminance.values.map { $0[0] }.filter(\.isFinite).sorted(by: >)
    guard !sorted.isEmpty else { return 1 }
    let light = sorted[Int(Double(sorted.count) * share)]
    return light > 0 ? bright / light : 1
  }

  /// Returns the factor of a calibration: white as for the chart, adjusted to the exposure of this picture.
  /// - Returns: nil if an exposure is unknown.
  static func calibrated(_ light: FlashLight, exposure: Exposure?) -> Double? {
    guard case .calibrated(let calibration) = light, let made = calibration.exposure, let exposure else { return nil }
    return made.ratio(to: exposure)
  }
}
