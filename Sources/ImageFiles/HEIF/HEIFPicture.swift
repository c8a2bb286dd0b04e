#if HEIF
  internal import CHEIF
  internal import ColorScience
  internal import Frames

  /// How the planes of a decoded picture of libheif's are those of a coded frame.
  struct HEIFPicture {
    let size: Size
    let layout: PixelLayout
    /// In the order of the frame's planes; R'G'B' is coded as G, B, R in place of Y, Cb, Cr (H.273, 8.3).
    private static let channels = [heif_channel_Y, heif_channel_Cb, heif_channel_Cr]

    /// - Throws: `ImageFileError.unsupported` where no layout holds such samples.
    init(_ image: OpaquePointer, _ components: PixelLayout.Components, path: String) throws(ImageFileError) {
      size = unsafe Size(
        width: Int(heif_image_get_primary_width(image)), height: Int(heif_image_get_primary_height(image)))
      try StillImage.check(size, path)
      let depth = unsafe Int(heif_image_get_bits_per_pixel_range(image, heif_channel_Y))
      guard [8, 10, 12].contains(depth) else {
        throw .unsupported(path: path, reason: "samples of \(depth) bit are not supported")
      }
      layout = PixelLayout(components, bitDepth: depth)
      for (index, channel) in Self.channels.enumerated() {
        let extent = unsafe Size(
          width: Int(heif_image_get_width(image, channel)), height: Int(heif_image_get_height(image, channel)))
        guard extent == layout.planeSize(index, of: size),
          unsafe Int(heif_image_get_bits_per_pixel_range(image, channel)) == depth
        else { throw .unsupported(path: path, reason: "its planes do not fit together") }
      }
    }

    /// A frame with copies of the planes.
    func frame(_ image: OpaquePointer, _ color: ColorDescription, _ metadata: HDRMetadata) -> CodedFrame {
      let frame = CodedFrame(size: size, layout: layout, color: color, metadata: metadata)
      for (index, channel) in Self.channels.enumerated() {
        var stride: Int32 = 0
        guard let source = unsafe heif_image_get_plane_readonly(image, channel, &stride) else { continue }
        let extent = layout.planeSize(index, of: size)
        unsafe frame.withPlane(index) { plane in
          for y in 0..<extent.height {
            unsafe plane.row(y).copyMemory(
              from: source + y * Int(stride), byteCount: extent.width * layout.bytesPerSample)
          }
        }
      }
      return frame
    }
  }

  extension PixelLayout.Components {
    var chroma: heif_chroma {
      switch self {
      case .ycbcr420: heif_chroma_420
      case .ycbcr422: heif_chroma_422
      case .ycbcr444, .rgb: heif_chroma_444
      }
    }
  }
#endif
