package import Capture
internal import FFmpegIO
package import Frames
internal import Media
internal import Synchronization

/// A capture device as an input: its frames are read in sequence as they arrive.
///
/// A preview uses it as a live source instead (`makeSource`).
package final class DeviceMedia: MediaInput {
  let info: MediaInfo
  let video: VideoStreamInfo
  /// The mode, and why it was chosen.
  package let choice: ModeChoice
  package let setup: CaptureSetup
  private let frame: CodedFrame?
  private let request: CaptureRequest
  /// The device is left unchanged, and not read.
  private let isLeft: Bool
  let notes: [String]
  /// The device until a source takes it: an unplugged device returns under the same name only after it has been closed.
  private let device: Mutex<CaptureDevice?>
  private let stream = Mutex<Stream?>(nil)

  private struct Stream {
    let source: CaptureSource
    let queue: DeviceQueue
  }

  /// Maximum number of frames waiting to be read.
  private static let capacity = 4
  /// Number of frames being rendered and written meanwhile.
  private static let inFlight = 6
  /// Timeout in seconds for a frame from the device.
  private static let patience = 10.0

  /// Returns whether a name denotes a V4L2 device, by the rules of the kernel and of udev.
  static func isDevice(_ name: String) -> Bool {
    let number = name.hasPrefix("/dev/video") ? name.dropFirst(10) : ""
    return !number.isEmpty && number.allSatisfy(\.isNumber) || name.hasPrefix("/dev/v4l/")
  }

  /// Opens a device and sets it up.
  /// - Parameter isLeft: Leaves the device unchanged: only queries its settings, for a plan that is not run.
  /// - Throws: `CaptureError`.
  init(_ path: String, _ request: CaptureRequest, isLeft: Bool = false) throws(CaptureError) {
    let device = try CaptureDevice(path)
    self.isLeft = isLeft
    if !isLeft {
      if let channel = request.channel { try device.select(input: channel) }
      // The signal determines its size.
      try device.lockToSignal()
    }
    let choice = try device.choose(request.mode)
    let setup = try isLeft ? device.tryOut(choice.mode) : device.setUp(choice.mode)
    notes = isLeft ? device.doubts(of: setup, request) : []
    (self.request, self.choice, self.setup) = (request, choice, setup)
    let metadata = device.metadata
    self.device = Mutex(device)
    frame = setup.emptyFrame(metadata, isAssumed: isLeft)
    video = VideoStreamInfo(setup, frame, metadata)
    info = MediaInfo(
      url: path, formatName: "v4l2", formatLongName: "Video4Linux2: \(device.name)", startTime: 0,
      streams: [
        StreamInfo(
          index: 0, kind: .video, codecName: setup.mode.format.coding?.rawValue ?? "rawvideo",
          codecTag: setup.mode.format.code.text, timeBase: video.timeBase, video: video)
      ])
  }

  deinit { end() }

  /// Returns the device as a live source.
  /// - Throws: `CaptureError`, or the error of the decoder.
  package func makeSource(
    framesInFlight: Int, onEvent: (@Sendable (CaptureSource.Event) -> Void)? = nil
  ) throws -> CaptureSource {
    let device = try device.withLock({ $0.take() }) ?? reopened()
    return try CaptureSource(
      device, setup, framesInFlight: framesInFlight, decoder: { try DeviceDecoder($0) },
      request: request.mode, isPatient: request.waits, onEvent: onEvent)
  }

  private func reopened() throws(CaptureError) -> CaptureDevice {
    let device = try CaptureDevice(info.url)
    if let channel = request.channel { try device.select(input: channel) }
    _ = try device.setUp(setup.mode)
    return device
  }

  /// Returns a frame like those to come: without samples if the setup describes it completely, otherwise the first.
  /// - Throws: An error if a frame is needed and does not arrive.
  package func sampleFrame() throws -> CodedFrame? {
    if let frame { return frame }
    defer { end() }
    return try peekFrame()
  }

  /// Releases the device.
  private func end() { stream.withLock { $0.take() }?.source.stop() }

  // MARK: - Reading

  var statistics: ReadStatistics { stream.withLock { $0?.queue.statistics } ?? ReadStatistics() }
  var isStill: Bool { false }

  /// Returns the stream, which starts with the first frame requested.
  private func begun() throws -> DeviceQueue {
    try stream.withLock { stream in
      if let stream { return stream.queue }
      let queue = DeviceQueue(capacity: Self.capacity)
      let source = try makeSource(framesInFlight: Self.capacity + Self.inFlight) { queue.note($0) }
      try source.start(delivering: queue)
      stream = Stream(source: source, queue: queue)
      return queue
    }
  }

  func peekFrame() throws -> CodedFrame? {
    if isLeft { return frame }
    return switch try begun().first(patience: request.waits ? nil : Self.patience) {
    case .frame(let frame): frame
    case .end: nil
    case .nothing(let loss): throw Refusal.failed(.deviceDeliversNothing(info.url, reason: loss?.description))
    }
  }

  func readFrame() throws -> CodedFrame? {
    let frame = try peekFrame()
    if frame != nil { try begun().removeFirst() }
    return frame
  }

  func read() throws -> StreamItem? { try readFrame().map { StreamItem(frame: $0) } }

  func interrupt() { stream.withLock { $0?.queue }?.end(throwing: nil) }

  func stopDecoding(limit: Double) { interrupt() }

  // MARK: - Unsupported by devices

  func seek(toSeconds seconds: Double) throws {
    if seconds > 0 { throw Refusal.invalid(.deviceHasNoStart(info.url)) }
  }

  func pass(_ indices: [Int]) throws {}

  func streams(matching specifier: String) throws -> [Int] { ["v", "v:0", "0"].contains(specifier) ? [0] : [] }

  func prepare(_ preparation: PicturePreparation) throws {
    if preparation != PicturePreparation() {
      throw Refusal.invalid(
        "device-pictures-not-processed",
        "'\(info.url)' is a device, whose pictures are taken as they are: choose one of its sizes, or deinterlace, "
          + "crop and scale the result.")
    }
  }
}

