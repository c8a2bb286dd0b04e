internal import ColorScience
internal import COpenEXR
public import Frames

/// Encodes linear light as OpenEXR with three half-float channels, bit for bit.
///
/// Attributes: `chromaticities` from the frame's primaries, `whiteLuminance` from `linearUnit` if known.
/// Source: Technical Introduction to OpenEXR and OpenEXR Standard Attributes (version 3.1).
public struct EXREncoder: ImageEncoder {
  private let compression: EXRCompression
  private let pixelAspectRatio: Double
  private let pointScale: Int?

  /// An encoder of half-float R, G and B.
  /// - Parameters:
  ///   - compression: Lossless compression.
  ///   - pixelAspectRatio: Pixel aspect ratio.
  ///   - pointScale: Pixels per point of 1/72 inch, written as `xDensity`; nil: unknown.
  public init(compression: EXRCompression, pixelAspectRatio: Double = 1, pointScale: Int? = nil) {
    (self.pointScale, self.compression, self.pixelAspectRatio) = (pointScale, compression, pixelAspectRatio)
  }

  /// The bytes of an OpenEXR file.
  /// - Parameter frame: A frame in `PixelLayout.linearRGB`.
  /// - Throws: `ImageFileError.notEncoded` if the library fails, `.outOfMemory`.
  public func encode(_ frame: CodedFrame) throws(ImageFileError) -> [UInt8] {
    precondition(frame.layout == .linearRGB)
    let file = try EXRMemoryFile(expectedByteCount: 6 * frame.size.width * frame.size.height)
    let part = try file.addPart(size: frame.size, compression: compression.code)
    try file.check(unsafe exr_set_pixel_aspect_ratio(file.context, part, Float(pixelAspectRatio)))
    try file.describe(part, color: frame.color, linearUnit: frame.metadata.linearUnit)
    if let pointScale {
      try file.check(unsafe exr_attr_set_float(file.context, part, "xDensity", Float(72 * pointScale)))
    }
    for channel in ["B", "G", "R"] {
      try file.check(
        unsafe exr_add_channel(
          file.context, part, channel, EXR_PIXEL_HALF, EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1))
    }
    try file.check(unsafe exr_write_header(file.context))
    try file.writeRows(of: frame, part: part)
    return try file.finish()
  }
}

extension EXRMemoryFile {
  /// Adds a scan-line picture whose display and data windows are the whole picture.
  fileprivate func addPart(size: Size, compression: exr_compression_t) throws(ImageFileError) -> Int32 {
    var part: Int32 = 0
    try check(unsafe exr_add_part(context, nil, EXR_STORAGE_SCANLINE, &part))
    let (width, height) = (Int32(clamping: size.width), Int32(clamping: size.height))
    try check(unsafe exr_initialize_required_attr_simple(context, part, width, height, compression))
    return part
  }

  fileprivate func describe(
    _ part: Int32, color: ColorDescription, linearUnit: Double?
  ) throws(ImageFileError) {
    if let space = color.primaries.space {
      var values = exr_attr_chromaticities_t(
        red_x: Float(space.red.x), red_y: Float(space.red.y), green_x: Float(space.green.x),
        green_y: Float(space.green.y), blue_x: Float(space.blue.x), blue_y: Float(space.blue.y),
        white_x: Float(space.white.x), white_y: Float(space.white.y))
      try check(unsafe exr_attr_set_chromaticities(context, part, "chromaticities", &values))
    }
    if let linearUnit { try check(unsafe exr_attr_set_float(context, part, "whiteLuminance", Float(linearUnit))) }
  }

  fileprivate func writeRows(of frame: CodedFrame, part: Int32) throws(ImageFileError) {
    var rowsPerChunk: Int32 = 0
    try check(unsafe exr_get_scanlines_per_chunk(context, part, &rowsPerChunk))
    // The library points into the structure, so it must not move.
    let pipeline = UnsafeMutablePointer<exr_encode_pipeline_t>.allocate(capacity: 1)
    unsafe pipeline.initialize(to: exr_encode_pipeline_t())
    defer {
      unsafe exr_encoding_destroy(context, pipeline)
      unsafe pipeline.deallocate()
    }
    for y in stride(from: 0, to: frame.size.height, by: Int(rowsPerChunk)) {
      var chunk = exr_chunk_info_t()
      try check(unsafe exr_write_scanline_chunk_info(context, part, Int32(y), &chunk))
      if y == 0 {
        try check(unsafe exr_encoding_initialize(context, part, &chunk, pipeline))
      } else {
        try check(unsafe exr_encoding_update(context, part, &chunk, pipeline))
      }
      unsafe point(pipeline, at: y, of: frame)
      if y == 0 { try check(unsafe exr_encoding_choose_default_routines(context, part, pipeline)) }
      try check(unsafe exr_encoding_run(context, part, pipeline))
    }
  }

  /// Directs the library to read the channels from the rows of the planes.
  private func point(_ pipeline: UnsafeMutablePointer<exr_encode_pipeline_t>, at y: Int, of frame: CodedFrame) {
    // Channels of a file are sorted by name, B, G, R; planes are G, B, R.
    for (channel, plane) in [1, 0, 2].enumerated() {
      let info = unsafe pipeline.pointee.channels + channel
      unsafe frame.withPlane(plane) { plane in
        unsafe info.pointee.user_pixel_stride = 2
        unsafe info.pointee.user_line_stride = Int32(clamping: plane.stride)
        unsafe info.pointee.encode_from_ptr = UnsafePointer(plane.row(y).assumingMemoryBound(to: UInt8.self))
      }
    }
  }
}

/// Lossless compression of an OpenEXR file.
public enum EXRCompression: String, Sendable, Hashable, Codable, CaseIterable {
  /// Uncompressed.
  case none
  /// Deflate over sixteen rows.
  case zip
  /// Wavelets and Huffman codes over thirty-two rows; smallest with grain.
  case piz

  fileprivate var code: exr_compression_t {
    switch self {
    case .none: EXR_COMPRESSION_NONE
    case .zip: EXR_COMPRESSION_ZIP
    case .piz: EXR_COMPRESSION_PIZ
    }
  }
}
