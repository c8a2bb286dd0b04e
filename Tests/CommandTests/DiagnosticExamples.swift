import Displays
import Capture
import ColorScience
import Frames
import ImageFiles
import Media
import Patterns
import Rendering
import Sessions
import ToneMapping

/// A diagnostic of every kind, and what its words have to name.
enum DiagnosticExamples {
  typealias Example = (diagnostic: Diagnostic, values: [String])

  static let all: [Example] =
    requests + codings + inputs + geometries + devices + previews + servers + sources + mappings + names + forms
    + streams + runs
    + pictures
    + sheets
    + patterns
    + comparisons + films + constantColors + libraries

  private static let pq = ColorDescription.bt2100PQ
  private static let size = Size(width: 1234, height: 567)

  private static let requests: [Example] = [
    (.outOfRange(.peak, "0.5", "1.0", "10000.0 cd/m²"), ["--peak", "0.5", "1.0", "10000.0 cd/m²"]),
    (.outOfRange(.maxErrors, "-1", "0", nil), ["--max-errors", "-1", "0 or more"]),
    (.exclusive(.frames, .startOrDuration), ["--frames", "--start or --duration"]),
    (.exclusive(.at, .otherSelection), ["--at", "--every"]),
    (.exclusive(.contact, .otherSelection), ["--contact", "--frames"]),
  ]

  private static let libraries: [Example] = [
    (.library(.isOfOneFilm(.statistics)), ["--stats"]), (.library(.isNoFile(name: "-")), ["'-'", "folder"]),
    (.library(.isMissing(name: "a")), ["'a'"]), (.library(.isNoSuffix("a/b")), ["'a/b'", "--suffix"]),
    (.library(.hasNoSuffix(format: "framemd5")), ["-f framemd5", "--suffix"]),
    (.library(.suffixIsOfAnother(suffix: "mov", format: "matroska")), ["--suffix mov", "-f matroska"]),
    (.library(.isOfPictures(suffix: "png")), [".png", "--suffix"]), (.library(.needsFolder(name: "-")), ["-o FOLDER/"]),
    (.library(.needsFolder(name: "a.mkv")), ["'a.mkv'"]),
    (.library(.isOutputFolder(name: "films")), ["'films'", "-o"]),
    (.library(.cannotList(folder: "films", reason: "Denied")), ["'films'", "Denied"]),
    (.library(.cannotMakeFolder(folder: "films", reason: "Denied")), ["'films'", "Denied"]),
    (.library(.hasNoFilm(inputs: ["a", "b"])), ["'a', 'b'"]),
    (
      .library(.haveOneOutput("a.mp4", "a.mov", output: "out/a.mkv", differByCase: false)),
      ["'a.mp4'", "'a.mov'", "'out/a.mkv'"]
    ),
    (.library(.haveOneOutput("a.mp4", "A.mov", output: "out/A.mkv", differByCase: true)), ["'A.mov'", "case"]),
    (.library(.wouldReplaceInput(input: "a.mkv", output: "b.mkv")), ["'a.mkv'", "'b.mkv'", "-o"]),
    (.library(.outputsExist(name: "a.mkv", count: 1)), ["'a.mkv' already exists", "--skip-existing", "--overwrite"]),
    (.library(.outputsExist(name: "a.mkv", count: 3)), ["'a.mkv' and 2 more", "--skip-existing"]),
    (.library(.leavesOut(folder: "in/out")), ["'in/out'"]), (.library(.leadsElsewhere(folder: "in/x")), ["'in/x'"]),
    (.library(.waitsForOthers(["a.mkv"])), ["'a.mkv'"]),
    (.library(.waitsForOthers(["a.mkv", "b.mkv"])), ["2 films"]), (.library(.stopsForSpace(folder: "out")), ["'out'"]),
    (.library(.cannotStart(program: "/x/headroom", reason: "Denied")), ["'/x/headroom'", "Denied"]),
    (.library(.processEnded(status: 139)), ["signal 11"]), (.library(.processEnded(status: 3)), ["exit status 3"]),
    (.outOfRange(.jobs, "0", "1", "64"), ["--jobs", "64"]),
  ]

  private static let codings: [Example] = [
    (
      .coding(.crfIsOutOfRange(60.5, encoder: "libx264", least: 0, most: 51)), ["--crf", "60.5", "libx264", "0 to 51"]
    ),
    (
      .coding(.hasNoCRF(encoder: "ffv1", isLossless: true, keepsBitRate: false, options: [])), ["ffv1", "lossless"]
    ),
    (
      .coding(.hasNoCRF(encoder: "enc", isLossless: false, keepsBitRate: true, options: ["qp"])),
      ["enc", "--encoder-options qp=", "--bitrate"]
    ),
    (.coding(.hasNoCRF(encoder: "enc", isLossless: false, keepsBitRate: true, options: [])), ["enc", "qmin=3:qmax=3"]),
    (.coding(.hasNoCRF(encoder: "enc", isLossless: false, keepsBitRate: false, options: [])), ["enc", "fixed"]),
    (.coding(.hasNoBitRate(.bitrate, encoder: "ffv1", isLossless: true)), ["ffv1", "--bitrate", "lossless"]),
    (.coding(.hasNoBitRate(.maxBitrate, encoder: "enc", isLossless: false)), ["enc", "--max-bitrate"]),
    (.coding(.hasNoMaximum(encoder: "enc", beside: .crf)), ["enc", "--max-bitrate", "--bitrate"]),
    (.coding(.hasNoMaximum(encoder: "enc", beside: .bitrate)), ["enc", "--max-bitrate", "--bitrate"]),
    (.coding(.hasNoMaximum(encoder: "enc", beside: nil)), ["enc", "--max-bitrate", "libx265"]),
    (.coding(.maximumIsBelowBitRate(maximum: 3_000_000, bitRate: 4_500_000)), ["3M", "4500k"]),
    (.coding(.bufferNeedsMaximum), ["--buffer-size", "--max-bitrate"]),
    (.coding(.twoPassesNeedBitRate), ["--two-pass", "--bitrate"]),
    (.coding(.hasOnePass(encoder: "enc", able: ["x", "y"])), ["enc", "--two-pass", "x, y"]),
    (.coding(.twoPassesAreForFiles), ["--two-pass", "transcode"]),
    (.coding(.optionsAreForAnother(.x265Params, encoder: "enc")), ["-x265-params", "enc", "-c:v"]),
    (.coding(.optionsAreForAnother(.x264Params, encoder: "enc")), ["-x264-params", "enc"]),
    (.coding(.optionsAreForAnother(.svtav1Params, encoder: "enc")), ["-svtav1-params", "enc"]),
    (
      .coding(
        .keepsLayout(PixelLayout(.ycbcr422, bitDepth: 10), expected: PixelLayout(.ycbcr420, bitDepth: 10))),
      ["yuv422p10le", "--pixel-format yuv420p10le"]
    ), (.coding(.assumesBuffer(bits: 12_000_000)), ["12 Mbit", "--max-bitrate", "--buffer-size"]),
    (.coding(.saidTwice(.crf, option: "qp", parameter: .x265Params)), ["--crf", "qp in -x265-params"]),
    (.coding(.isEmpty(.encoder)), ["-c:v"]), (.coding(.isEmpty(.preset)), ["--preset"]),
    (.coding(.namesNoGraphicsProcessor("/dev/dri/card0")), ["--hw-device", "/dev/dri/card0", "CUDA"]),
    (.coding(.videoIsNotCopied), ["-c:v copy"]),
    (.coding(.assumesBitRate(200_000, encoder: "enc")), ["enc", "200 kbit/s", "--bitrate"]),
    (.coding(.encodesTwice), ["first of two passes"]),
  ]

