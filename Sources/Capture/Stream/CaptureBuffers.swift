internal import CV4L2
internal import Frames
internal import Glibc
internal import Synchronization

/// The buffers that a device fills, mapped into memory.
///
/// A frame over a buffer has a lease of it: when the last reader lets go, the buffer goes back to the device. Its memory lives as long as the
/// lease, also when the device has gone or has been set to another mode.
@safe
final class CaptureBuffers: Sendable {
  // @safe: memory is reachable only through frames, whose planes are checked against the length of the mapping.

  /// Memory of a plane of a buffer.
  @unsafe private struct Mapping: Sendable {
    nonisolated(unsafe) let base: UnsafeMutableRawPointer
    let length: Int
  }

  /// A buffer that the device has filled.
  struct Filled {
    let index: Int
    /// Frames of the source before this one, modulo 2^32.
    let sequence: UInt32
    /// On the monotonic clock in microseconds; nil: the driver does not say.
    let time: Int64?
    /// The driver says that its contents are damaged.
    let isDamaged: Bool
    /// The device delivers no more before it is set up again.
    let isLast: Bool
    /// Bytes in each plane, with what precedes the samples.
    let used: [Int]
    /// Where the samples of each plane begin.
    let starts: [Int]
  }

  private struct State {
    var isStreaming = false
    /// Buffers that a frame holds.
    var leased: Set<Int> = []
    /// Buffers whose memory can be read.
    var mapped: Set<Int> = []
    /// No more frames will be made: memory goes as soon as no frame holds it.
    var isFinished = false
    /// The device has its buffers back, or somebody is about to give them back.
    var isReturned = false

    /// Buffers that nobody needs any more, which are to be unmapped.
    mutating func takeUnused() -> Set<Int> {
      guard isFinished else { return [] }
      let unused = mapped.subtracting(leased)
      mapped.formIntersection(leased)
      return unused
    }
  }

  private let device: CaptureDevice
  private let setup: CaptureSetup
  private let buffers: [[Mapping]]
  /// The device can do without buffers whose memory is still mapped.
  private let canOrphan: Bool
  private let state = Mutex(State())

  /// Fewer than this cannot be filled while one is read.
  private static let fewest = 2

  /// - Parameter count: Buffers that are asked for; a driver may give fewer, or more.
  /// - Throws: `CaptureError`.
  init(_ device: CaptureDevice, _ setup: CaptureSetup, count: Int) throws(CaptureError) {
    (self.device, self.setup) = (device, setup)
    var request = v4l2_requestbuffers()
    (request.count, request.type, request.memory) = (UInt32(count), device.bufferType, V4L2_MEMORY_MMAP.rawValue)
    try device.perform(DeviceRequests.requestBuffers, &request)
    var buffers = unsafe [[Mapping]]()
    do throws(CaptureError) {
      guard request.count >= Self.fewest else {
        throw .isInconsistent(path: device.path, reason: "it has \(request.count) buffers for \(count)")
      }
      for index in 0..<Int(request.count) { unsafe buffers.append(try Self.map(index, device, setup)) }
    } catch {
      unsafe Self.unmap(Array(buffers.joined()), device)
      _ = Self.giveAllBack(to: device)
      throw error
    }
    canOrphan = request.capabilities & UInt32(V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS) != 0
    unsafe self.buffers = unsafe buffers
    state.withLock { $0.mapped = Set(0..<Int(request.count)) }
  }

  deinit { finish() }

  /// Frees the buffers, those that a frame holds as soon as it does not any more.
  func finish() {
    state.withLock { $0.isFinished = true }
    freeUnused()
  }

  /// Stops the device and takes its buffers from it, so that it can be set to another mode. Frames that are held keep their memory.
  ///
  /// A device that cannot do without the buffers of held frames is given some time.
  /// - Parameter isStopped: Whether waiting is to end.
  /// - Throws: `CaptureError`.
  func release(isStopped: () -> Bool) throws(CaptureError) {
    stop()
    state.withLock { ($0.isFinished, $0.isReturned) = (true, true) }
    freeUnused()
    let end = ContinuousClock.now + Self.patience
    while true {
      let code = Self.giveAllBack(to: device)
      if code == 0 { return }
      guard code == EBUSY, ContinuousClock.now < end, !isStopped() else {
        throw .failed(DeviceRequests.requestBuffers.name, device.path, code)
      }
      usleep(Self.pause)
    }
  }

  /// How long frames may hold up a change of mode, and microseconds from try to try.
  private static let patience = Duration.seconds(1)
  private static let pause: UInt32 = 5000

  private func freeUnused() {
    let (unused, isLast) = state.withLock { state in
      let unused = state.takeUnused()
      let isLast = state.isFinished && !state.isReturned && (canOrphan || state.mapped.isEmpty)
      if isLast { state.isReturned = true }
      return (unused, isLast)
    }
    for index in unused { unsafe Self.unmap(buffers[index], device) }
    // A device that refuses has gone.
    if isLast { _ = Self.giveAllBack(to: device) }
  }

