internal import Foundation
internal import Frames

extension SampleFile {
  /// Reads the frames into memory.
  func frames(in scratch: Scratch) throws -> [CodedFrame] {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: scratch.path(name)))
    defer { try? file.close() }
    return try (0..<frameCount).map { _ in
      let frame = CodedFrame(size: size, layout: layout, color: Self.color)
      for index in 0..<layout.planeCount {
        try unsafe frame.withPlane(index) { plane throws(BenchmarkFailure) in
          let rowBytes = unsafe plane.size.width * layout.bytesPerSample
          guard let data = try? file.read(upToCount: unsafe rowBytes * plane.size.height),
            unsafe data.count == rowBytes * plane.size.height
          else { throw BenchmarkFailure("ffmpeg made fewer than \(frameCount) frames of \(size) from the clip.") }
          for y in unsafe 0..<plane.size.height {
            let row = unsafe UnsafeMutableRawBufferPointer(start: plane.row(y), count: rowBytes)
            unsafe row.copyBytes(from: data[(y * rowBytes)..<((y + 1) * rowBytes)])
          }
        }
      }
      return frame
    }
  }
}