  private static let servers: [Example] = [
    (.serve(.hasNoServer(program: "/x/headroom-serve")), ["'/x/headroom-serve'", "swift build"]),
    (.serve(.cannotStart(program: "/x/headroom-serve", reason: "Permission denied")), ["Permission denied"]),
    (.serve(.cannotListen(reason: "Port 80 is taken.")), ["Port 80 is taken."]),
    (.serve(.serverHasEnded), ["ended"]), (.serve(.goesOnWithoutServer), ["other devices"]),
    (.serve(.cannotEncode(codec: "av1-10", reason: "It is too small.")), ["av1-10", "It is too small."]),
    (.serve(.isNoHostName("a b")), ["'a b'", "--host"]), (.serve(.encoderIsSlow(codec: "av1-10")), ["av1-10"]),
    (.serve(.tlsNeedsBoth), ["--certificate", "--key"]), (.serve(.isNoToken(file: "a b")), ["'a b'", "32"]),
    (.serve(.tokenIsOpen(file: "a b")), ["'a b'", "chmod 600"]),
    (.serve(.cannotKeepToken(file: "a b", reason: "It is full")), ["'a b'", "It is full."]),
    (.serve(.isNotEncrypted(address: "0.0.0.0")), ["0.0.0.0", "--certificate"]),
    (.serve(.served(viewers: 3, frames: 250)), ["250 frames", "3 viewers"]),
    (.outOfRange(.maximumViewers, "0", "1", "100"), ["--max-viewers"]),
  ]

  private static let inputs: [Example] = [
    (.input(.reader("It is odd.")), ["It is odd."]),
    (.input(.hasNoFrameAfter(name: "a.mkv", start: 7)), ["a.mkv", "7"]),
    (.input(.nothingSelected(name: "a.mkv")), ["a.mkv"]), (.input(.isNoSequence(name: "a.mkv")), ["a.mkv"]),
    (.input(.hasTimes(name: "a.mkv")), ["a.mkv"]),
    (.input(.cannotBeReadTwice(name: "a.mkv", for: .contentLight)), ["a.mkv", "--max-cll measure"]),
    (.input(.cannotBeReadTwice(name: "a.mkv", for: .peakDetection)), ["a.mkv", "--peak-detect"]),
    (.input(.cannotBeReadTwice(name: "a.mkv", for: .burnSubtitles)), ["a.mkv", "--burn-subtitles"]),
    (.input(.cannotBeReadTwice(name: "a.mkv", for: .twoPass)), ["a.mkv", "--two-pass"]),
    (.input(.cannotBeReopened), ["--map"]),
    (.input(.unknownProfile(name: "a.mkv", profile: "Odd RGB")), ["a.mkv", "Odd RGB"]),
    (.input(.unknownProfile(name: "a.mkv", profile: "")), ["a.mkv"]), (.input(.isTruncated(name: "a.mkv")), ["a.mkv"]),
    (.input(.changedWhileRead(name: "a.mkv", bytes: 123, now: 456)), ["a.mkv", "123", "456", "--keep-partial"]),
    (.input(.changedWhileRead(name: "a.mkv", bytes: 123, now: nil)), ["a.mkv", "no longer"]),
    (.input(.clockJumps(name: "a.ts", count: 1)), ["a.ts", "once", "one recording"]),
    (.input(.clockJumps(name: "a.ts", count: 3)), ["a.ts", "3 times"]),
    (.input(.isDamaged(name: "a.mkv", packets: 1, frames: 23)), ["a.mkv", "1 packet ", "23 frames are"]),
    (.input(.isDamaged(name: "a.mkv", packets: 23, frames: 1)), ["a.mkv", "23 packets", "1 frame is"]),
    (.input(.ignoredToneMaps(17, reason: "it is torn")), ["17", "it is torn"]),
    (.input(.ignoredToneMaps(17, reason: nil)), ["17"]), (.input(.changes(pq, size)), ["pq", "bt2020", "1234x567"]),
    (.input(.changesTooMuch(pq, size)), ["pq", "1234x567"]),
    (.input(.cannotBeTurned(name: "a.mkv", degrees: 45)), ["a.mkv", "45°"]),
    (.input(.hasUnknownLength(name: "a.mkv")), ["a.mkv"]), (.input(.differsFromPlan(name: "a.mkv")), ["a.mkv"]),
  ]

