internal import ColorScience
internal import Frames
internal import Rendering

/// Renders frames to several outputs from one unpacking: outputs with the source's size directly, others from its
/// light, which is scaled first.
///
///     samples ─► unpack ─► trunk ─┬─► outputs of the same size
///                                 └─► light of the frame ─► scaled light ─► output
final class ScalingRenderer {
  /// Renders an output from scaled light.
  private struct Scaled {
    let index: Int
    let size: Size
    let renderer: FrameRenderer
  }

  private let direct: FrameRenderer
  /// The output of each destination of `direct`.
  private let directIndices: [Int]
  private let scaled: [Scaled]
  private let light: LightFrames
  private let color: ColorDescription
  private let tier: KernelTier
  private let pool: WorkerPool

  /// - Parameters:
  ///   - outputs: Outputs, and the sizes to which their light is scaled, before any rotation; nil: the source's size.
  ///   - light: Frames of light to use, by one renderer at a time.
  /// - Throws: `RenderingError` for formats that cannot be read or written.
  init(
    source: FrameRenderer.Endpoint, trunk: [any Stage], outputs: [(output: FrameRenderer.Output, size: Size?)],
    _ light: LightFrames, tier: KernelTier, pool: WorkerPool
  ) throws(RenderingError) {
    (self.light, self.tier, self.pool) = (light, tier, pool)
    color = source.format.color.asLight
    let isScaled = outputs.map { $0.size != nil && $0.size != source.format.size }
    directIndices = outputs.indices.filter { !isScaled[$0] }
    var scaled: [Scaled] = []
    for (index, output) in outputs.enumerated() where isScaled[index] {
      let size = output.size ?? source.format.size
      let format = PixelFormat(size: size, layout: .linearRGB, color: color)
      scaled.append(
        Scaled(
          index: index, size: size,
          renderer: try FrameRenderer(
            source: FrameRenderer.Endpoint(format: format, transfer: .linear(unit: 1)), outputs: [output.output],
            tier: tier, pool: pool)))
    }
    self.scaled = scaled
    let carrier = scaled.isEmpty ? [] : [FrameRenderer.Output(end: .linear)]
    direct = try FrameRenderer(
      source: source, trunk: trunk, outputs: directIndices.map { outputs[$0].output } + carrier, tier: tier, pool: pool)
  }

  /// Renders a frame for every output.
  /// - Parameter destinations: One per output.
  func render(_ frame: CodedFrame, into destinations: [FrameRenderer.Destination]) throws(RenderingError) {
    let frame = frame.described(as: direct.source.format.color)
    let wanted = scaled.filter { if case .skipped = destinations[$0.index] { false } else { true } }
    var targets = directIndices.map { destinations[$0] }
    guard !scaled.isEmpty else { return try direct.render(frame, into: targets) }
    let whole = light.frame(frame.size)
    targets.append(wanted.isEmpty ? .skipped : .linear(whole))
    try direct.render(frame, into: targets)
    for output in wanted {
      let part = light.scaled(whole, to: output.size, tier: tier, pool: pool)
      try output.renderer.render(
        part.coded(color: color, time: frame.sourceTime), into: [destinations[output.index]])
    }
  }
}

/// Frames of linear light, one per size, and their scalers. Used by one thread.
final class LightFrames {
  private var frames: [Size: LinearFrame] = [:]
  private var scalers: [Sizes: LinearScaler] = [:]

  private struct Sizes: Hashable {
    let from: Size
    let to: Size
  }

  /// Maximum number of sizes: a window is resized in many steps with sizes that do not recur.
  private static let capacity = 6

  /// Returns the frame of a size, which still holds the light of its last use.
  func frame(_ size: Size) -> LinearFrame {
    if let frame = frames[size] { return frame }
    if frames.count >= Self.capacity { (frames, scalers) = ([:], [:]) }
    let frame = LinearFrame(size: size)
    frames[size] = frame
    return frame
  }

  /// Returns a frame with the scaled light of another.
  func scaled(_ frame: LinearFrame, to size: Size, tier: KernelTier, pool: WorkerPool) -> LinearFrame {
    let sizes = Sizes(from: frame.size, to: size)
    let scaler = scalers[sizes] ?? LinearScaler(from: frame.size, to: size, tier: tier, pool: pool)
    let result = self.frame(size)
    scalers[sizes] = scaler
    scaler.scale(frame, into: result)
    return result
  }
}

extension ColorDescription {
  /// Description of the linear light of such samples.
  fileprivate var asLight: ColorDescription {
    ColorDescription(primaries: primaries, transfer: .linear, matrix: .rgb, range: .full)
  }
}
