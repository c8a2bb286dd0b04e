internal import CASS
internal import Frames
internal import Media
internal import Rendering

/// Draws script lines with libass.
@safe
final class TextDrawing {
  // @safe: the pointers do not leave this class, and are freed with it.
  private let library: OpaquePointer
  private let renderer: OpaquePointer
  private let track: UnsafeMutablePointer<ASS_Track>
  private let messages: UnsafeMutablePointer<hr_ass_messages>
  private let geometry: SubtitleGeometry
  private let light: GraphicsLight
  private var last: LightOverlay?

  /// Maximum number of overlapping subtitles: heavily animated signs have some hundreds.
  static let maximumAtOnce = 5000
  /// Maximum coverage of the picture by all layers together.
  static let maximumCover = 64
  /// Maximum number of pixels of all letters shown at once: a line of text in 4K has about a million.
  static let maximumPixels = 256e6
  /// Maximum number of cached glyphs, and megabytes of cached bitmaps; a single frame's may exceed them.
  private static let cache: (glyphs: Int32, megabytes: Int32) = (4096, 128)

  init(_ script: SubtitleScript, _ geometry: SubtitleGeometry, _ light: GraphicsLight) throws(SubtitleError) {
    (self.geometry, self.light) = (geometry, light)
    let spans = script.lines.map { ($0.start, $0.start.addingReportingOverflow(max($0.duration, 0)).partialValue, 1.0) }
    if let excess = OverlapSum.excess(of: spans, over: Double(Self.maximumAtOnce)) {
      throw .tooManyAtOnce(excess.count, seconds: Double(excess.time) / 1000)
    }
    guard let library = unsafe ass_library_init() else { throw .outOfMemory }
    guard let messages = unsafe hr_ass_listen(library) else {
      unsafe ass_library_done(library)
      throw .outOfMemory
    }
    guard let renderer = unsafe ass_renderer_init(library) else {
      unsafe ass_library_done(library)
      unsafe hr_ass_stop_listening(messages)
      throw .outOfMemory
    }
    guard let track = unsafe ass_new_track(library) else {
      unsafe ass_renderer_done(renderer)
      unsafe ass_library_done(library)
      unsafe hr_ass_stop_listening(messages)
      throw .outOfMemory
    }
    unsafe (self.library, self.messages, self.renderer, self.track) = unsafe (library, messages, renderer, track)
    addFonts(script.fonts)
    configure(isNative: script.isNative)
    addLines(of: script)
    try checkCost()
  }

  deinit {
    unsafe ass_free_track(track)
    unsafe ass_renderer_done(renderer)
    unsafe ass_library_done(library)
    unsafe hr_ass_stop_listening(messages)
  }

  /// libass limits neither memory nor time.
  private func checkCost() throws(SubtitleError) {
    let script = unsafe track.pointee
    let styles = unsafe (0..<Int(script.n_styles)).map { unsafe TextSize(script.styles[$0]) }
    guard let first = styles.first else { return }
    let all = styles.dropFirst().reduce(first) { $0.union($1) }
    // libass assumes 384 by 288 if a script states no size.
    let scale = unsafe SIMD2(
      Double(geometry.size.width) / Double(script.PlayResX > 0 ? script.PlayResX : 384),
      Double(geometry.size.height) / Double(script.PlayResY > 0 ? script.PlayResY : 288))
    let spans = unsafe (0..<Int(script.n_events)).map { index -> (Int64, Int64, Double) in
      let event = unsafe script.events[index]
      let text = unsafe event.Text.map {
        unsafe [UInt8](UnsafeBufferPointer(start: $0, count: strlen($0)).map(UInt8.init(bitPattern:)))
      }
      let style = unsafe styles.indices.contains(Int(event.Style)) ? styles[Int(event.Style)] : all
      let cost = TextCost(text ?? [], style, all: all, scale: scale)
      return unsafe (event.Start, event.Start.addingReportingOverflow(max(event.Duration, 0)).partialValue, cost.pixels)
    }
    if let excess = OverlapSum.excess(of: spans, over: Self.maximumPixels) {
      throw .tooLarge(seconds: Double(excess.time) / 1000)
    }
  }