  private static let films: [Example] =
    [
      (.film(.cannotBeDivided(name: "a.mkv", .isStream)), ["a.mkv", "pipe"]),
      (.film(.cannotBeDivided(name: "a.mkv", .isOfPictures)), ["a.mkv", "pictures"]),
      (.film(.cannotBeDivided(name: "a.mkv", .writesStream)), ["a.mkv", "-o FILE"]),
      (.film(.cannotBeDivided(name: "a.mkv", .writesBeside(.statistics))), ["a.mkv", "--stats"]),
      (.film(.cannotBeDivided(name: "a.mkv", .followsDisplay)), ["a.mkv", "--follow"]),
      (.film(.cannotBeDivided(name: "a.mkv", .isSingleFrame)), ["a.mkv", "--at"]),
      (.film(.cannotBeDivided(name: "a.mkv", .hasNoTimes(packets: 23))), ["a.mkv", "23"]),
      (.film(.cannotBeDivided(name: "a.mkv", .seeksInexactly(wanted: 1.5, found: nil))), ["a.mkv", "1.5"]),
      (.film(.cannotBeDivided(name: "a.mkv", .seeksInexactly(wanted: 1.5, found: 2.25))), ["a.mkv", "1.5", "2.25"]),
      (.film(.cannotBeDivided(name: "a.mkv", .keepsBitRate(encoder: "enc", option: "vbv"))), ["a.mkv", "enc", "vbv"]),
      (.film(.cannotBeDivided(name: "a.mkv", .keepsBitRate(encoder: "enc", option: nil))), ["a.mkv", "enc", "--crf"]),
      (.film(.cannotBeDivided(name: "a.mkv", .sharesBits(.bitrate))), ["a.mkv", "--bitrate", "--crf"]),
      (.film(.cannotBeDivided(name: "a.mkv", .isNotHeld(encoder: "enc"))), ["a.mkv", "enc", "-c:v"]),
      (
        .film(.cannotBeDivided(name: "a.mkv", .changesWithMetadata(seconds: 7.5))),
        ["a.mkv", "7.5", "--dynamic-metadata"]
      ),
      (.film(.cannotRead(name: "a.mkv", reason: "it is torn")), ["a.mkv", "it is torn"]),
      (.film(.readsPackets(name: "a.mkv")), ["a.mkv"]), (.film(.followsShots(name: "a.mkv")), ["a.mkv"]),
      (.film(.isPlanned(folder: "work")), ["work"]),
      (.film(.holdsAnotherPlan(folder: "work")), ["work", "--overwrite"]),
      (.film(.isNoPlan(folder: "work")), ["work", "headroom plan"]),
      (.film(.hasNoPlan(folder: "work")), ["work", "--work"]),
      (.film(.isNoFolder(folder: "work")), ["work", "--work"]), (.film(.cannotBeFolder(folder: "work")), ["work"]),
      (.film(.folderHasOthers(folder: "work", name: "a.txt")), ["work", "a.txt", "--work"]),
      (.film(.isReplaced(folder: "it's")), ["headroom chunk 'it'\\''s' --all"]),
      (.film(.pieceFailed(number: 7, reason: "It is torn.")), ["7", "It is torn."]),
      (.film(.isStopped(folder: "work", number: 7)), ["7", "headroom chunk work --all"]),
      (.film(.isOfOtherFormat(output: "a.mp4", format: "matroska")), ["a.mp4", "matroska"]),
      (
        .film(.isOfOtherVersion(folder: "work", tool: "x265", planned: "3.4", own: "3.5")),
        ["work", "x265 3.4", "3.5", "--allow-mixed"]
      ), (.film(.mixesVersions(tool: "x265", planned: "3.4", own: "3.5")), ["x265 3.4", "3.5"]),
      (.film(.mayDifferWhereDamaged(name: "a.ts", packets: 23)), ["a.ts", "23 damaged packets", "single run"]),
      (.film(.inputChanged(name: "a.mkv", .size(23, 42))), ["a.mkv", "23", "42"]),
      (.film(.inputChanged(name: "a.mkv", .modified(seconds: 3600))), ["a.mkv", "3600 s later"]),
      (.film(.inputChanged(name: "a.mkv", .contents)), ["a.mkv", "contents"]),
      (.film(.hasNoChunk(number: 7, count: 5)), ["7", "0 to 4"]),
      (.film(.hasNoChunk(number: 7, count: 1)), ["7", "0"]),
      (.film(.isRendered(number: 23)), ["23"]),
      (.film(.isAwaited([FilmDiagnostic.Claimed(number: 23, host: "box7")])), ["23", "box7"]),
      (.film(.isAwaited([])), []),
      (.film(.nothingIsFree(folder: "work")), ["work"]),
      (.film(.renders(number: 6, count: 23, from: 61.5, to: 3723)), ["7 of 23", "1:01.5", "1:02:03"]),
      (.film(.renders(number: 6, count: 7, from: 61.5, to: nil)), ["7 of 7", "the end"]),
      (.film(.rendered(number: 6, frames: 42, seconds: 1.25)), ["6", "42"]),
    ] + pieces

  private static let pieces: [Example] = [
    (.film(.isRejected(number: 6, .contents)), ["6", "bytes"]),
    (
      .film(.isRejected(number: 6, .version(tool: "x265", planned: "3.4", found: "3.5"))),
      ["3.4", "3.5", "--allow-mixed"]
    ),
    (.film(.isRejected(number: 6, .seam(before: 1.5, first: 2.25))), ["6", "1.5", "2.25"]),
    (.film(.isRejected(number: 6, .seam(before: 1.5, first: 1.5))), ["6", "1.5"]),
    (.film(.isFaulty(number: 6, .frames(expected: 23, found: 42))), ["6", "23", "42"]),
    (.film(.isFaulty(number: 6, .isDamaged(packets: 23))), ["6", "23"]),
    (.film(.isFaulty(number: 6, .beginsWithoutKeyFrame)), ["6", "key frame"]),
    (.film(.isFaulty(number: 6, .tags)), ["6", "tags"]),
    (.film(.isFaulty(number: 6, .configuration)), ["6", "encoder"]),
    (.film(.isFaulty(number: 6, .isUnreadable("it is torn"))), ["6", "it is torn"]),
    (.film(.isFaulty(number: 6, .file("its file is odd"))), ["6", "its file is odd"]),
    (
      .film(
        .isIncomplete(folder: "work", missing: [1, 2, 3, 7], rejected: [.init(number: 9, fault: .contents)])),
      ["work", "1 to 3, 7", "9", "--all"]
    ), (.film(.isIncomplete(folder: "work", missing: [4], rejected: [])), ["work", "headroom chunk work 4"]),
    (.film(.hasFailed(folder: "work", numbers: [4, 5], lastWords: "It is torn.")), ["work", "4 to 5", "It is torn."]),
    (.film(.hasFailed(folder: "work", numbers: [4], lastWords: nil)), ["work", "4", "--max-tries"]),
    (.film(.isAssembled(output: "a.mkv")), ["a.mkv"]), (.film(.isCancelled(folder: "work", number: 7)), ["work", "7"]),
    (.film(.submitted(jobs: ["12", "13"], chunks: 7)), ["12, 13", "7"]), (.film(.submitted(jobs: [], chunks: 0)), []),
    (.film(.joins(count: 7, output: "a.mkv")), ["7", "a.mkv"]),
    (.film(.joins(count: 1, output: "a.mkv")), ["1", "a.mkv"]),
  ]

