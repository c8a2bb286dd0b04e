public import ColorScience
public import Frames
public import Rendering

/// Converts decoded frames and stills of one format to scene-referred light.
///
/// Integer R'G'B' and grey are converted by exact tables, linear half floats unchanged, and Y'CbCr by a renderer.
/// Transfer functions are inverted as encoded (H.273): sRGB and power functions as in displays, HLG and BT.709 by their
/// inverse OETF. PQ light, which is display-referred, is assumed to be proportional to scene light.
public struct SceneConversion: Sendable {
  /// Format of the frames.
  public let format: PixelFormat
  private let components: SceneDescription.Components
  private let scale: SampleScale
  private let curve: SceneCurve
  /// Light for each code or half-float bit pattern of a sample.
  private let table: FloatTable
  /// Converts formats other than R'G'B' and grey.
  private let renderer: FrameRenderer?
  private let pool: WorkerPool

  /// - Parameters:
  ///   - format: Format of the frames, with all tags specified.
  ///   - pool: Worker threads.
  /// - Throws: `SceneConversionError` for unsupported formats.
  public init(_ format: PixelFormat, pool: WorkerPool) throws(SceneConversionError) {
    guard let space = format.color.primaries.space else { throw .unsupportedPrimaries(format.color.primaries) }
    guard (8...16).contains(format.layout.bitDepth) else { throw .rendering(.unsupportedSource(format.layout)) }
    (self.format, self.pool, components) = (format, pool, .rgb(space))
    scale = SampleScale(bitDepth: format.layout.bitDepth, range: format.color.range)
    curve = try SceneCurve(format.color.transfer)
    if format.layout.samples == .half {
      (table, renderer) = (FloatTable(SceneCurve.lightOfHalves()), nil)
    } else if [.rgb, .gray].contains(format.layout.components) {
      (table, renderer) = (FloatTable(curve.light(ofCodes: scale)), nil)
    } else {
      let source = FrameRenderer.Endpoint(format: format, transfer: curve.carrier)
      do {
        renderer = try FrameRenderer(source: source, outputs: [FrameRenderer.Output(end: .linear)], pool: pool)
      } catch { throw .rendering(error) }
      table = FloatTable(curve.lightOfCarrier())
    }
  }

  /// Returns the light of a frame.
  /// - Parameters:
  ///   - frame: A frame in `format`.
  ///   - orientation: Rotation of the picture.
  ///   - exposure: Exposure from the file's metadata.
  /// - Throws: `SceneConversionError.rendering` if the frame is not in `format`.
  public func image(
    of frame: CodedFrame, orientation: Orientation = .identity, exposure: Exposure? = nil
  ) throws(SceneConversionError) -> SceneImage {
    guard frame.format == format else {
      throw .rendering(.formatMismatch(expected: format, actual: frame.format))
    }
    var description = SceneDescription(components: components, exposure: exposure)
    if format.layout.samples == .half {
      description.saturation = SharedMaximum.saturation(of: frame, pool: pool)
    } else {
      (description.saturation, description.quantum) = (
        SIMD3(repeating: curve.saturation(scale, frame.metadata)), curve.quantum(scale)
      )
    }
    let image = SceneImage(size: orientation.rotated(frame.size), description: description)
    SceneRows(image: image, orientation: orientation, table: table).fill(from: try planes(of: frame), pool: pool)
    return image
  }

  /// Returns planes whose samples the table covers.
  private func planes(of frame: CodedFrame) throws(SceneConversionError) -> CodedFrame {
    guard let renderer else { return frame.planar }
    do { return try renderer.linearFrame(frame).coded(color: format.color) } catch { throw .rendering(error) }
  }
}

/// Why the samples of a picture cannot be converted to scene light.
public enum SceneConversionError: Error, Sendable, Hashable {
  /// Headroom has no inverse for this transfer function of H.273.
  case unsupportedTransfer(TransferCharacteristics)
  /// The primaries are unspecified.
  case unsupportedPrimaries(ColorPrimaries)
  /// The samples cannot be read.
  case rendering(RenderingError)
}

/// Writes the rows of a scene image from planes of samples, converted by a table.
struct SceneRows: Sendable {
  /// The image being written, before it is handed on.
  let image: SceneImage
  let orientation: Orientation
  /// Light of every value that a sample can have in memory.
  let table: FloatTable

  /// Fills the image.
  /// - Parameter frame: Planes of G, B and R, or one of grey, sized before rotation.
  func fill(from frame: CodedFrame, pool: WorkerPool) {
    // For a rotated picture, the columns written by a band fill a cache line.
    pool.forRows(of: frame.size.height) { rows in
      for channel in 0..<3 {
        unsafe frame.withPlane(frame.layout.planeCount == 1 ? 0 : (channel + 2) % 3) { plane in
          if frame.layout.bytesPerSample == 1 {
            unsafe fill(channel, rows, from: plane, as: UInt8.self)
          } else {
            unsafe fill(channel, rows, from: plane, as: UInt16.self)
          }
        }
      }
    }
  }