  /// - Returns: 0, or a value of `errno`.
  private static func giveAllBack(to device: CaptureDevice) -> Int32 {
    var none = v4l2_requestbuffers()
    (none.type, none.memory) = (device.bufferType, V4L2_MEMORY_MMAP.rawValue)
    return device.attempt(DeviceRequests.requestBuffers, &none)
  }

  private static func unmap(_ mappings: [Mapping], _ device: CaptureDevice) {
    unsafe mappings.forEach { unsafe device.file.unmap($0.base, length: $0.length) }
  }

  private static func map(
    _ index: Int, _ device: CaptureDevice, _ setup: CaptureSetup
  ) throws(CaptureError) -> [Mapping] {
    var mappings = unsafe [Mapping]()
    let places = try device.places(of: index)
    guard places.count >= setup.planes.count else {
      throw .isInconsistent(path: device.path, reason: "buffer \(index) has \(places.count) planes")
    }
    for (place, plane) in zip(places, setup.planes) {
      guard place.length > 0, place.length >= plane.length,
        let base = unsafe device.file.map(length: place.length, offset: place.offset)
      else {
        unsafe unmap(mappings, device)
        throw .isInconsistent(
          path: device.path, reason: "buffer \(index) of \(place.length) bytes for \(plane.length) cannot be mapped")
      }
      unsafe mappings.append(Mapping(base: base, length: place.length))
    }
    return unsafe mappings
  }

  var count: Int { unsafe buffers.count }

  /// Gives the device all buffers that no frame holds, and lets it begin.
  /// - Throws: `CaptureError`.
  func start() throws(CaptureError) {
    // From now on each lease that ends gives its buffer back itself.
    let leased = state.withLock { state in
      state.isStreaming = true
      return state.leased
    }
    do throws(CaptureError) {
      for index in 0..<count where !leased.contains(index) { try device.queue(index, planes: setup.planes.count) }
      var type = Int32(bitPattern: device.bufferType)
      try device.perform(DeviceRequests.startStream, &type)
    } catch {
      stop()
      throw error
    }
  }

  /// The device fills no more buffers.
  func stop() {
    state.withLock { $0.isStreaming = false }
    var type = Int32(bitPattern: device.bufferType)
    // A device that has gone has stopped.
    _ = device.attempt(DeviceRequests.stopStream, &type)
  }

  /// The next buffer that is filled; nil if there is none yet.
  /// - Throws: `CaptureError`.
  func dequeue() throws(CaptureError) -> Filled? {
    let filled: Filled
    switch device.dequeue(planes: setup.planes.count) {
    case .success(let buffer): filled = buffer
    case .failure(let error) where error.code == EAGAIN: return nil
    case .failure(let error): throw .failed(DeviceRequests.dequeueName, device.path, error.code)
    }
    guard filled.index < count else {
      throw .isInconsistent(path: device.path, reason: "it has filled buffer \(filled.index) of \(count)")
    }
    return filled
  }

  /// Gives a buffer back that no frame is made of any more.
  private func giveBack(_ index: Int) {
    state.withLock { state in
      state.leased.remove(index)
      // Under the lock: between a stop and a start the buffer would be given twice. A device that refuses it has gone,
      // which the next request says.
      if state.isStreaming { try? device.queue(index, planes: setup.planes.count) }
    }
    freeUnused()
  }

  /// Calls `body` with what the device has put into a buffer of one plane; then the buffer goes back to the device.
  /// - Returns: nil if there is nothing in it.
  func withContents<Result, Failure: Error>(
    of filled: Filled, _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    defer { giveBack(filled.index) }
    let memory = unsafe buffers[filled.index][0]
    guard let start = filled.starts.first, let end = filled.used.first, start < end, unsafe end <= memory.length else {
      return nil
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: memory.base + start, count: end - start)
    return try body(unsafe bytes.bytes)
  }

  /// A frame over a buffer, which goes back to the device when nobody holds the frame any more.
  /// - Returns: nil if the buffer is too short for a frame; it has been given back.
  func frame(_ filled: Filled, color: ColorDescription, time: FrameTime, metadata: HDRMetadata) -> CodedFrame? {
    let used = unsafe zip(filled.used, buffers[filled.index]).map { unsafe $1.length < $0 ? 0 : $0 }
    guard let layout = setup.mode.format.layout,
      let places = PlanePlaces(setup, used: used, starts: filled.starts)
    else {
      giveBack(filled.index)
      return nil
    }
    let planes = unsafe places.planes.enumerated().map { index, place in
      unsafe CodedFrame.Plane(
        base: buffers[filled.index][place.memory].base + place.offset, stride: place.stride,
        size: layout.planeSize(index, of: setup.mode.size))
    }
    state.withLock { _ = $0.leased.insert(filled.index) }
    return unsafe CodedFrame(
      size: setup.mode.size, layout: layout, color: color, time: time, metadata: metadata, isDamaged: filled.isDamaged,
      fieldOrder: setup.fieldOrder, planes: planes, owner: Lease(self, filled.index))
  }

  /// Ends with the last frame over a buffer.
  private final class Lease {
    private let buffers: CaptureBuffers
    private let index: Int

    init(_ buffers: CaptureBuffers, _ index: Int) { (self.buffers, self.index) = (buffers, index) }

    deinit { buffers.giveBack(index) }
  }
}