  private static let geometries: [Example] = [
    (.geometry(.looksForBars(name: "a.mkv")), ["a.mkv", "black bars"]),
    (
      .geometry(.cropsBars(PictureArea(x: 0, y: 140, width: 1920, height: 800), of: Size(width: 1920, height: 1080))),
      ["bars of 140 rows at the top and 140 at the bottom; 1920x800+0+140"]
    ),
    (
      .geometry(.cropsBars(PictureArea(x: 240, y: 0, width: 1680, height: 1078), of: Size(width: 1920, height: 1080))),
      ["2 rows at the bottom", "240 columns on the left", "1680x1078+240+0"]
    ),
    (.geometry(.cropsNothing(.noBars)), ["no black bars"]), (.geometry(.cropsNothing(.allBlack)), ["black"]),
    (.geometry(.cropsNothing(.tooSmall)), ["--crop W:H:X:Y"]),
    (
      .geometry(.cropIsOutside(PictureArea(x: 8, y: 16, width: 1234, height: 560), of: size)),
      ["--crop 1234:560:8:16", "1234x567"]
    ),
    (
      .geometry(
        .cropIsUneven(
          PictureArea(x: 1, y: 6, width: 100, height: 50), multiples: Size(width: 2, height: 4), byField: true,
          nearest: PictureArea(x: 2, y: 8, width: 100, height: 52))),
      ["--crop 100:50:1:6", "multiples of 2", "of 4", "100:52:2:8", "--deinterlace"]
    ),
    (
      .geometry(
        .cropIsUneven(
          PictureArea(x: 1, y: 6, width: 100, height: 50), multiples: Size(width: 2, height: 2), byField: false,
          nearest: PictureArea(x: 2, y: 6, width: 100, height: 50))),
      ["--crop 100:50:1:6", "100:50:2:6"]
    ),
    (.geometry(.isProgressive(name: "a.mkv")), ["a.mkv", "--deinterlace"]),
    (.input(.cannotBeReadTwice(name: "a.mkv", for: .crop)), ["a.mkv", "--crop auto", "--crop W:H:X:Y"]),
    (.film(.cannotBeDivided(name: "a.mkv", .countsFields)), ["a.mkv", "--deinterlace field", "--duration"]),
  ]

  private static let devices: [Example] = [
    (.input(.isNotPrepared(name: "/dev/video7")), ["/dev/video7"]),
    (.input(.hasNoStart(name: "/dev/video7")), ["/dev/video7", "--start"]),
    (.input(.isNoDevice(name: "a.mkv")), ["a.mkv", "--format"]),
    (.input(.deliversNothing(name: "/dev/video7", reason: "no lock")), ["/dev/video7", "no lock"]),
    (.input(.deliversNothing(name: "/dev/video7", reason: nil)), ["/dev/video7"]),
    (.input(.hasLostFrames(name: "/dev/video7", 23)), ["/dev/video7", "23"]),
    (
      .preview(
        .mode(device: "/dev/video7", "P010 64x48 at 50", .widest, narrower: ["NV12", "MJPG"], slower: ["Y210"])),
      ["/dev/video7", "P010 64x48 at 50", "NV12, MJPG", "Y210", "--format"]
    ),
    (
      .preview(.mode(device: "/dev/video7", "NV12 64x48", .asked, narrower: [], slower: [])),
      ["NV12 64x48", "asked"]
    ),
    (
      .preview(.mode(device: "/dev/video7", "NV12 64x48", .kept, narrower: [], slower: [])),
      ["NV12 64x48", "that it has"]
    ),
    (.preview(.noSignal("no lock on the signal")), ["no lock"]),
    (.preview(.signal("P010 64x48 at 50")), ["P010 64x48"]),
    (.preview(.restarted(code: 5)), ["5"]), (.preview(.restarted(code: 0)), ["decoder"]),
    (.preview(.unplugged), ["unplugged"]), (.preview(.reconnected), ["back"]),
    (.preview(.rate(29.97)), ["29.97 fps"]), (.preview(.rate(nil)), ["rate"]),
  ]

  private static let previews: [Example] = [
    (.preview(.scale(isHalved: true)), ["half"]), (.preview(.scale(isHalved: false)), ["full size"]),
    (.preview(.records(name: "a.mkv")), ["a.mkv"]), (.preview(.recorded(name: "a.mkv", frames: 23)), ["a.mkv", "23"]),
    (.preview(.recordingIsSlow), ["recording"]),
    (.preview(.recordingKeepsItsSize(size)), ["1234x567"]), (.preview(.hasNoScreen), ["--output null"]),
    (.preview(.recordingIsKept(name: "a.partial.mkv", frames: 23)), ["a.partial.mkv", "23 frames"]),
    (.preview(.recordsLight(encoder: "ffv9")), ["ffv9"]),
    (.preview(.recordsNoOtherStreams(audio: 2, subtitles: 1)), ["2 audio streams and 1 subtitle stream:"]),
    (.preview(.recordingDropped(23)), ["23", "--preset"]), (.preview(.recordingFailed("It is full.")), ["It is full."]),
    (.preview(.cannotRecordAgain), ["output"]), (.preview(.recordsFast(preset: "ultrafast")), ["--preset ultrafast"]),
    (.preview(.snapshot(["a.png", "a.exr"])), ["a.png", "a.exr"]),
    (.preview(.snapshotFailed("It is full.")), ["It is full."]),
    (.preview(.displayDecides), ["display"]), (.preview(.isImpossible("It is not.")), ["It is not."]),
    (.preview(.shown(frames: 123, dropped: 45, lost: 6)), ["123", "45", "6"]),
    (.preview(.shown(frames: 123, dropped: 45, lost: 0)), ["123", "45"]),
    (.preview(.latency(median: 12.34, highest: 56.78)), ["12.3 ms", "56.8 ms"]),
  ]