  private func addFonts(_ fonts: [SubtitleScript.Font]) {
    for font in fonts {
      unsafe font.bytes.withUnsafeBufferPointer { bytes in
        guard let base = bytes.baseAddress, let count = Int32(exactly: bytes.count) else { return }
        unsafe base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          unsafe ass_add_font(library, font.name, $0, count)
        }
      }
    }
  }

  /// ASS scripts are stretched with the video that they were authored for, as in players. Other text keeps its shape.
  private func configure(isNative: Bool) {
    unsafe ass_set_fonts(renderer, nil, nil, Int32(ASS_FONTPROVIDER_AUTODETECT.rawValue), nil, 1)
    unsafe ass_set_cache_limits(renderer, Self.cache.glyphs, Self.cache.megabytes)
    unsafe ass_set_frame_size(renderer, Int32(geometry.size.width), Int32(geometry.size.height))
    if isNative {
      unsafe ass_set_storage_size(renderer, Int32(geometry.storage.width), Int32(geometry.storage.height))
    } else {
      unsafe ass_set_pixel_aspect(renderer, 1 / geometry.pixelAspect)
    }
  }

  private func addLines(of script: SubtitleScript) {
    // Lines with duplicate numbers are not dropped.
    unsafe ass_set_check_readorder(track, 0)
    unsafe Self.withCharacters(of: script.header) { unsafe ass_process_codec_private(track, $0, $1) }
    for line in script.lines {
      unsafe Self.withCharacters(of: line.text) { unsafe ass_process_chunk(track, $0, $1, line.start, line.duration) }
    }
  }

  /// libass requires mutable characters, although it does not change them.
  private static func withCharacters(of bytes: [UInt8], _ body: (UnsafeMutablePointer<CChar>, Int32) -> Void) {
    var characters = bytes.map { CChar(bitPattern: $0) } + [0]
    unsafe characters.withUnsafeMutableBufferPointer { buffer in
      if let base = buffer.baseAddress { unsafe body(base, Int32(clamping: bytes.count)) }
    }
  }

  /// Whether characters without a glyph in any font were drawn.
  var lacksGlyphs: Bool { unsafe messages.pointee.missing_glyphs > 0 }

  /// Returns the overlay at a time in milliseconds.
  func overlay(at time: Int64) throws(SubtitleError) -> LightOverlay? {
    var change: Int32 = 0
    let first = unsafe ass_render_frame(renderer, track, time, &change)
    if change == 0 { return last }
    last = nil
    last = try unsafe compose(first, at: time)
    return last
  }

  private func compose(_ first: UnsafeMutablePointer<ASS_Image>?, at time: Int64) throws(SubtitleError) -> LightOverlay?
  {
    var (areas, cover, next) = unsafe ([PictureArea](), 0, first)
    while let image = unsafe next {
      unsafe areas.append(image.pointee.area)
      cover += areas[areas.count - 1].width * areas[areas.count - 1].height
      unsafe next = unsafe image.pointee.next
    }
    // A small picture may be covered by one large layer.
    guard cover <= Self.maximumCover * max(geometry.size.width * geometry.size.height, 1 << 20)
    else { throw .tooManyLayers(seconds: Double(time) / 1000) }
    var canvas = OverlayCanvas(geometry.size, areas)
    unsafe next = first
    while let image = unsafe next {
      unsafe blend(image.pointee, on: &canvas)
      unsafe next = unsafe image.pointee.next
    }
    return canvas.overlay(turnedBy: geometry.turn)
  }

  private func blend(_ image: ASS_Image, on canvas: inout OverlayCanvas) {
    guard let mask = unsafe image.bitmap else { return }
    let color = unsafe image.color
    func byte(_ shift: Int) -> UInt8 { UInt8(truncatingIfNeeded: color >> shift) }
    // The last byte is transparency.
    unsafe canvas.blend(
      mask, stride: Int(image.stride), at: image.area, light: light.light(byte(24), byte(16), byte(8)),
      alpha: Float(255 - byte(0)) / 255)
  }
}

extension ASS_Image {
  fileprivate var area: PictureArea {
    unsafe PictureArea(x: Int(dst_x), y: Int(dst_y), width: Int(w), height: Int(h))
  }
}
