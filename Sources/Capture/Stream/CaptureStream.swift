internal import ColorScience
internal import Frames

/// A device that is set up, with its buffers and decoder. Used by one thread at a time.
struct CaptureStream: Sendable {
  let device: CaptureDevice
  /// The current setup; colours and rate may change in mid-stream.
  var setup: CaptureSetup
  /// The source's HDR metadata.
  var metadata: HDRMetadata
  let buffers: CaptureBuffers
  /// The rate of the chosen mode.
  let fullRate: Rational?
  /// The rates of the device at this size, highest first.
  let rates: [Rational]
  private let decoders: CaptureSource.Decoders?
  private var decoder: (any CaptureDecoder)?

  /// Buffers to fill while others are read.
  private static let spare = 3

  /// - Parameter framesInFlight: Maximum number of frames held at a time.
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
    // A decoded frame does not hold a buffer.
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

  /// Replaces the decoder, which restarts at the next key frame.
  mutating func renewDecoder() throws(CaptureError) {
    decoder = try Self.decoder(setup.mode.format, decoders, device.path)
  }

  /// Returns the frames of a filled buffer, which goes back to the device after use.
  /// - Returns: nil if the buffer is unusable; empty if the decoder needs more data.
  /// - Throws: `CaptureError` if decoding fails.
  func frames(of filled: CaptureBuffers.Filled, at time: FrameTime) throws(CaptureError) -> [CodedFrame]? {
    guard let decoder
    else { return buffers.frame(filled, color: setup.color, time: time, metadata: metadata).map { [$0] } }
    do {
      return try buffers.withContents(of: filled) { data in try decoder.decode(data, at: time).map(tagged) }
    } catch {
      throw .cannotDecode(path: device.path, reason: "\(error)")
    }
  }

  /// Returns a decoded frame, with the driver's values where the stream states none.
  private func tagged(_ frame: CodedFrame) -> CodedFrame {
    let color = frame.color.filled(from: setup.color)
    let metadata = frame.metadata.merged(over: metadata)
    let described = color == frame.color ? frame : frame.described(as: color)
    return metadata == frame.metadata ? described : described.with(metadata)
  }

  /// Rereads everything that may change in mid-stream.
  /// - Returns: Whether anything has changed.
  mutating func refresh() -> Bool {
    let before = (setup.color, metadata)
    metadata = device.metadata
    setup.color = device.color(of: setup.mode) ?? setup.color
    return before != (setup.color, metadata)
  }

  /// Sets the frame rate and restarts.
  /// - Parameter rate: nil: the rate of the chosen mode.
  mutating func setRate(_ rate: Rational?) throws(CaptureError) {
    buffers.stop()
    if let now = device.setRate(rate ?? fullRate) { setup.mode.rate = now }
    try buffers.start()
  }
}

extension ColorDescription {
  /// Returns this description, with gaps filled from another.
  fileprivate func filled(from other: ColorDescription) -> ColorDescription {
    var color = self
    if color.primaries == .unspecified { color.primaries = other.primaries }
    if color.transfer == .unspecified { color.transfer = other.transfer }
    if color.matrix == .unspecified { color.matrix = other.matrix }
    return color
  }
}
