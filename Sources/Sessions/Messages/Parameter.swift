/// A part of a request, which each program names in its own way.
public enum Parameter: String, Sendable, Hashable, Codable, CaseIterable {
  /// Where results go, and which streams are written.
  case output, report, statistics, data, map, audioEncoder, audioFallback, audioBitRate, downmix, subtitleEncoder,
    burnSubtitles, subtitlePalette, copyTimestamps, keepPartialName
  /// How video is encoded.
  case encoder, preset, crf, encoderOptions, pixelFormat, hardwareDevice
  /// Bounds on the bit rate of video, options of the container, and of single encoders.
  case bitrate, maxBitrate, bufferSize, twoPass, muxerOptions, x264Params, x265Params, svtav1Params
  /// Which frames are processed.
  case start, duration, frames, every, at
  /// How light is mapped to a display.
  case outputKind, toneMap, inverseToneMap, gamut, display, follow, headroomRamp, headroomForHDR, hlgOotf
  /// Values of the light and of the display.
  case peak, sdrWhite, referenceWhite, contentPeak, headroom, expectedHeadroom, highlightDesaturation, exposure, black,
    ambient
  /// Light that is stated or measured.
  case masteringDisplay, contentLight, peakDetection, peakPercentile, measured, edrMetadata, hdr10Plus,
    dynamicMetadata
  /// What filters paint, and how pixels are rotated.
  case filter, dither, bakeRotation, noBakeRotation
  /// Format and size of pictures.
  case space, bitDepth, contact, startNumber, crop, cropLimit, deinterlace, scale, pad, sampleAspect, pointScale, size,
    nodes
  /// Tags of the samples, the rate of a pattern, the rows that scopes count.
  case range, chromaLocation, rate, rows
  /// The stage after which pictures are taken, and how they are compressed.
  case stage, compression, lossless
  /// What is expected of a pattern, which scopes are drawn, and the form of a look-up table.
  case rendition, tolerance, scopes, vectorscope, dimensions, shaper
  /// How the input is read, and the threads and kernels.
  case inputFormat, allowProtocols, inputTransfer, inputPrimaries, inputMatrix, inputRange, strict, background,
    keepPartial, gainMapHeadroom, inputStartNumber, frameRate, maxErrors, threads,
    kernels
  /// How a device is captured and shown.
  case capture, channel, captureFormat, maximumLatency, screen
  /// How other devices reach a preview.
  case port, hostName, certificate, key, maximumViewers
  /// The two pictures of constant colour, or the clip that they are taken from.
  case ambientPicture, flashPicture, flashFrames, pairSource
  /// What goes beside a picture of constant colour, and what is known about its light.
  case fallback, minimumConfidence, confidenceMap, page, region, exposureRatio, flashTemperature, neutral, chart,
    calibrate, calibration
  /// How a film is divided, and how often a chunk is tried.
  case chunkSeconds, chunks, maxTries
  /// Where a film is rendered in pieces, which pieces are, and which are accepted or waited for.
  case workFolder, allPieces, allowMixed, awaitPieces
  /// The films of a folder: how many are converted at the same time, and what their outputs are called.
  case jobs, suffix, skipExisting
  /// An output by its short option, its container, and whether it replaces a file.
  case destination, format, overwrite
}
