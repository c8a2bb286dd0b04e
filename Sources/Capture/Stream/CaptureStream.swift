internal import ColorScience
internal import Frames

/// A device that is set up, with its buffers and what decodes its stream. One thread at a time uses it.
struct CaptureStream: Sendable {
  let device: CaptureDevice
  /// What it delivers now; colours and rate may change in mid-stream.
  var setup: CaptureSetup
  /// What the source says of its light.
  var metadata: HDRMetadata
  let buffers: CaptureBuffers
  /// The rate that the mode was chosen with.
  let fullRate: Rational?
  /// What the device offers at this size, highest first.
  let rates: [Rational]
  private let decoders: CaptureSource.Decoders?
  private var decoder: (any CaptureDecoder)?

  /// Buffers that a device fills while others are read.
  private static let spare = 3

  /// - Parameters:
  ///   - framesInFlight: Frames that may be held at a time.
  ///   - decoders: Makes what decodes the stream.
  /// - Throws: `CaptureError`.
  init(
    _ device: CaptureDevice, _ setup: CaptureSetup, framesInFlight: Int, decoders: CaptureSource.Decoders?
  ) throws(CaptureError) {
    let format = setup.mode.format
    let starts = setup.planes.map { _ in 0 }
    guard format.coding != nil || PlanePlaces(setup, used: setup.planes.map(\.length), starts: starts) != nil else {
      let planes = setup.planes.map { "\($0.length) bytes in rows of \($0.stride)" }.joined(separator: ", ")
      throw .isInconsistent(path: device.path, reason: "\(setup.mode) does not fit in \(planes)")
    }
    (self.device, self.setup, metadata, self.decoders) = (device, setup, device.metadata, decoders)
    (fullRate, rates) = (
      setup.mode.rate, device.rates(of: format.code, setup.mode.size).sorted { $0.value > $1.value }
    )
    // A decoded frame holds no buffer.
    let held = format.coding == nil ? framesInFlight : 1
    decoder = try Self.decoder(format, decoders, device.path)
    buffers = try CaptureBuffers(device, setup, count: held + Self.spare)
  }

  private static func decoder(
    _ format: CaptureFormat, _ decoders: CaptureSource.Decoders?, _ path: String
  ) throws(CaptureError) -> (any CaptureDecoder)? {
    guard let coding = format.coding else { return nil }
    guard let decoders else { throw .hasNoDecoder(path: path, format: format.code) }
    do { return try decoders(coding) } catch { throw .cannotDecode(path: path, reason: "\(error)") }
  }

  /// Begins again with a key frame.
  /// - Throws: `CaptureError`.
  mutating func renewDecoder() throws(CaptureError) {
    decoder = try Self.decoder(setup.mode.format, decoders, device.path)
  }

  /// The frames of a filled buffer, which goes back to the device when it is not needed any more.
  /// - Returns: nil if nothing in it can be used; none if a decoder needs more.
  /// - Throws: `CaptureError` if it cannot be decoded.
  func frames(of filled: CaptureBuffers.Filled, at time: FrameTime) throws(CaptureError) -> [CodedFrame]? {
    guard let decoder else {
      return buffers.frame(filled, color: setup.color, time: time, metadata: metadata).map { [$0] }
    }
    do {
      return try buffers.withContents(of: filled) { data in try decoder.decode(data, at: time).map(tagged) }
    } catch {
      throw .cannotDecode(path: device.path, reason: "\(error)")
    }
  }

  /// A decoded frame with what the driver says where the stream says nothing.
  private func tagged(_ frame: CodedFrame) -> CodedFrame {
    let color = frame.color.filled(from: setup.color)
    let metadata = frame.metadata.merged(over: metadata)
    let described = color == frame.color ? frame : frame.described(as: color)
    return metadata == frame.metadata ? described : described.with(metadata)
  }

  /// Reads again what may change in mid-stream.
  /// - Returns: Whether it has.
  mutating func refresh() -> Bool {
    let before = (setup.color, metadata)
    metadata = device.metadata
    setup.color = device.color(of: setup.mode) ?? setup.color
    return before != (setup.color, metadata)
  }

  /// Sets how many frames come in a second, and begins again.
  /// - Parameter rate: nil: as the mode was chosen.
  /// - Throws: `CaptureError`.
  mutating func setRate(_ rate: Rational?) throws(CaptureError) {
    buffers.stop()
    if let now = device.setRate(rate ?? fullRate) { setup.mode.rate = now }
    try buffers.start()
  }
}

extension ColorDescription {
  /// This description with gaps filled from another.
  fileprivate func filled(from other: ColorDescription) -> ColorDescription {
    var color = self
    if color.primaries == .unspecified { color.primaries = other.primaries }
    if color.transfer == .unspecified { color.transfer = other.transfer }
    if color.matrix == .unspecified { color.matrix = other.matrix }
    return color
  }
}
