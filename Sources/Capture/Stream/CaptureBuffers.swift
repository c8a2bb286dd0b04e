internal import CV4L2
internal import Frames
internal import Glibc
internal import Synchronization

/// The buffers that a device fills, mapped into memory.
///
/// A frame over a buffer has a lease of it: when the last reader lets go, the buffer goes back to the device. The memory lives as long as
/// any lease does, also when the device has gone; with the last one it is freed, and the device can be set to another mode.
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
    /// Bytes in each plane, with what precedes the samples.
    let used: [Int]
    /// Where the samples of each plane begin.
    let starts: [Int]
  }

  private struct State {
    var isStreaming = false
    /// Buffers that a frame holds.
    var leased: Set<Int> = []
    /// No more frames will be made.
    var isFinished = false
    var isFreed = false
  }

  private let device: CaptureDevice
  private let setup: CaptureSetup
  private let buffers: [[Mapping]]
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
      unsafe Self.free(buffers, device)
      throw error
    }
    unsafe self.buffers = unsafe buffers
  }

  deinit { finish() }

  /// Frees the buffers as soon as no frame holds one.
  func finish() {
    state.withLock { $0.isFinished = true }
    freeIfUnused()
  }

  private func freeIfUnused() {
    let frees = state.withLock { state in
      guard state.isFinished, state.leased.isEmpty, !state.isFreed else { return false }
      state.isFreed = true
      return true
    }
    if frees { unsafe Self.free(buffers, device) }
  }

  private static func free(_ buffers: [[Mapping]], _ device: CaptureDevice) {
    unsafe unmap(Array(buffers.joined()), device)
    var none = v4l2_requestbuffers()
    (none.type, none.memory) = (device.bufferType, V4L2_MEMORY_MMAP.rawValue)
    // A device that refuses has gone.
    _ = device.attempt(DeviceRequests.requestBuffers, &none)
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
    let isStreaming = state.withLock { state in
      state.leased.remove(index)
      return state.isStreaming
    }
    // A device that refuses it has gone, which the next request says.
    if isStreaming { try? device.queue(index, planes: setup.planes.count) }
    freeIfUnused()
  }

  /// A frame over a buffer, which goes back to the device when nobody holds the frame any more.
  /// - Returns: nil if the buffer is too short for a frame; it has been given back.
  func frame(_ filled: Filled, color: ColorDescription, time: FrameTime, metadata: HDRMetadata) -> CodedFrame? {
    let (layout, size) = (setup.mode.format.layout, setup.mode.size)
    let used = unsafe zip(filled.used, buffers[filled.index]).map { unsafe $1.length < $0 ? 0 : $0 }
    guard let places = PlanePlaces(setup, used: used, starts: filled.starts) else {
      giveBack(filled.index)
      return nil
    }
    let planes = unsafe places.planes.enumerated().map { index, place in
      unsafe CodedFrame.Plane(
        base: buffers[filled.index][place.memory].base + place.offset, stride: place.stride,
        size: layout.planeSize(index, of: size))
    }
    state.withLock { _ = $0.leased.insert(filled.index) }
    return unsafe CodedFrame(
      size: size, layout: layout, color: color, time: time, metadata: metadata, isDamaged: filled.isDamaged,
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

/// Where the planes of a frame lie in the memory of a buffer.
struct PlanePlaces {
  struct Place: Hashable {
    /// The buffer plane.
    let memory: Int
    let offset: Int
    let stride: Int
  }

  let planes: [Place]

  /// - Parameters:
  ///   - used: Bytes in each buffer plane.
  ///   - starts: Where samples begin in them.
  /// - Returns: nil if the frame does not fit in them.
  init?(_ setup: CaptureSetup, used: [Int], starts: [Int]) {
    let (layout, size) = (setup.mode.format.layout, setup.mode.size)
    var planes: [Place] = []
    // Where the next plane begins in each memory.
    var ends = starts
    for index in 0..<layout.planeCount {
      let memory = setup.mode.format.hasSeparatePlanes ? index : 0
      guard memory < setup.planes.count, memory < used.count, memory < starts.count,
        starts[memory] % layout.bytesPerSample == 0
      else { return nil }
      let extent = layout.planeSize(index, of: size)
      let row = extent.width * layout.bytesPerSample
      // Planes of one memory share a stride, which for chroma planes of their own counts half as many samples.
      let stated = setup.planes[memory].stride
      let isHalved = layout.packing == .planar && index > 0 && layout.chromaShiftX == 1
      let stride = stated == 0 ? row : isHalved ? stated / 2 : stated
      // Samples of two bytes are read as words.
      guard stride >= row, stride <= 1 << 24, stride % layout.bytesPerSample == 0 else { return nil }
      planes.append(Place(memory: memory, offset: ends[memory], stride: stride))
      // The last row need not be padded.
      guard ends[memory] + stride * (extent.height - 1) + row <= used[memory] else { return nil }
      ends[memory] += stride * extent.height
    }
    self.planes = planes
  }
}
