internal import Compositing
internal import COpenEXR
internal import Frames

/// Decodes the chunks of a part, scan lines or full-resolution tiles, into a frame.
@safe
final class EXRChunks {
  // @safe: the pointers are used while this object lives, and what they point to is freed with it.

  private let file: EXRFile
  private let part: EXRPart
  /// The library points into the structure, so it must not move.
  private let pipeline: UnsafeMutablePointer<exr_decode_pipeline_t>
  private var isReady = false
  /// Pixels of the largest chunk.
  private let extent: Size
  /// A chunk: separate channels, rows without gaps.
  private let samples: UnsafeMutableBufferPointer<UInt16>
  private let names: [String]
  /// Alpha of the display window, transparent outside the data window; nil if the part has none.
  private(set) var alpha: AlphaPlane?

  init(_ file: EXRFile, _ part: EXRPart) throws(ImageFileError) {
    (self.file, self.part) = (file, part)
    var (width, height) = (Int32(clamping: part.dataWindow.width), Int32(1))
    if part.isTiled {
      try file.check(unsafe exr_get_tile_sizes(file.context, part.index, 0, 0, &width, &height))
    } else {
      try file.check(unsafe exr_get_scanlines_per_chunk(file.context, part.index, &height))
    }
    guard width > 0, height > 0 else { throw .unreadable(path: file.path, reason: "its tiles have no pixels") }
    extent = Size(width: min(Int(width), part.dataWindow.width), height: min(Int(height), part.dataWindow.height))
    names = Set(part.channels.all).sorted()
    try Self.check(extent, names.count, file, part)
    let count = names.count * extent.width * extent.height
    unsafe samples = unsafe UnsafeMutableBufferPointer(
      start: ZeroedMemory.allocate(byteCount: 2 * count).bindMemory(to: UInt16.self, capacity: count), count: count)
    if part.channels.alpha != nil {
      alpha = AlphaPlane(size: Size(width: part.displayWindow.width, height: part.displayWindow.height))
    }
    unsafe pipeline = UnsafeMutablePointer.allocate(capacity: 1)
    unsafe pipeline.initialize(to: exr_decode_pipeline_t())
  }

  /// Maximum bytes of a chunk, and bytes of each entry in the chunk offset table.
  private static let maxChunk = 1 << 30
  private static let entrySize = 8

  /// - Throws: `ImageFileError` if the file cannot hold as many chunks as its header states, or one is too large.
  private static func check(_ extent: Size, _ channels: Int, _ file: EXRFile, _ part: EXRPart) throws(ImageFileError) {
    let window = part.dataWindow
    let columns = (window.width + extent.width - 1) / extent.width
    let rows = (window.height + extent.height - 1) / extent.height
    guard entrySize * columns * rows <= file.byteCount
    else { throw .unreadable(path: file.path, reason: "it is truncated before its pixels") }
    guard 2 * channels * extent.width * extent.height <= maxChunk
    else { throw .unsupported(path: file.path, reason: "its tiles of \(extent) are too large") }
  }

  deinit {
    unsafe exr_decoding_destroy(file.context, pipeline)
    unsafe pipeline.deallocate()
    if let base = unsafe samples.baseAddress { unsafe ZeroedMemory.free(base) }
  }

  /// - Parameter frame: As large as the display window; pixels outside the data window are unchanged.
  func decode(into frame: CodedFrame) throws(ImageFileError) {
    let window = part.dataWindow
    for y in stride(from: 0, to: window.height, by: extent.height) where overlapsY(y) {
      for x in stride(from: 0, to: window.width, by: extent.width) where overlapsX(x) {
        let size = Size(width: min(extent.width, window.width - x), height: min(extent.height, window.height - y))
        var chunk = exr_chunk_info_t()
        let code =
          part.isTiled
          ? unsafe exr_read_tile_chunk_info(
            file.context, part.index, Int32(x / extent.width), Int32(y / extent.height), 0, 0, &chunk)
          : unsafe exr_read_scanline_chunk_info(file.context, part.index, Int32(window.minY + y), &chunk)
        try file.check(code)
        guard chunk.width == size.width, chunk.height == size.height
        else { throw .unreadable(path: file.path, reason: "a chunk does not have the size that the header states") }
        try decode(&chunk)
        store(size, x: window.minX + x, y: window.minY + y, in: frame)
      }
    }
  }

  private func overlapsX(_ x: Int) -> Bool {
    let first = part.dataWindow.minX + x
    return first <= part.displayWindow.maxX && first + extent.width > part.displayWindow.minX
  }

  private func overlapsY(_ y: Int) -> Bool {
    let first = part.dataWindow.minY + y
    return first <= part.displayWindow.maxY && first + extent.height > part.displayWindow.minY
  }

  /// Decodes into `samples`; the library converts other types to half float.
  private func decode(_ chunk: inout exr_chunk_info_t) throws(ImageFileError) {
    if isReady {
      try file.check(unsafe exr_decoding_update(file.context, part.index, &chunk, pipeline))
    } else {
      try file.check(unsafe exr_decoding_initialize(file.context, part.index, &chunk, pipeline))
    }
    takeSamples()
    if !isReady {
      try file.check(unsafe exr_decoding_choose_default_routines(file.context, part.index, pipeline))
    }
    isReady = true
    try file.check(unsafe exr_decoding_run(file.context, part.index, pipeline))
  }

  /// Directs the library to write each channel to `samples`, as half floats.
  private func takeSamples() {
    let pixels = extent.width * extent.height
    for index in unsafe 0..<Int(pipeline.pointee.channel_count) {
      let info = unsafe pipeline.pointee.channels + index
      guard let name = unsafe info.pointee.channel_name,
        let place = unsafe names.firstIndex(of: String(cString: name)), let base = unsafe samples.baseAddress
      else { continue }
      unsafe info.pointee.user_data_type = UInt16(EXR_PIXEL_HALF.rawValue)
      unsafe info.pointee.user_bytes_per_element = 2
      unsafe info.pointee.user_pixel_stride = 2
      unsafe info.pointee.user_line_stride = Int32(clamping: 2 * extent.width)
      unsafe info.pointee.decode_to_ptr = UnsafeMutableRawPointer(base + pixels * place)
        .assumingMemoryBound(to: UInt8.self)
    }
  }

  /// Copies the decoded chunk, whose first pixel is at (`x`, `y`) in file coordinates, to its position in the display
  /// window.
  private func store(_ size: Size, x: Int, y: Int, in frame: CodedFrame) {
    let window = part.displayWindow
    let rows = max(y, window.minY)..<max(min(y + size.height, window.maxY + 1), max(y, window.minY))
    let columns = max(x, window.minX)..<max(min(x + size.width, window.maxX + 1), max(x, window.minX))
    let planes = [part.channels.green, part.channels.blue, part.channels.red].compactMap(names.firstIndex)
    for row in rows {
      for (plane, place) in planes.enumerated() {
        let start = (place * extent.height + row - y) * extent.width + columns.lowerBound - x
        unsafe frame.withHalfRow(plane, row - window.minY) { target in
          for index in columns.indices {
            let offset = index - columns.lowerBound
            unsafe target[index - window.minX] = HalfSample.finite(samples[start + offset])
          }
        }
      }
    }
    if let name = part.channels.alpha, let place = names.firstIndex(of: name) {
      for row in rows {
        let start = (place * extent.height + row - y) * extent.width + columns.lowerBound - x
        for (index, column) in columns.enumerated() {
          let bits = unsafe HalfSample.finite(samples[start + index])
          alpha?[column - window.minX, row - window.minY] = Float(Float16(bitPattern: bits))
        }
      }
    }
  }
}
