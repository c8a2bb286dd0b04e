internal import Frames
internal import Threads

/// Converts the samples of a file to a picture.
@safe
struct SensorSamples {
  // @safe: the samples live as long as the file.
  private let file: LibRawFile
  private let levels: SensorLevels
  private let samples: LibRawSamples

  init(_ file: LibRawFile, _ levels: SensorLevels) throws(ImageFileError) {
    self.file = file
    self.levels = levels
    unsafe samples = try unsafe file.samples()
  }

  /// - Parameter white: The response to white, for comparing colours at edges.
  func image(_ description: SceneDescription, white: SIMD3<Float>) throws(ImageFileError) -> SceneImage {
    guard file.hasFilters else {
      let image = SceneImage(size: unsafe samples.size, description: description)
      fill(image)
      return image
    }
    let pattern = try FilterPattern(file)
    var description = description
    description.sampleDensity = pattern.shares
    let image = SceneImage(size: unsafe samples.size, description: description)
    let mosaic = unsafe SensorMosaic(samples, levels, pattern)
    if pattern.isBayer {
      BayerInterpolation(mosaic: mosaic, pattern: pattern, white: white).fill(image)
    } else {
      try FilterInterpolation(mosaic: mosaic, pattern: pattern, file).fill(image)
    }
    return image
  }

  /// Fills pixels that have all colours.
  private func fill(_ image: SceneImage) {
    let (levels, samples) = unsafe (levels, samples)
    RowStrips(rows: image.size.height).run(threads: nil) { _, rows in
      for y in rows {
        let source = unsafe samples.row(y)
        for channel in 0..<3 {
          let target = unsafe image.row(channel, y)
          for x in 0..<image.size.width {
            let sample = unsafe source[x * samples.perPixel + channel]
            unsafe target[x] = levels.site(channel, x: x, y: y).light(sample)
          }
        }
      }
    }
  }
}
