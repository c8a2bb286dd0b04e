internal import CV4L2
internal import Glibc

/// A driver's timestamp; nil if it is out of range.
private func microseconds(_ time: timeval) -> Int64? {
  guard (0..<1 << 40).contains(time.tv_sec), (0..<1_000_000).contains(time.tv_usec) else { return nil }
  return Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_usec)
}

extension CaptureDevice {
  /// Returns the lengths and mapping offsets of a buffer's planes.
  func places(of index: Int) throws(CaptureError) -> [(length: Int, offset: Int)] {
    var places: [(length: Int, offset: Int)] = []
    let code = unsafe withBuffer(index) { buffer, planes in
      let code = unsafe attempt(DeviceRequests.queryBuffer, &buffer)
      guard code == 0 else { return code }
      places =
        isMultiplanar
        ? unsafe planes.prefix(Int(buffer.length)).map { unsafe (Int($0.length), Int($0.m.mem_offset)) }
        : unsafe [(Int(buffer.length), Int(buffer.m.offset))]
      return 0
    }
    if code != 0 { throw .failed(unsafe DeviceRequests.queryBuffer.name, path, code) }
    return places
  }

  /// Queues a buffer for the device to fill.
  func queue(_ index: Int, planes: Int) throws(CaptureError) {
    let code = unsafe withBuffer(index, planes: planes) { buffer, _ in
      unsafe attempt(DeviceRequests.queueBuffer, &buffer)
    }
    if code != 0 { throw .failed(unsafe DeviceRequests.queueBuffer.name, path, code) }
  }

  /// Dequeues a filled buffer; nil with an `errno` value.
  func dequeue(planes: Int) -> (filled: CaptureBuffers.Filled?, code: Int32) {
    var filled: CaptureBuffers.Filled?
    let code = unsafe withBuffer(0, planes: planes) { buffer, memory in
      let code = unsafe attempt(DeviceRequests.dequeueBuffer, &buffer)
      guard code == 0 else { return code }
      let isMonotonic =
        unsafe buffer.flags & UInt32(bitPattern: V4L2_BUF_FLAG_TIMESTAMP_MASK)
        == UInt32(bitPattern: V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
      let time = unsafe buffer.timestamp
      let used = isMultiplanar ? unsafe memory.prefix(planes).map { Int($0.bytesused) } : unsafe [Int(buffer.bytesused)]
      filled = unsafe CaptureBuffers.Filled(
        index: Int(buffer.index), sequence: buffer.sequence,
        time: isMonotonic ? microseconds(time) : nil,
        isDamaged: buffer.flags & UInt32(bitPattern: V4L2_BUF_FLAG_ERROR) != 0,
        isLast: buffer.flags & UInt32(bitPattern: V4L2_BUF_FLAG_LAST) != 0, used: used,
        starts: isMultiplanar ? memory.prefix(planes).map { Int($0.data_offset) } : [0])
      return 0
    }
    return (filled, code)
  }

  /// Calls `body` with a buffer description and memory for its planes.
  private func withBuffer(
    _ index: Int, planes: Int = Int(VIDEO_MAX_PLANES),
    _ body: (inout v4l2_buffer, UnsafeMutableBufferPointer<v4l2_plane>) -> Int32
  ) -> Int32 {
    unsafe withUnsafeTemporaryAllocation(of: v4l2_plane.self, capacity: Int(VIDEO_MAX_PLANES)) { memory in
      unsafe memory.initialize(repeating: v4l2_plane())
      var buffer = unsafe v4l2_buffer()
      unsafe (buffer.index, buffer.type) = (UInt32(index), bufferType)
      unsafe buffer.memory = V4L2_MEMORY_MMAP.rawValue
      if isMultiplanar { unsafe (buffer.m.planes, buffer.length) = (memory.baseAddress, UInt32(planes)) }
      return unsafe body(&buffer, memory)
    }
  }
}
