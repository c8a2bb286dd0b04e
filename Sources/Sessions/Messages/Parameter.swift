/// A parameter of a request, which each program names differently.
public enum Parameter: String, Sendable, Hashable, Codable, CaseIterable {
  /// Where results go, and which streams are written.
  case output, report, statistics, data, map, audioEncoder, audioFallback, audioBitRate, downmix, subtitleEncoder,
    burnSubtitles, subtitlePalette, copyTimestamps, keepPartialName
  /// How video is encoded.
  case encoder, preset, crf, encoderOptions, pixelFormat, hardwareDevice
  /// Limits on the video bit rate, container options, and options of specific encoders.
  case bitrate, maxBitrate, bufferSize, twoPass, muxerOptions, x264Params, x265Params, svtav1Params
  /// The frames to process.
  case start, duration, frames, every, at
  /// How light is mapped to a display.
  case outputKind, toneMap, inverseToneMap, gamut, display, follow, headroomRamp, headroomForHDR, hlgOotf
  /// Values of the light and of the display.
  case peak, sdrWhite, referenceWhite, contentPeak, headroom, expectedHeadroom, highlightDesaturation, exposure, black,
    ambient
  /// Light levels stated or measured.
  case masteringDisplay, contentLight, peakDetection, peakPercentile, measured, edrMetadata, hdr10Plus,
    dynamicMetadata
  /// Filters, dithering, and rotation of pixels.
  case filter, dither, bakeRotation, noBakeRotation
  /// Format and size of pictures.
  case space, bitDepth, contact, startNumber, crop, cropLimit, deinterlace, scale, pad, sampleAspect, pointScale, size,
    nodes
  /// Tags of the samples, frame rate of a pattern, rows counted by scopes.
  case range, chromaLocation, rate, rows
  /// The stage after which pictures are taken, and their compression.
  case stage, compression, lossless
  /// Expected values of a pattern, the scopes to draw, and the form of a look-up table.
  case rendition, tolerance, scopes, vectorscope, dimensions, shaper
  /// How to read the input, and the threads and kernels.
  case inputFormat, allowProtocols, inputTransfer, inputPrimaries, inputMatrix, inputRange, strict, background,
    keepPartial, gainMapHeadroom, inputStartNumber, frameRate, maxErrors, threads,
    kernels
  /// How to capture and show a device.
  case capture, channel, captureFormat, maximumLatency, screen
  /// How other devices reach a preview.
  case port, hostName, certificate, key, maximumViewers
  /// The two pictures for constant colour, or the clip that contains them.
  case ambientPicture, flashPicture, flashFrames, pairSource
  /// Side outputs of a constant-colour picture, and facts about its light.
  case fallback, minimumConfidence, confidenceMap, page, region, exposureRatio, flashTemperature, neutral, chart,
    calibrate, calibration
  /// How to divide a film, and the number of tries per chunk.
  case chunkSeconds, chunks, maxTries
  /// Where to render a film in pieces, which pieces, and which to accept or wait for.
  case workFolder, allPieces, allowMixed, awaitPieces
  /// Films of a folder: the number converted in parallel, and their output names.
  case jobs, suffix, skipExisting
  /// An output by its short option, its container, and whether to replace a file.
  case destination, format, overwrite
}