/// FFmpeg's decoder for a device's codec.
private final class DeviceDecoder: CaptureDecoder {
  private let decoder: PacketDecoder

  init(_ coding: CaptureFormat.Coding) throws { decoder = try PacketDecoder(codec: PacketDecoder.Codec(coding)) }

  func decode(_ data: RawSpan, at time: FrameTime) throws -> [CodedFrame] { try decoder.decode(data, at: time) }
}

extension PacketDecoder.Codec {
  fileprivate init(_ coding: CaptureFormat.Coding) {
    switch coding {
    case .mjpeg: self = .mjpeg
    case .h264: self = .h264
    case .hevc: self = .hevc
    }
  }
}

extension CaptureDevice {
  /// Returns why a device may deliver something other than `setup`, which was only queried.
  fileprivate func doubts(of setup: CaptureSetup, _ request: CaptureRequest) -> [String] {
    var doubts: [String] = []
    if let channel = request.channel, inputs.first(where: \.isSelected)?.number != channel {
      doubts.append("its input \(channel) is not selected")
    } else if case .present(let size, _) = setup.signal, size != setup.mode.size, request.size == nil {
      doubts.append("it is not set to its signal of \(size)")
    }
    if setup.mode.format.coding != nil { doubts.append("none of its coded frames is read") }
    if doubts.isEmpty { return [] }
    return [
      "'\(path)' is left as it is, and \(doubts.joined(separator: "; ")): what it delivers may differ from this plan."
    ]
  }
}

extension CaptureSetup {
  /// Returns a frame without samples that has the properties common to all; nil: only a decoder knows them.
  /// - Parameter isAssumed: Assumes properties that only a decoder knows.
  fileprivate func emptyFrame(_ metadata: HDRMetadata, isAssumed: Bool) -> CodedFrame? {
    let assumed = PixelLayout(mode.format.coding == .mjpeg ? .ycbcr422 : .ycbcr420, bitDepth: 8)
    return (mode.format.layout ?? (isAssumed ? assumed : nil)).map {
      CodedFrame(size: mode.size, layout: $0, color: color, metadata: metadata, fieldOrder: fieldOrder)
    }
  }
}

extension VideoStreamInfo {
  /// The frames of a device.
  fileprivate init(_ setup: CaptureSetup, _ frame: CodedFrame?, _ metadata: HDRMetadata) {
    self =
      frame.map { VideoStreamInfo(still: $0) }
      ?? VideoStreamInfo(
        index: 0, size: setup.mode.size, color: ColorTags(), timeBase: Rational(1, 1), metadata: metadata)
    timeBase = Rational(1, 1_000_000)
    (averageFrameRate, realFrameRate) = (setup.mode.rate, setup.mode.rate)
    fieldOrder = setup.fieldOrder.map { $0 == .topFirst ? "tt" : "bb" }
  }
}
