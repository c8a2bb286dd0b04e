internal import ColorScience
internal import Frames
internal import Rendering

/// Composes the flash-only picture and its confidence, row by row.
struct DarkRoomPicture: Sendable {
  let pair: LinearPair
  let blocks: PairBlocks
  let confidence: BlockMap
  let filling: FlashFilling
  let transform: FlashTransform
  /// From the input components to the output components.
  let matrix: Matrix3

  /// Confidence up to which a pixel is filled in, and above which it is not.
  static let filledConfidence: ClosedRange<Float> = 0.2...0.8
  /// Saturation up to which a sample is fully trusted, and from which not at all.
  static let saturation: ClosedRange<Float> = 0.95...0.99
  /// How much darker a pixel may be with the flash, as a share of ambient light, because of lamp flicker.
  static let tolerance: Float = 0.1
  /// Pixels by which clipped areas are extended.
  static let reach = 2

  /// Fills the picture and returns its confidence map.
  /// - Returns: The confidence map.
  func compose(into image: SceneImage, pool: WorkerPool) -> ConfidenceMap {
    let size = pair.size
    let plane = Plane(size: size)
    pool.forRows(of: size.height) { rows in
      var row = DarkRoomRow(width: size.width)
      for y in rows {
        unsafe row.compose(self, y, into: image, plane.row(y))
      }
    }
    return ConfidenceMap(size: size, values: plane.values)
  }

  /// Whether pixels near row `y` may be clipped.
  func mayBeClipped(_ y: Int) -> Bool {
    let columns = blocks.saturation.size.width
    let first = max(y - Self.reach, 0) / BlockMap.side
    let last = min(y + Self.reach, pair.size.height - 1) / BlockMap.side
    return (first...last).contains { row in
      (row * columns..<(row + 1) * columns).contains { blocks.saturation.values[$0] > Self.saturation.lowerBound }
    }
  }
}

/// Scratch memory of one thread that composes rows.
@safe
struct DarkRoomRow: ~Copyable {
  // @safe: the memory lives as long as this value, and rows are one picture width long.
  private let width: Int
  private let memory: UnsafeMutableBufferPointer<Float>

  init(width: Int) {
    self.width = width
    unsafe memory = .allocate(capacity: 9 * width)
    unsafe memory.initialize(repeating: 0)
  }

  deinit { unsafe memory.deallocate() }

  @unsafe private func row(_ index: Int) -> UnsafeMutableBufferPointer<Float> {
    unsafe UnsafeMutableBufferPointer(rebasing: memory[index * width..<(index + 1) * width])
  }

  @unsafe
  mutating func compose(
    _ picture: DarkRoomPicture, _ y: Int, into image: SceneImage, _ confidence: UnsafeMutableBufferPointer<Float>
  ) {
    let (clipped, falloff) = unsafe (row(0), row(1))
    let hasClipped = picture.mayBeClipped(y)
    unsafe picture.confidence.interpolate(row: y, into: confidence)
    if hasClipped {
      unsafe clip(picture, y, into: clipped)
      for x in 0..<width { unsafe confidence[x] *= 1 - clipped[x] }
    }
    unsafe doubt(picture, y, confidence)
    for channel in 0..<3 {
      unsafe picture.filling.gains[channel].interpolate(row: y, into: row(2 + channel))
      fill(picture, channel, y)
    }
    if hasClipped { whiten(picture, y) }
    if let field = picture.transform.falloff { unsafe divide(by: field, y, picture.pair.size.height, falloff) }
    for channel in 0..<3 { unsafe mix(picture, channel, y, confidence, falloff) }
    convert(picture.matrix, into: image, y)
  }

  /// Clears the confidence of pixels that are darker with the flash than without.
  private func doubt(_ picture: DarkRoomPicture, _ y: Int, _ confidence: UnsafeMutableBufferPointer<Float>) {
    let (pair, gain) = (picture.pair, Float(picture.pair.gain))
    for channel in 0..<3 {
      let (flash, ambient) = unsafe (pair.flash.row(channel, y), pair.ambient.row(channel, y))
      let shot = Float(pair.flashNoise.shot[channel] + pair.gain * pair.ambientNoise.shot[channel])
      let read = Float(pair.flashNoise.read[channel] + pair.gain * pair.gain * pair.ambientNoise.read[channel])
      for x in 0..<width {
        let room = unsafe gain * ambient[x]
        let shortage = unsafe room - flash[x] - DarkRoomPicture.tolerance * room
        // Noise alone reaches six standard deviations once in a billion pixels.
        let isShort = shortage > 0 && shortage * shortage > 36 * (shot * room + read)
        unsafe confidence[x] = isShort ? 0 : confidence[x]
      }
    }
  }

  /// Writes the flash picture, balanced like its surroundings, to rows 2, 3 and 4.
  private func fill(_ picture: DarkRoomPicture, _ channel: Int, _ y: Int) {
    let (flash, filled) = unsafe (picture.pair.flash.row(channel, y), row(2 + channel))
    for x in 0..<width { unsafe filled[x] *= flash[x] }
  }

