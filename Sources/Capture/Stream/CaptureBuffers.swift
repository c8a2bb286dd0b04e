internal import CV4L2
internal import Frames
internal import Glibc
internal import Synchronization

/// A device's buffers, mapped into memory.
///
/// A frame over a buffer holds a lease: when its last reader releases the frame, the buffer returns to the device. The
/// memory lives as long as the lease, even if the device is gone or set to another mode.
@safe
final class CaptureBuffers: Sendable {
  // @safe: memory is reachable only through frames, whose planes are checked against the length of the mapping.

  /// The mapped memory of one plane of a buffer.
  @unsafe private struct Mapping: Sendable {
    nonisolated(unsafe) let base: UnsafeMutableRawPointer
    let length: Int
  }

  /// A filled buffer.
  struct Filled {
    let index: Int
    /// The source's frame counter, modulo 2^32.
    let sequence: UInt32
    /// Microseconds on the monotonic clock; nil: not reported by the driver.
    let time: Int64?
    /// The driver reports damaged contents.
    let isDamaged: Bool
    /// The last buffer before the device must be set up again.
    let isLast: Bool
    /// Bytes used in each plane, including any bytes before the samples.
    let used: [Int]
    /// The offset of the samples in each plane.
    let starts: [Int]
  }

  private struct State {
    var isStreaming = false
    /// Buffers held by frames.
    var leased: Set<Int> = []
    /// Buffers that are mapped.
    var mapped: Set<Int> = []
    /// No more frames follow: memory is freed as soon as no frame holds it.
    var isFinished = false
    /// The device has its buffers back, or they are being returned.
    var isReturned = false

    /// Takes the unused buffers, for unmapping.
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
  /// The device can release buffers that are still mapped.
  private let canOrphan: Bool
  private let state = Mutex(State())

  /// Minimum number: one is filled while another is read.
  private static let fewest = 2