  private static let sources: [Example] = [
    (.source(.isNotFullyTagged(name: "a.mkv", assumed: pq)), ["a.mkv", "pq"]),
    (.source(.ignoredMetadata("MaxCLL is odd")), ["MaxCLL is odd"]),
    (.source(.lightRises(to: nil, ContentLight(maxCLL: 987, maxFALL: 65))), ["MaxCLL 987", "65"]),
    (.source(.hasUnknownUnit(name: "a.exr")), ["a.exr"]),
    (.source(.isInterlaced(.topFirst, byField: true)), ["top field first", "each field"]),
    (.source(.isInterlaced(.bottomFirst, byField: false)), ["bottom field first"]),
    (.source(.measured(maxCLL: 812.3, maxFALL: 65.2, peak: 790)), ["812", "65", "790"]),
    (.source(.dynamicMetadataIsUnused([.hdr10Plus, .adaptiveToneMap])), ["HDR10+", "ST 2094-50"]),
    (.source(.hasNoHDR10PlusCurve), ["HDR10+"]), (.source(.followsHDR10PlusCurves(peak: 450)), ["450"]),
    (.source(.followsHDR10PlusPeaks), ["HDR10+"]),
    (.source(.followsRenditions(stops: 3, referenceWhite: 123)), ["3 stops", "123"]),
    (.source(.followsReferenceWhite(123, peak: 987)), ["123", "987"]),
    (.source(.followsReferenceWhite(123, peak: nil)), ["123"]),
    (.source(.isUnsupportedDolbyVision(name: "a.mkv", profile: 5)), ["a.mkv", "profile 5"]),
    (.source(.isUnmarkedDolbyVision(name: "a.mkv")), ["a.mkv"]), (.source(.hasRPUWithoutConfiguration), ["RPU"]),
    (.source(.isDolbyVision(profile: 8, compatibility: 4, lacksRPU: true)), ["8.4", "HLG", "no RPU"]),
    (.source(.hasUnsupportedTransfer(name: "a.mkv", .log100)), ["a.mkv", "code 9"]),
    (
      .source(.contradictsDescriptor(name: "a.mkv", .pq)), ["--edr-metadata", "a.mkv", "PQ"]
    ),
    (.mapping(.choosesSDR(display: "office", headroom: 1.2, threshold: 1.5)), ["office", "1.2", "1.5", "SDR"]),
    (.mapping(.isReferenceFormat(.bt601EBU)), ["reference mode", "BT.601 EBU", "dim"]),
    (.mapping(.isReferenceFormat(nil)), ["reference mode", "linear"]),
    (.mapping(.isNoReferenceFormat(.bt709)), ["reference mode", "bt709"]),
    (.mapping(.referenceModeIsLimited(headroom: 4)), ["limited", "4", "10"]),
    (.mapping(.hasNoReferenceMode(display: "office", headroom: 1)), ["office", "reference mode"]),
    (.mapping(.assumesPeak(display: "office", nits: 1000)), ["office", "1000", "--peak"]),
    (.mapping(.displayIsDamaged(display: "office", [.wrongChecksum(block: 1)])), ["office", "block 1", "checksum"]),
    (.mapping(.headroomNeedsHDR), ["--headroom", "--to hdr10"]),
    (.mapping(.nothingToFollow), ["--follow", "--display"]),
    (.mapping(.displayIsMissing), ["--to display", "--display"]),
    (.mapping(.displayIsNoVideo), ["--to display", "PNG"]), (.mapping(.isForDisplay("office")), ["office"]),
    (.picture(.spaceIsNotTheDisplays(.sRGB)), ["--to display", "srgb"]),
    (.picture(.stageIsNotOfDisplays(.output)), ["--to display", "output"]),
    (.mapping(.hlgIsNotFollowed), ["--follow", "HLG"]),
    (.run(.displayIsLost(.notConnected(name: "eDP-1"))), ["eDP-1", "connected", "before"]),
    (.mapping(.lockedByReferenceMode([.black, .ambient])), ["--black", "--ambient", "no effect"]),
    (.source(.hasUnsupportedPrimaries(name: "a.mkv", .film)), ["a.mkv", "code 8"]),
  ]

  private static let mappings: [Example] = [
    (.mapping(.peakBelowSDRWhite(peak: 50, sdrWhite: 123)), ["50", "123"]),
    (.mapping(.peakTooLowForHDR10(50)), ["50"]), (.mapping(.hdr10PlusIsIgnored), ["HDR10+"]),
    (.mapping(.desaturationNeedsPerceptualGamut(.clip)), ["--gamut clip"]),
    (.mapping(.viewingNeedsGain), ["bt2446a", "--black", "--ambient"]),
    (.mapping(.viewingIsOfHLGsDisplay), ["--to sdr", "HLG"]),
    (.mapping(.expandsSDROnly), ["--inverse-tone-map", "HDR"]),
    (.mapping(.expandsToHDROnly), ["--inverse-tone-map", "--to hdr10"]),
    (.mapping(.metadataNeedsHDR10), ["--max-cll"]),
    (.mapping(.nothingToCopy(.masteringDisplay)), ["--master-display"]),
    (.mapping(.nothingToCopy(.contentLight)), ["--max-cll"]), (.mapping(.copiedMetadataIsTheSources), ["source"]),
    (.mapping(.statedBelowLimit(maxCLL: 321, limit: 654)), ["321", "654"]),
    (.mapping(.raisesMasteringDisplay(from: 1000, to: 3512)), ["1000", "3512", "--master-display copy"]),
    (.mapping(.statedByInput(ContentLight(maxCLL: 987, maxFALL: 65), hasDisplay: true)), ["987", "65"]),
    (.mapping(.hlgPeak(600, gamma: 1.1068)), ["600", "1.107"]),
    (
      .mapping(
        .hdr10PlusWouldBeWrong([
          .kind(.hlg), .transfer(.bt709), .primaries(.displayP3), .setting(.peak), .setting(.bakeRotation),
        ])), ["HLG", "--peak and --bake-rotation change", "--hdr10plus none"]
    ),
    (.mapping(.hasNoHDR10PlusMessage(seconds: 3.25)), ["3.25 s", "--hdr10plus none"]),
    (.mapping(.canCopyHDR10Plus), ["--hdr10plus copy"]),
    (.mapping(.copiesHDR10Plus(startsWithFirst: true)), ["frame by frame"]),
    (.mapping(.copiesHDR10Plus(startsWithFirst: false)), ["first frame has no"]),
    (.output(.hasNoPlaceForHDR10Plus(encoder: "libx264")), ["libx264", "libx265"]),
    (.output(.hasNoPlaceForHDR10Plus(encoder: nil)), ["container"]),
    (.output(.hasNoPlaceForCaptions(encoder: "ffv1")), ["ffv1", "closed captions"]),
    (.output(.hasNoPlaceForCaptions(encoder: nil)), ["this container"]), (.output(.breaksCaptions), ["--every"]),
    (.mapping(.unknownBrightness(keepsLight: true)), ["--max-cll"]),
    (.mapping(.unknownBrightness(keepsLight: false)), ["--peak-detect"]),
  ]

