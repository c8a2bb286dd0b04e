internal import CFFmpeg
internal import Media

/// The sample format of an audio encoder: the source's, as nearly as the encoder supports it.
@safe
struct AudioForm {
  let format: AVSampleFormat
  let rate: Int32
  // @safe: the layout never owns memory.
  /// The layout: native, or only a number of channels.
  let layout: AVChannelLayout

  /// Layouts of encoders that state none, but have channels in a fixed order: Vorbis I, 4.3.9; RFC 7845, 5.1.1.2.
  private static let vorbisLayouts = ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"]
  /// Layouts with a number in AAC (ISO/IEC 14496-3, table 1.19). FFmpeg would describe others, including the same
  /// loudspeakers called "side", in a way that few players support.
  private static let aacLayouts = ["mono", "stereo", "3.0", "4.0", "5.0", "5.1"]

  /// - Parameter source: An open decoder.
  init(_ codec: UnsafePointer<AVCodec>, near source: UnsafePointer<AVCodecContext>, mix: ChannelMix?) {
    format = unsafe Self.format(codec, near: source.pointee.sample_fmt)
    rate = unsafe Self.rate(codec, near: source.pointee.sample_rate)
    unsafe layout = unsafe Self.layout(codec, near: source.pointee.ch_layout, mix)
  }

  /// The encoder's format of the same kind; otherwise the smallest of at least that precision; otherwise its finest.
  private static func format(_ codec: UnsafePointer<AVCodec>, near wanted: AVSampleFormat) -> AVSampleFormat {
    guard let list = unsafe hr_encoder_sample_formats(codec) else { return wanted }
    var all: [AVSampleFormat] = []
    while unsafe list[all.count] != AV_SAMPLE_FMT_NONE { all.append(unsafe list[all.count]) }
    if let same = all.first(where: { av_get_packed_sample_fmt($0) == av_get_packed_sample_fmt(wanted) }) { return same }
    let sizes = all.map { av_get_bytes_per_sample($0) }
    let size = sizes.filter { $0 >= av_get_bytes_per_sample(wanted) }.min() ?? sizes.max()
    return zip(all, sizes).first { $0.1 == size }?.0 ?? wanted
  }

  /// The encoder's lowest sample rate that is at least the requested one, or its highest.
  private static func rate(_ codec: UnsafePointer<AVCodec>, near wanted: Int32) -> Int32 {
    guard let rates = unsafe hr_encoder_sample_rates(codec) else { return wanted }
    var all: [Int32] = []
    while unsafe rates[all.count] != 0 { all.append(unsafe rates[all.count]) }
    return all.filter { $0 >= wanted }.min() ?? all.max() ?? wanted
  }

  /// The source's layout if the encoder has it; otherwise the same loudspeakers by another name, one with as many
  /// channels, the largest with fewer, or the smallest with more.
  private static func layout(
    _ codec: UnsafePointer<AVCodec>, near source: AVChannelLayout, _ mix: ChannelMix?
  ) -> AVChannelLayout {
    var wanted = unsafe source
    if unsafe source.order != AV_CHANNEL_ORDER_NATIVE {
      unsafe av_channel_layout_default(&wanted, source.nb_channels)
    }
    if let mix, unsafe Int(wanted.nb_channels) > mix.channels { unsafe wanted = layout(mix.rawValue) }
    let name = unsafe text(codec.pointee.name) ?? ""
    if name == "aac" {
      let standard = unsafe aacLayouts.map { unsafe layout($0) }
      return unsafe standard.first { unsafe $0.isTwin(of: wanted) } ?? wanted
    }
    let isVorbis = ["libopus", "libvorbis"].contains(name)
    let all = unsafe isVorbis ? vorbisLayouts.map { unsafe layout($0) } : layouts(of: codec)
    if unsafe all.isEmpty { return unsafe wanted }
    let count = unsafe wanted.nb_channels
    let fewer = unsafe all.map(\.nb_channels).filter { $0 < count }.max()
    let best =
      unsafe all.first { unsafe $0.isSame(as: wanted) } ?? all.first { unsafe $0.isTwin(of: wanted) }
      ?? all.last { unsafe $0.nb_channels == count } ?? all.last { unsafe $0.nb_channels == fewer }
      ?? all.min { unsafe $0.nb_channels < $1.nb_channels }
    return unsafe best ?? wanted
  }

  private static func layouts(of codec: UnsafePointer<AVCodec>) -> [AVChannelLayout] {
    guard let list = unsafe hr_encoder_channel_layouts(codec) else { return unsafe [] }
    var all: [AVChannelLayout] = unsafe []
    while unsafe list[all.count].nb_channels != 0 { unsafe all.append(list[all.count]) }
    return unsafe all.filter { unsafe $0.order == AV_CHANNEL_ORDER_NATIVE }
  }

  private static func layout(_ name: String) -> AVChannelLayout {
    var layout = unsafe AVChannelLayout()
    unsafe av_channel_layout_from_string(&layout, name)
    return unsafe layout
  }
}

extension AVChannelLayout {
  /// Whether the channels and their order are the same.
  func isSame(as other: AVChannelLayout) -> Bool {
    var (one, two) = unsafe (self, other)
    return unsafe av_channel_layout_compare(&one, &two) == 0
  }

  /// Whether the loudspeakers are the same, with surrounds called either "side" or "back".
  fileprivate func isTwin(of other: AVChannelLayout) -> Bool {
    unsafe order == AV_CHANNEL_ORDER_NATIVE && other.order == AV_CHANNEL_ORDER_NATIVE
      && nb_channels == other.nb_channels && Self.backed(u.mask) == Self.backed(other.u.mask)
  }

  /// A mask with side channels moved to the back, if it has no back channels.
  private static func backed(_ mask: UInt64) -> UInt64 {
    let (backs, sides): (UInt64, UInt64) = (
      1 << UInt64(AV_CHAN_BACK_LEFT.rawValue) | 1 << UInt64(AV_CHAN_BACK_RIGHT.rawValue),
      1 << UInt64(AV_CHAN_SIDE_LEFT.rawValue) | 1 << UInt64(AV_CHAN_SIDE_RIGHT.rawValue)
    )
    return mask & sides == sides && mask & backs == 0 ? mask & ~sides | backs : mask
  }
}
