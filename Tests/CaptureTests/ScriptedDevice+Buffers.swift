import CV4L2
import Foundation

import Capture

extension ScriptedDevice {
  /// Requests that move buffers.
  func answerOfStream(_ code: UInt, _ argument: UnsafeMutableRawPointer) -> Int32? {
    with(argument, code, DeviceRequests.requestBuffers) { request in
      let code = isStreaming ? EBUSY : orphanAll()
      if code != 0 { return code }
      request.count = min(request.count, UInt32(mostBuffers))
      request.capabilities = canOrphan ? UInt32(V4L2_BUF_CAP_SUPPORTS_ORPHANED_BUFS) : 0
      for index in 0..<Int(request.count) where memory[index] == nil {
        memory[index] = lengths.map { .allocate(byteCount: $0, alignment: 64) }
      }
      return 0
    }
      ?? with(argument, code, DeviceRequests.queryBuffer) { buffer in
        guard let planes = memory[Int(buffer.index)] else { return EINVAL }
        for (index, plane) in planes.enumerated() {
          let offset = UInt32(Int(buffer.index) << 8 | index)
          if isMultiplanar {
            (buffer.m.planes[index].length, buffer.m.planes[index].m.mem_offset) = (UInt32(plane.count), offset)
          } else {
            (buffer.length, buffer.m.offset) = (UInt32(plane.count), offset)
          }
        }
        if isMultiplanar { buffer.length = UInt32(planes.count) }
        return 0
      }
      ?? with(argument, code, DeviceRequests.queueBuffer) { buffer in
        guard !queued.contains(Int(buffer.index)), memory[Int(buffer.index)] != nil else {
          misqueued += 1
          return EINVAL
        }
        queued.append(Int(buffer.index))
        return 0
      }
      ?? with(argument, code, DeviceRequests.dequeueBuffer) { dequeue(&$0) }
      ?? with(argument, code, DeviceRequests.startStream) { _ in
        isStreaming = true
        return 0
      }
      ?? with(argument, code, DeviceRequests.stopStream) { _ in
        (isStreaming, queued) = (false, [])
        return 0
      }
  }

  private func dequeue(_ buffer: inout v4l2_buffer) -> Int32 {
    guard isStreaming else { return EINVAL }
    guard !queued.isEmpty, sent < frames else { return EAGAIN }
    let index = queued.removeFirst()
    let filled = fill(sent, memory[index] ?? [])
    buffer.index = UInt32(index)
    (buffer.sequence, buffer.flags) = (filled.sequence, flags)
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    buffer.timestamp = timeval(tv_sec: now.tv_sec, tv_usec: now.tv_nsec / 1000)
    for (plane, used) in filled.used.enumerated() {
      if isMultiplanar {
        (buffer.m.planes[plane].bytesused, buffer.m.planes[plane].data_offset) = (UInt32(used), UInt32(dataOffset))
      } else {
        buffer.bytesused = UInt32(used)
      }
    }
    if isLast(sent) { buffer.flags |= UInt32(V4L2_BUF_FLAG_LAST) }
    sent += 1
    return 0
  }
}
