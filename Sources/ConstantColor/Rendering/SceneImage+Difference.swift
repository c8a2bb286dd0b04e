public import Frames
public import Rendering

extension SceneImage {
  /// What this picture has more than another, which has the same size and the same components.
  /// - Parameters:
  ///   - other: The picture that is subtracted, such as that without the flash.
  ///   - gain: Factor of its light, such as what brings it to the exposure of this one.
  ///   - pool: The threads that share the work.
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