  /// - Parameter count: The requested number of buffers; a driver may allocate fewer or more.
  init(_ device: CaptureDevice, _ setup: CaptureSetup, count: Int) throws(CaptureError) {
    (self.device, self.setup) = (device, setup)
    var request = v4l2_requestbuffers()
    (request.count, request.type, request.memory) = (UInt32(count), device.bufferType, V4L2_MEMORY_MMAP.rawValue)
    try device.perform(DeviceRequests.requestBuffers, &request)
    var buffers = unsafe [[Mapping]]()
    do throws(CaptureError) {
      guard request.count >= Self.fewest
      else { throw .isInconsistent(path: device.path, reason: "it has \(request.count) buffers for \(count)") }
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

  /// Frees the buffers, leased ones as soon as their frames are released.
  func finish() {
    state.withLock { $0.isFinished = true }
    freeUnused()
  }

  /// Stops the device and releases its buffers, so that it can be set to another mode. Leased frames keep their memory.
  ///
  /// If the device cannot release mapped buffers, waits for a limited time.
  func release(isStopped: () -> Bool) throws(CaptureError) {
    stop()
    state.withLock { ($0.isFinished, $0.isReturned) = (true, true) }
    freeUnused()
    let end = ContinuousClock.now + Self.timeout
    while true {
      let code = Self.giveAllBack(to: device)
      if code == 0 { return }
      guard code == EBUSY, ContinuousClock.now < end, !isStopped()
      else { throw .failed(DeviceRequests.requestBuffers.name, device.path, code) }
      usleep(Self.pause)
    }
  }

  /// How long frames may delay a change of mode, and microseconds between tries.
  private static let timeout = Duration.seconds(1)
  private static let pause: UInt32 = 5000

  private func freeUnused() {
    let (unused, isLast) = state.withLock { state in
      let unused = state.takeUnused()
      let isLast = state.isFinished && !state.isReturned && (canOrphan || state.mapped.isEmpty)
      if isLast { state.isReturned = true }
      return (unused, isLast)
    }
    for index in unused { unsafe Self.unmap(buffers[index], device) }
    // A device that refuses is gone.
    if isLast { _ = Self.giveAllBack(to: device) }
  }

  /// - Returns: 0, or an `errno` value.
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
    guard places.count >= setup.planes.count
    else { throw .isInconsistent(path: device.path, reason: "buffer \(index) has \(places.count) planes") }
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

  /// Queues all unleased buffers, and starts the stream.
  func start() throws(CaptureError) {
    // From here on each lease returns its buffer when it ends.
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

  /// Stops the stream.
  func stop() {
    state.withLock { $0.isStreaming = false }
    var type = Int32(bitPattern: device.bufferType)
    // A device that is gone has already stopped.
    _ = device.attempt(DeviceRequests.stopStream, &type)
  }

  /// Returns the next filled buffer; nil if none is ready yet.
  func dequeue() throws(CaptureError) -> Filled? {
    let (filled, code) = device.dequeue(planes: setup.planes.count)
    if code == EAGAIN { return nil }
    guard let filled else { throw .failed(unsafe DeviceRequests.dequeueBuffer.name, device.path, code) }
    guard filled.index < count
    else { throw .isInconsistent(path: device.path, reason: "it has filled buffer \(filled.index) of \(count)") }
    return filled
  }

  /// Returns a buffer to the device once no frame uses it.
  private func giveBack(_ index: Int) {
    state.withLock { state in
      state.leased.remove(index)
      // Under the lock: between a stop and a start the buffer would be queued twice. If the device refuses, it is gone,
      // and the next request reports it.
      if state.isStreaming { try? device.queue(index, planes: setup.planes.count) }
    }
    freeUnused()
  }

  /// Calls `body` with the contents of a single-plane buffer, then returns the buffer to the device.
  /// - Returns: nil if the buffer is empty.
  func withContents<Result, Failure: Error>(
    of filled: Filled, _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    defer { giveBack(filled.index) }
    let memory = unsafe buffers[filled.index][0]
    guard let start = filled.starts.first, let end = filled.used.first, start < end, unsafe end <= memory.length
    else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: memory.base + start, count: end - start)
    return try body(unsafe bytes.bytes)
  }

  /// Returns a frame over a buffer, which goes back to the device when the frame is released.
  /// - Returns: nil if the buffer is too short for a frame; the buffer has then been returned.
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

  /// Ends when the last frame over a buffer is released.
  private final class Lease {
    private let buffers: CaptureBuffers
    private let index: Int

    init(_ buffers: CaptureBuffers, _ index: Int) { (self.buffers, self.index) = (buffers, index) }

    deinit { buffers.giveBack(index) }
  }
}

/// The positions of a frame's planes in buffer memory.
struct PlanePlaces {
  struct Place: Hashable {
    /// The buffer plane.
    let memory: Int
    let offset: Int
    let stride: Int
  }

  let planes: [Place]

  /// - Parameters:
  ///   - used: Bytes used in each buffer plane.
  ///   - starts: The offset of the samples in each.
  /// - Returns: nil if the frame does not fit in the buffer, or is coded.
  init?(_ setup: CaptureSetup, used: [Int], starts: [Int]) {
    guard let layout = setup.mode.format.layout else { return nil }
    let size = setup.mode.size
    var planes: [Place] = []
    // The offset of the next plane in each memory.
    var ends = starts
    for index in 0..<layout.planeCount {
      let memory = setup.mode.format.hasSeparatePlanes ? index : 0
      guard memory < setup.planes.count, memory < used.count, memory < starts.count,
        starts[memory] % layout.bytesPerSample == 0
      else { return nil }
      let extent = layout.planeSize(index, of: size)
      let row = extent.width * layout.bytesPerSample
      // Planes in one memory share a stride; for separate chroma planes it counts half as many samples.
      let stated = setup.planes[memory].stride
      let isHalved = layout.packing == .planar && index > 0 && layout.chromaShiftX == 1
      let stride = stated == 0 ? row : isHalved ? stated / 2 : stated
      // Two-byte samples are read as words.
      guard stride >= row, stride <= 1 << 24, stride % layout.bytesPerSample == 0 else { return nil }
      planes.append(Place(memory: memory, offset: ends[memory], stride: stride))
      // The last row may lack padding.
      guard ends[memory] + stride * (extent.height - 1) + row <= used[memory] else { return nil }
      ends[memory] += stride * extent.height
    }
    self.planes = planes
  }
}