  private static let names: [Example] = [
    (.output(.isPartial(name: "a.partial.mkv")), ["a.partial.mkv", "--keep-partial-name"]),
    (.output(.isInput(name: "a.mkv")), ["a.mkv"]), (.output(.isFolder(name: "a.mkv")), ["a.mkv"]),
    (.output(.exists(name: "a.mkv")), ["a.mkv"]),
    (.output(.existsInFolder(file: "f1.png", folder: "/b")), ["f1.png", "/b"]),
    (.output(.inputIsAmong(input: "f1.png", name: "f%d.png")), ["f1.png", "f%d.png"]),
    (.output(.replacesInput(name: "f%d.png", input: "f%03d.png")), ["f%d.png", "f%03d.png"]),
    (.output(.sameFile(.statistics, .output)), ["--stats", "--output"]),
    (.output(.isAmongPictures(.statistics)), ["--stats"]), (.output(.hasNoName(.data)), ["--data"]),
    (.output(.isNoFile(name: "http://b")), ["http://b"]), (.output(.isNoFolder(name: "a.mkv")), ["a.mkv"]),
    (.output(.parentIsMissing(folder: "/b")), ["/b"]), (.output(.folderIsNotWritable(name: "/b")), ["/b"]),
    (.output(.invalidPattern(name: "%d%d", .manyNumbers)), ["%d%d"]),
    (.output(.invalidPattern(name: "a%x", .unknownField("%x"))), ["'%x'", "a%x"]),
    (.output(.invalidPattern(name: "a%099d", .tooManyDigits(99))), ["a%099d", "99 digits"]),
    (.output(.invalidPattern(name: "%d/a", .numberedFolder)), ["%d/a"]),
  ]

  private static let forms: [Example] = [
    (.output(.hasNoPixelFormat(PixelLayout(.ycbcr420, bitDepth: 9))), ["9-bit"]),
    (.output(.eightBitsOfHDR), ["--pixel-format"]),
    (.output(.hasNoChapters(format: "mpegts", count: 17)), ["mpegts", "17"]),
    (.output(.hasNoPlaceForTags(format: "mpegts", ["artist", "title"])), ["mpegts", "artist, title"]),
    (.output(.firstPictureIsLate(seconds: 2.129)), ["2.12 s"]), (.output(.losesTimes(format: "mxf")), ["mxf"]),
    (.output(.countsFrames(rate: 23.97602)), ["23.976"]), (.output(.fieldsMix(height: 98)), ["98"]),
    (.output(.cannotSignalFields(.topFirst, encoder: "libx265")), ["top field first", "libx265"]),
    (.output(.rotatesPanels), ["--bake-rotation"]),
    (
      .output(
        .isUntagged(
          pq, HDRMetadata(contentLight: ContentLight(maxCLL: 987, maxFALL: 65)), PixelLayout(.ycbcr420, bitDepth: 10))),
      ["987,65", "--chromaloc \(pq.chromaLocation.rawValue)", "--chroma-sample-position"]
    ),
    (.output(.becomesInterlaced), ["interlaced"]), (.output(.metadataChanges(seconds: 3.456)), ["3.46 s"]),
    (.output(.hasNoHardware(encoder: "libx265")), ["--hw-device", "libx265 is not one", "hevc_vaapi"]),
    (.output(.hasNoHardware(encoder: nil)), ["the default encoder is not one"]),
    (.output(.onlyContainerHasMetadata(encoder: "hevc_nvenc")), ["hevc_nvenc", "MaxCLL", "only the container"]),
    (.output(.movedTimes(17)), ["17 frames or packets"]), (.output(.movedTimes(1)), ["1 frame or packet had"]),
    (.output(.shiftedFrames(seconds: 0.04, rate: 24)), ["40 ms", "24 fps"]),
    (.output(.shiftedFrames(seconds: 0.04, rate: nil)), ["40 ms"]), (.output(.writer("It is odd.")), ["It is odd."]),
  ]

  private static let surround = AudioStreamInfo(sampleRate: 48_000, channels: 6, layout: "5.1(side)")
  private static let stereo = AudioStreamInfo(sampleRate: 44_100, channels: 2, layout: "stereo")
  private static let audio = StreamDiagnostic.Label(text: "#1 audio aac (eng)", isAudio: true)

