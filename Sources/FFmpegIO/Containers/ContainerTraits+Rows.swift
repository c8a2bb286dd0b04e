extension ContainerTraits {
  /// The containers; containers with the same traits share a row.
  package static let rows: [ContainerTraits] = [
    ContainerTraits(
      names: ["mp4"], family: .iso, isProposed: true, prefersX265: true, audioEncoder: "aac", textEncoder: "mov_text",
      covers: ["mjpeg", "png", "bmp"], holdsStaticMetadata: true, takesFreeTags: true, keptSuffixes: ["mp4", "m4v"],
      addedSuffixes: ["m4v"]),
    ContainerTraits(
      names: ["mov"], family: .iso, isProposed: true, prefersX265: true, refusedVideo: ["vp8", "vp9", "av1"],
      isLenient: true, audioEncoder: "aac", textEncoder: "mov_text", holdsStaticMetadata: true,
      hasQuickTimeLanguages: true, keptSuffixes: ["mov"], otherSuffixes: ["qt"]),
    ContainerTraits(
      names: ["matroska"], family: .matroska, isProposed: true, holdsMostStreams: true, prefersX265: true,
      isLenient: true, audioEncoder: "aac", textEncoder: "subrip", covers: ["mjpeg", "png"], holdsAttachments: true,
      holdsStaticMetadata: true, keptSuffixes: ["mkv"]),
    ContainerTraits(
      names: ["webm"], family: .matroska, isProposed: true, textEncoder: "webvtt", holdsStaticMetadata: true,
      otherSuffixes: ["webm"]),
    // Codecs with a stream type or descriptor; FFmpeg can read the AAC of Blu-ray streams.
    ContainerTraits(
      names: ["mpegts"], family: .transport, isProposed: true, prefersX265: true,
      videoCodecs: ["mpeg1video", "mpeg2video", "mpeg4", "h264", "hevc", "dirac", "cavs", "vc1"], audioEncoder: "aac",
      streamCodecs: [
        "mp2", "mp3", "aac", "aac_latm", "ac3", "eac3", "dts", "opus", "s302m", "dvb_subtitle", "dvb_teletext",
        "scte_35", "klv", "timed_id3",
      ],
      bluRayCodecs: [
        "mp2", "mp3", "aac", "ac3", "eac3", "dts", "truehd", "pcm_bluray", "hdmv_pgs_subtitle",
      ],
      holdsChapters: false, tags: [], keptSuffixes: ["ts", "m2ts"], otherSuffixes: ["m2t", "mts"]),
    ContainerTraits(names: ["nut"], isProposed: true, isLenient: true, sharesCodes: true, otherSuffixes: ["nut"]),
    ContainerTraits(
      names: ["ipod"], family: .iso, audioEncoder: "aac", textEncoder: "mov_text", covers: ["mjpeg", "png", "bmp"],
      takesFreeTags: true),
    ContainerTraits(
      names: ["ismv"], family: .iso, prefersX265: true, audioEncoder: "aac", textEncoder: "mov_text",
      isFragmented: true),
    ContainerTraits(names: ["f4v"], family: .iso, otherSuffixes: ["f4v"]),
    ContainerTraits(
      names: ["3gp", "3g2"], family: .iso, textEncoder: "mov_text", tags: [], otherSuffixes: ["3gp", "3g2"]),
    ContainerTraits(names: ["psp"], holdsChapters: false),
    // Video that FFmpeg can read back. Subtitles only have an id for DVD bitmaps, under which any other would be
    // written.
    ContainerTraits(
      names: ["mpeg", "vcd", "svcd", "dvd", "vob"],
      videoCodecs: ["mpeg1video", "mpeg2video", "mpeg4", "h264", "hevc"], subtitleCodecs: ["dvd_subtitle"],
      holdsChapters: false, tags: [], otherSuffixes: ["mpeg", "mpg", "vob"]),
    // Sound: SMPTE ST 382.
    ContainerTraits(
      names: ["mxf"], isLenient: true, soundCodecs: ["pcm_s16le", "pcm_s24le"], holdsChapters: false, tags: [],
      hasConstantRate: true, otherSuffixes: ["mxf"]),
    ContainerTraits(names: ["mxf_opatom"], holdsChapters: false, tags: [], hasConstantRate: true),
    ContainerTraits(names: ["mxf_d10", "gxf"], holdsChapters: false, tags: []),
    ContainerTraits(names: ["dv"], holdsChapters: false, tags: [], otherSuffixes: ["dv"]),
    ContainerTraits(
      names: ["avi"], refusedVideo: ["hevc"], isLenient: true, holdsChapters: false,
      tags: [
        "title", "artist", "album", "comment", "copyright", "date", "genre", "encoder", "language", "track",
      ],
      hasConstantRate: true, overstatesFrames: true, otherSuffixes: ["avi"]),
    ContainerTraits(names: ["asf"], isLenient: true, otherSuffixes: ["wmv"]),
    ContainerTraits(
      names: ["ogg"], videoCodecs: ["theora", "vp8"], holdsChapters: false, otherSuffixes: ["ogm", "ogv"]),
    ContainerTraits(names: ["ogv"], videoCodecs: ["theora", "vp8"]),
    ContainerTraits(names: ["flv"], audioEncoder: "aac", holdsChapters: false, otherSuffixes: ["flv"]),
    ContainerTraits(names: ["wtv"], holdsChapters: false),
    ContainerTraits(names: ["rm"], otherSuffixes: ["rm", "rmvb"]),
    ContainerTraits(
      names: ["hls"], family: .playlist, segmentCodecs: ["aac", "ac3", "eac3", "mp3"], holdsChapters: false, tags: []),
    ContainerTraits(names: ["dash"], holdsChapters: false),
    ContainerTraits(names: ["ivf"], videoCodecs: ["vp8", "vp9", "av1"], otherSuffixes: ["ivf"]),
    // Elementary streams without a container.
    ContainerTraits(names: ["h264"], videoCodecs: ["h264"], otherSuffixes: ["264", "h264"]),
    ContainerTraits(names: ["hevc"], videoCodecs: ["hevc"], otherSuffixes: ["265", "h265", "hevc"]),
    ContainerTraits(names: ["obu"], videoCodecs: ["av1"], otherSuffixes: ["av1", "obu"]),
    ContainerTraits(
      names: ["mpeg1video"], videoCodecs: ["mpeg1video"], holdsChapters: false, tags: [], otherSuffixes: ["m1v"]),
    ContainerTraits(
      names: ["mpeg2video"], videoCodecs: ["mpeg2video"], holdsChapters: false, tags: [], otherSuffixes: ["m2v"]),
    ContainerTraits(names: ["m4v"], videoCodecs: ["mpeg4"]),
    ContainerTraits(names: ["mjpeg"], videoCodecs: ["mjpeg"]),
    ContainerTraits(names: ["dirac"], videoCodecs: ["dirac"]),
    ContainerTraits(names: ["vc1"], videoCodecs: ["vc1"]),
    ContainerTraits(names: ["cavsvideo"], videoCodecs: ["cavs"]),
    ContainerTraits(
      names: ["yuv4mpegpipe"], family: .y4m, videoCodecs: ["rawvideo", "wrapped_avframe"], isBare: true,
      isNotReadBack: true, hasConstantRate: true, otherSuffixes: ["y4m"]),
    ContainerTraits(names: ["rawvideo"], isBare: true, isNotReadBack: true),
    ContainerTraits(names: ["data"], isNotReadBack: true),
    ContainerTraits(names: ["image2"], family: .pictures),
    ContainerTraits(names: ["gif"], family: .animation, videoCodecs: ["gif"]),
    ContainerTraits(names: ["apng"], family: .animation, videoCodecs: ["apng"]),
    ContainerTraits(names: ["webp"], videoCodecs: ["webp"], isReadAsBT601: true),
    ContainerTraits(names: ["fits"], videoCodecs: ["fits"]),
    ContainerTraits(names: ["null"], family: .nothing, segmentCodecs: nil, isOfChecks: true),
    ContainerTraits(names: ["framemd5", "md5", "hash", "framehash", "streamhash"], isOfChecks: true, isHash: true),
    ContainerTraits(names: ["framecrc", "crc"], isOfChecks: true),
  ]
}