  @inline(__always)
  private func fill<Sample: FixedWidthInteger>(
    _ channel: Int, _ rows: Range<Int>, from plane: CodedFrame.Plane, as type: Sample.Type
  ) {
    let light = unsafe table.base
    let width = unsafe plane.size.width
    if orientation.swapsAxes {
      // Column by column, so that rows of the result are written in runs.
      for x in 0..<width {
        let target = unsafe image.row(channel, orientation.reversesColumns ? width - 1 - x : x)
        for y in rows {
          let sample = unsafe plane.row(y).assumingMemoryBound(to: type)[x]
          unsafe target[orientation.reversesRows ? image.size.width - 1 - y : y] = light[Int(sample)]
        }
      }
      return
    }
    for y in rows {
      let source = unsafe plane.row(y).assumingMemoryBound(to: type)
      let target = unsafe image.row(channel, orientation.reversesRows ? image.size.height - 1 - y : y)
      if orientation.reversesColumns {
        for x in 0..<width { unsafe target[width - 1 - x] = light[Int(source[x])] }
      } else {
        for x in 0..<width { unsafe target[x] = light[Int(source[x])] }
      }
    }
  }
}

/// Converts signals to scene light by the inverse of the H.273 transfer function, whatever a display does.
///
/// PQ light is display-referred and assumed to be proportional to scene light; 1 is 10,000 cd/m².
struct SceneCurve {
  /// The curve of the encoder.
  let coding: CodingCurve
  /// The transfer function by which a renderer carries the light in half floats, in a unit that avoids underflow.
  let carrier: SignalTransfer

  /// Carried light of signal 1. Half floats end at 65504 and lose precision below 2⁻¹⁴.
  private static let carriedPeak = 0x1p13

  init(_ transfer: TransferCharacteristics) throws(SceneConversionError) {
    guard let coding = CodingCurve(transfer) else { throw .unsupportedTransfer(transfer) }
    self.coding = coding
    carrier =
      switch coding {
      case .pq: .pq(unit: 1)
      case .hlg: .hlg
      case .sRGB: .sRGB(peak: Self.carriedPeak)
      case .power(let exponent): .power(exponent: exponent, peak: Self.carriedPeak)
      case .linear: .linear(unit: 1)
      // Displays use another curve, so the signal itself is carried, squared.
      case .camera, .smpte240M: .power(exponent: 2, peak: Self.carriedPeak)
      }
  }

  /// Returns the light of each code of integer R'G'B', for all values that a sample can have in memory.
  func light(ofCodes scale: SampleScale) -> [Float] {
    let codes = (0...scale.maxCode).map { Float(coding.light(fromSignal: scale.luma(fromCode: $0))) }
    // Values above the largest code are invalid, but reads must stay inside the table.
    return codes + Array(repeating: codes[scale.maxCode], count: (scale.bitDepth > 8 ? 1 << 16 : 1 << 8) - codes.count)
  }

  /// Returns the light of each half float from the carrier, by its bits.
  func lightOfCarrier() -> [Float] {
    Self.halves { carried in
      switch coding {
      case .pq: carried / PQ.peak
      case .hlg, .linear: carried
      case .sRGB, .power: carried / Self.carriedPeak
      case .camera, .smpte240M: coding.light(fromSignal: (max(carried, 0) / Self.carriedPeak).squareRoot())
      }
    }
  }

  /// Returns linear samples by their bits.
  static func lightOfHalves() -> [Float] { halves { $0 } }

  /// NaN samples are treated as clipped.
  private static func halves(_ light: (Double) -> Double) -> [Float] {
    (0...UInt16.max).map { bits in
      let sample = Float16(bitPattern: bits)
      return sample.isFinite ? Float(light(Double(sample))) : SharedMaximum.invalid
    }
  }

  /// Returns the light at which channels saturate: signal 1 less half a code, or for HDR10, the peak of the mastering
  /// display.
  ///
  /// Cameras clip at signal 1 or above, in the super-white of limited range: the lower limit is the safe one.
  func saturation(_ scale: SampleScale, _ metadata: HDRMetadata) -> Float {
    var signal = 1.0
    if coding == .pq, let peak = metadata.masteringDisplay?.maxLuminance, peak > 0 {
      signal = min(signal, PQ.inverseEOTF(Double(peak) / 10_000))
    }
    return Float(coding.light(fromSignal: signal - 0.5 / scale.lumaScale))
  }

  /// Returns the light between two codes at a typical brightness: a fifth of white; PQ white is 203 cd/m² (BT.2408-7,
  /// 2.1). Steps are larger in bright light, and so is its noise.
  func quantum(_ scale: SampleScale) -> Float {
    let light = 0.2 * (coding == .pq ? 203 / PQ.peak : 1)
    var (low, high) = (0.0, 1.0)
    // Every curve is monotonic, so bisection finds the signal.
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if coding.light(fromSignal: middle) < light { low = middle } else { high = middle }
    }
    return Float(coding.light(fromSignal: low + 1 / scale.lumaScale) - coding.light(fromSignal: low))
  }
}