  private static let streams: [Example] = [
    (.streams(.isMissing(name: "a.mkv", specifier: "0:a:7")), ["a.mkv", "0:a:7"]), (.streams(.hasNoVideo), ["--map"]),
    (
      .streams(.isEncoded(audio, codec: "opus", encoder: "aac", format: "mov")),
      ["#1 audio aac (eng)", "opus", "with aac", "mov"]
    ),
    (
      .streams(.audioIsEncoded(audio, encoder: "aac", EncodedAudio(source: surround, made: stereo, bitRate: 192_000))),
      ["#1 audio aac (eng)", "with aac", "stereo", "44.1 kHz", "192 kbit/s", "from 5.1(side)", "LFE"]
    ),
    (
      .streams(.audioIsEncoded(audio, encoder: "flac", EncodedAudio(source: stereo, made: stereo))),
      ["#1 audio aac (eng)", "with flac", "stereo, 44.1 kHz."]
    ),
    (
      .streams(
        .audioIsReplaced(audio, encoder: "aac", EncodedAudio(source: surround, made: surround), format: "mp4")),
      ["mp4", "#1 audio aac (eng)", "with aac, 5.1(side)", "--audio-fallback", "matroska"]
    ),
    (.streams(.cannotBeDecoded([audio])), ["cannot decode #1 audio aac (eng)", "so it"]),
    (.streams(.cannotBeDecoded([audio, audio])), ["so they"]),
    (.streams(.needsNoMix([audio], .stereo)), ["#1 audio aac (eng) has no", "stereo", "copied"]),
    (.streams(.needsNoMix([audio, audio], .mono)), ["(eng) have no"]),
    (
      .streams(.audioRateIsOutOfRange(2000, encoder: "libopus", least: 6000, most: 512_000)),
      ["libopus", "6 kbit/s to 512 kbit/s", "not 2 kbit/s:", "--audio-bitrate"]
    ),
    (.streams(.encodesNoAudio(.audioBitRate)), ["--audio-bitrate", "-c:a aac"]),
    (.streams(.encodesNoAudio(.downmix)), ["--downmix", "-c:a aac"]),
    (.streams(.hasNoAudioEncoder(format: "odd")), ["odd", "--downmix", "-c:a"]),
    (.streams(.isLossless(encoder: "flac")), ["flac", "--audio-bitrate"]),
    (
      .streams(.cannotHoldEncoded(audio, encoder: "flac", usual: "aac", format: "flv")),
      ["flv", "#1 audio aac (eng)", "as flac", "another encoder (aac)", "matroska"]
    ),
    (.streams(.otherVideoIsLeftOut(["#1 ffv1", "#2 h264"])), ["#1 ffv1, #2 h264"]),
    (
      .streams(.hasNoSubtitles(name: "a.mkv", specifier: "s:4", available: ["#2 subrip (eng)"])),
      ["s:4", "a.mkv", "#2 subrip (eng)"]
    ),
    (.streams(.hasNoSubtitles(name: "a.mkv", specifier: "s:4", available: [])), ["s:4", "a.mkv", "--burn-subtitles"]),
    (.streams(.burnsIn("#2 subrip (eng)", nits: 203)), ["#2 subrip (eng)", "203 cd/m²"]),
    (.streams(.burnsIn("#2 subrip (eng)", nits: nil)), ["#2 subrip (eng)", "SDR white"]),
    (.streams(.readsSubtitles(name: "a.mkv", bytes: 5 << 30)), ["a.mkv", "5120 MiB"]),
    (.streams(.subtitlesCannotBeTurned(name: "a.mov", degrees: 17)), ["a.mov", "17°"]),
    (.streams(.subtitlesAreDamaged("#2 subrip", count: 3)), ["3 subtitles", "#2 subrip", "UTF-8"]),
    (.streams(.subtitlesAreDamaged("#2 subrip", count: 1)), ["1 subtitle ", "#2 subrip"]),
    (.streams(.takesPalettesFor("#2 pgs", .bt709)), ["#2 pgs", "BT.709", "--subtitle-palette bt2020-pq"]),
    (.streams(.takesPalettesFor("#2 pgs", .bt2020PQ)), ["#2 pgs", "BT.2020 PQ", "--subtitle-palette bt709"]),
    (.streams(.burnsNothing("#2 subrip")), ["#2 subrip"]), (.streams(.lackGlyphs(seconds: 3.456)), ["3.46 s"]),
    (.streams(.leftOutOfPictures(format: "rawvideo", [audio])), ["rawvideo", "#1 audio aac (eng)"]),
    (
      .streams(.notHeld(format: "mpegts", [audio], encoder: "aac")),
      ["mpegts", "#1 audio aac (eng)", "--audio-fallback aac", "matroska"]
    ),
    (
      .streams(
        .notHeld(format: "matroska", [StreamDiagnostic.Label(text: "#5 data bin", isData: true)], encoder: "aac")),
      ["matroska", "#5 data bin"]
    ),
  ]

  private static let runs: [Example] = [
    (.run(.measuresInput(name: "a.mkv")), ["a.mkv"]), (.run(.measuresOutput), ["coded"]),
    (.run(.measuredOutput(ContentLight(maxCLL: 987, maxFALL: 65))), ["987,65"]),
    (.run(.stoppedMeasuring(frames: 17)), ["17"]), (.run(.sheetIsDone(frames: 17, size)), ["17", "1234x567"]),
    (.run(.kernelsDoNotRun(.detected, best: .baseline)), [KernelTier.detected.rawValue, KernelTier.baseline.rawValue]),
    (.run(.exceedsStatedLight(peak: 2000, maxCLL: 300)), ["2000", "300"]), (.run(.changesFormat), ["size"]),
    (.run(.outputNameIsTaken("window")), ["window"]),
    (.run(.bufferIsEmpty(output: "window")), ["window"]),
  ]

  private static let pictures: [Example] = [
    (.picture(.holdsOne(output: "a.png", .png)), ["a.png"]),
    (.picture(.isForVideo(.crf, output: "a.png")), ["--crf", "a.png"]),
    (.picture(.cannotCarry(.png, .linearBT2020)), ["png", "extendedLinearITUR_2020", "exr"]),
    (.picture(.cannotCarry(.y4m, .sRGB)), ["y4m", "sRGB"]),
    (.picture(.bitDepth(12, .png, isLinear: false)), ["png", "12", "16, 8"]),
    (.picture(.bitDepth(16, .exr, isLinear: true)), ["exr"]), (.picture(.compressionIsForEXR(.png)), ["png"]),
    (.picture(.isLosslessAnyway(.png)), ["png"]), (.picture(.decodedIsNotMapped), ["--stage"]),
    (.picture(.isForSDR(.sRGB, .hdr10)), ["sRGB", "hdr10"]), (.picture(.metadataNeedsPQ), ["PQ"]),
    (.picture(.stageNeedsFilter), ["--filter"]), (.picture(.stageIsBeforeFilters(.mapped)), ["--stage mapped"]),
    (.picture(.clipWarningNeedsMapping), ["clip-warning"]),
    (.picture(.hasNonSquareSamples(Rational(4, 3), .png)), ["4:3", "png"]),
    (.picture(.isNotTurned(degrees: 90)), ["90°"]), (.picture(.isSceneLight), ["--stage mapped"]),
    (.picture(.clips(.bt2100HLG)), ["1000 cd/m²", "itur_2100_HLG"]), (.picture(.clips(.sRGB)), ["SDR white", "sRGB"]),
  ]

  private static let sheets: [Example] = [
    (.picture(.statisticsOfContactSheet), ["--stats"]), (.picture(.contactSheetNeedsCodes), ["--space"]),
    (.picture(.contactSheetIsTooLarge(size)), ["1234x567"]), (.picture(.contactSheetIsNotMeasured), ["--max-cll"]),
    (.picture(.contactSheetHasGaps(name: "a.mkv", 17)), ["a.mkv", "17"]),
  ]

