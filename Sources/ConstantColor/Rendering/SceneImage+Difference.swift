public import Frames
public import Rendering

extension SceneImage {
  /// Subtracts another picture of the same size and components.
  /// - Parameters:
  ///   - other: The picture to subtract, such as the one without the flash.
  ///   - gain: Factor of its light, such as the ratio of exposures.
  ///   - pool: Worker threads.
  public func subtracting(_ other: SceneImage, gain: Double, pool: WorkerPool) -> SceneImage {
    precondition(size == other.size)
    let (result, factor) = (SceneImage(size: size, description: description), Float(gain))
    pool.forRows(of: 3 * size.height) { [size] lines in
      for line in lines {
        let (channel, y) = (line / size.height, line % size.height)
        let (own, others, target) = unsafe (self.row(channel, y), other.row(channel, y), result.row(channel, y))
        for x in 0..<size.width { unsafe target[x] = own[x] - factor * others[x] }
      }
    }
    return result
  }
}