  /// Writes how far samples of each pixel, or of a nearby one, are clipped: 0, not at all, to 1.
  private func clip(_ picture: DarkRoomPicture, _ y: Int, into clipped: UnsafeMutableBufferPointer<Float>) {
    let reach = DarkRoomPicture.reach
    let peaks = unsafe row(5)
    unsafe peaks.update(repeating: 0)
    for line in max(y - reach, 0)...min(y + reach, picture.pair.size.height - 1) {
      for image in [picture.pair.flash, picture.pair.ambient] {
        guard let saturation = image.description.saturation else { continue }
        for channel in 0..<3 {
          let (samples, scale) = unsafe (image.row(channel, line), 1 / saturation[channel])
          for x in 0..<width { unsafe peaks[x] = max(peaks[x], samples[x] * scale) }
        }
      }
    }
    let range = DarkRoomPicture.saturation
    for x in 0..<width {
      var peak: Float = 0
      for neighbour in max(x - reach, 0)...min(x + reach, width - 1) { peak = max(peak, unsafe peaks[neighbour]) }
      unsafe clipped[x] = smoothstep(peak, from: range.lowerBound, to: range.upperBound)
    }
  }

  /// A pixel with two clipped channels has lost its colour: its fill becomes white, as bright as its brightest channel.
  /// One clipped channel leaves most of the hue.
  private func whiten(_ picture: DarkRoomPicture, _ y: Int) {
    guard let saturation = picture.pair.flash.description.saturation else { return }
    let (reds, greens, blues) = unsafe (row(2), row(3), row(4))
    let flash = unsafe (0..<3).map { unsafe picture.pair.flash.row($0, y) }
    let (white, range) = (SIMD3<Float>(picture.transform.white), DarkRoomPicture.saturation)
    for x in 0..<width {
      let light = unsafe SIMD3(flash[0][x], flash[1][x], flash[2][x]) / saturation
      let second = max(min(light.x, light.y), min(max(light.x, light.y), light.z))
      let share = smoothstep(second, from: 0.9 * range.lowerBound, to: range.upperBound)
      if share == 0 { continue }
      let color = unsafe SIMD3(reds[x], greens[x], blues[x])
      let bright = (color / white).max() * white
      let mixed = color + share * (bright - color)
      unsafe (reds[x], greens[x], blues[x]) = (mixed.x, mixed.y, mixed.z)
    }
  }

  /// Writes the divisors of the flash light along the row.
  private func divide(
    by field: FlatField, _ y: Int, _ height: Int, _ falloff: UnsafeMutableBufferPointer<Float>
  ) {
    let place = (Double(y) + 0.5) / Double(height)
    let step = BlockMap.side
    var left = Float(1 / field.light(x: 0, y: place))
    for start in stride(from: 0, to: width, by: step) {
      let end = min(start + step, width)
      let right = Float(1 / field.light(x: Double(end) / Double(width), y: place))
      for x in start..<end {
        unsafe falloff[x] = left + (right - left) * (Float(x - start) + 0.5) / Float(end - start)
      }
      left = right
    }
    for channel in 0..<3 {
      let filled = unsafe row(2 + channel)
      for x in 0..<width { unsafe filled[x] *= falloff[x] }
    }
  }

  /// Writes the light of the flash alone, where known, to rows 6, 7 and 8.
  private func mix(
    _ picture: DarkRoomPicture, _ channel: Int, _ y: Int, _ confidence: UnsafeMutableBufferPointer<Float>,
    _ falloff: UnsafeMutableBufferPointer<Float>
  ) {
    let gain = Float(picture.pair.gain)
    let (flash, ambient) = unsafe (picture.pair.flash.row(channel, y), picture.pair.ambient.row(channel, y))
    let (filled, result) = unsafe (row(2 + channel), row(6 + channel))
    let range = DarkRoomPicture.filledConfidence
    let isEven = picture.transform.falloff == nil
    for x in 0..<width {
      var light = unsafe flash[x] - gain * ambient[x]
      if !isEven { unsafe light *= falloff[x] }
      let share = unsafe smoothstep(confidence[x], from: range.lowerBound, to: range.upperBound)
      unsafe result[x] = filled[x] + share * (light - filled[x])
    }
  }

  private func convert(_ matrix: Matrix3, into image: SceneImage, _ y: Int) {
    let (reds, greens, blues) = unsafe (row(6), row(7), row(8))
    for channel in 0..<3 {
      let result = unsafe image.row(channel, y)
      let (r, g, b) = (Float(matrix[channel, 0]), Float(matrix[channel, 1]), Float(matrix[channel, 2]))
      for x in 0..<width { unsafe result[x] = r * reds[x] + g * greens[x] + b * blues[x] }
    }
  }
}