  private static let patterns: [Example] = [
    (
      .pattern(.cannotCarry(.hdr10, .png, .sRGB, allowed: [.bt2100PQ])), ["HDR10", "png", "itur_2100_PQ", "sRGB"]
    ),
    (.pattern(.bitDepth(12, .png, isLinear: false)), ["png", "12", "16, 8"]),
    (.pattern(.needsBits(pattern: "banding", 10)), ["banding", "10 bits"]),
    (
      .pattern(
        .needsBitsOfVideo(pattern: "banding", 10, layout: PixelLayout(.ycbcr420, bitDepth: 8), encoder: "libx264")),
      ["banding", "10 bits", "yuv420p has 8", "libx264"]
    ),
    (.pattern(.clipsLevels(pattern: "bt2111-pq")), ["bt2111-pq"]), (.pattern(.size(size)), ["1234x567", "64x64"]),
    (.pattern(.kind(pattern: "edr", .sdr, allowed: [.hdr10, .hlg])), ["edr", "sdr", "hdr10, hlg"]),
    (.pattern(.isTooLong(seconds: 123_456, frames: 789)), ["123456 s", "789 frames"]),
    (.pattern(.holdsOne(output: "a.png", .png)), ["a.png"]),
    (.pattern(.isForVideo(.range, output: "a.png")), ["--range", "a.png"]),
    (.pattern(.isForPictures(.space)), ["--space"]), (.pattern(.isForPictures(.bitDepth)), ["--bit-depth"]),
    (.pattern(.range(pattern: "bt2111-pq", .narrow)), ["bt2111-pq", "limited"]),
    (.pattern(.hasNoSiting(PixelLayout(.ycbcr444, bitDepth: 10))), ["yuv444p10le"]),
    (.pattern(.hasNoLabels("There is no font.")), ["There is no font."]),
  ]

  private static let comparisons: [Example] = [
    (.verification(.tolerance(-3)), ["-3"]), (.verification(.size(size)), ["1234x567"]),
    (.verification(.kind(pattern: "edr", .sdr, allowed: [.hdr10, .hlg])), ["edr", "sdr", "hdr10, hlg"]),
    (.verification(.renditionIsFor(.sdr, .hlg)), ["to=sdr", "HLG"]),
    (.scopes(.planeWithoutVectorscope), ["--vectorscope"]), (.scopes(.isTooLarge(size)), ["1234x567"]),
    (.scopes(.needsEightBits(.exr, allowed: [.png, .jxl])), ["exr", "png, jxl"]),
    (.scopes(.cannotBeWritten(output: "a.gif")), ["a.gif"]), (.scopes(.isOnePicture), ["--at"]),
    (.table(.size(1, allowed: 2...129, dimensions: .three)), ["2 to 129", "--dimensions 3", "not 1"]),
    (.table(.shaperOfCurve), ["--shaper"]), (.table(.tooSmallForShaper(2)), ["not 2"]),
    (.table(.changesWithScenes), ["--tone-map"]), (.table(.shaperNeedsPeak), ["--shaper"]),
    (.table(.contentPeakIsForPQ), ["--content-peak"]),
  ]

  private static let constantColors: [Example] = [
    (.constantColor(.isNoPicture(name: "a.mkv")), ["a.mkv", ".png"]),
    (.constantColor(.isNoMap(name: "a.avif")), ["a.avif", ".exr"]), (.constantColor(.isNoFile(.report)), ["--report"]),
    (.constantColor(.isNoPage(name: "a.htm")), ["a.htm", ".html"]), (.constantColor(.corners), ["--chart"]),
    (.constantColor(.isUnreadable(name: "a.json", reason: "it is torn")), ["a.json", "it is torn"]),
    (.constantColor(.isOneFile(name: "a.png")), ["a.png", "--ambient", "--flash"]),
    (.constantColor(.hasManyFrames(name: "a.mkv")), ["a.mkv", "--from"]),
    (.constantColor(.cameras(ambient: "Box 7", flash: "Box 8")), ["Box 7", "Box 8"]),
    (.constantColor(.orientations), ["rotated"]), (.constantColor(.regionNameIsTaken("skin")), ["--roi", "skin"]),
    (.constantColor(.frameNumbers(ambient: 7, flash: 9)), ["7", "9", "--flash-frames"]),
    (.constantColor(.neutral(1, 0.5, 0)), ["--neutral", "1,0.5,0"]),
    (.constantColor(.takesFrames(ambient: 7, flash: 9)), ["7", "9"]), (.constantColor(.drivesFlash), ["flash"]),
    (.constantColor(.waitsForLamp(seconds: 45)), ["45 s", "lamp"]), (.constantColor(.adaptsItself), ["exposure"]),
    (.constantColor(.isTakenWith(seconds: 0.0125, flash: 0.4)), ["12.5 ms", "40 %"]),
    (.constantColor(.isTakenWith(seconds: nil, flash: 0.4)), ["with the flash at 40 %"]),
    (.constantColor(.isTakenWith(seconds: 0.0125, flash: nil)), ["with 12.5 ms of exposure."]),
    (.constantColor(.clips(isRegion: true)), ["region of interest clips"]),
    (.constantColor(.clips(isRegion: false)), ["picture clips"]),
    (.constantColor(.drowns(isRegion: true)), ["region of interest is too dark"]),
    (.constantColor(.drowns(isRegion: false)), ["picture is too dark"]), (.constantColor(.flashIsWeak), ["little"]),
    (.constantColor(.assumesEqualExposures), ["--exposure-ratio"]),
    (.constantColor(.isDisplayReferred(name: "a.png")), ["a.png"]),
    (.constantColor(.assumesFlash(kelvins: 5432)), ["5432 K", "--flash-temperature", "--calibration"]),
    (.constantColor(.isUncalibrated), ["--calibrate"]),
    (
      .constantColor(.isNotBelieved(mean: 0.4567, share: 0.0323, least: 0.75)),
      ["0.457", "3.23 %", "--min-confidence 0.75"]
    ),
    (.constantColor(.isNotBelieved(mean: 0.4567, share: 0.0323, least: nil)), ["0.457", "3.23 %"]),
    (.constantColor(.fallsBack(name: "a.png")), ["a.png", "ambient"]),
  ]
}
