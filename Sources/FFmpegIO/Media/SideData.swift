internal import CFFmpeg
internal import Frames
internal import Media

extension MasteringDisplay {
  /// From FFmpeg's fractions; nil if primaries or luminance are missing or invalid.
  init?(_ pointer: UnsafePointer<AVMasteringDisplayMetadata>) {
    guard unsafe pointer.pointee.has_primaries != 0, unsafe pointer.pointee.has_luminance != 0 else { return nil }
    var colors: [Chromaticity] = []
    for color in Int32(0)..<4 {
      guard
        let x = unsafe hr_mastering_coordinate(pointer, color, 0).units(of: Self.chromaticityUnits, as: UInt16.self),
        let y = unsafe hr_mastering_coordinate(pointer, color, 1).units(of: Self.chromaticityUnits, as: UInt16.self)
      else { return nil }
      colors.append(Chromaticity(x: x, y: y))
    }
    guard let max = unsafe pointer.pointee.max_luminance.units(of: Self.luminanceUnits, as: UInt32.self),
      let min = unsafe pointer.pointee.min_luminance.units(of: Self.luminanceUnits, as: UInt32.self)
    else { return nil }
    self.init(
      red: colors[0], green: colors[1], blue: colors[2], white: colors[3], maxLuminance: max, minLuminance: min)
  }

  /// As FFmpeg's fractions.
  var native: AVMasteringDisplayMetadata {
    var result = AVMasteringDisplayMetadata()
    for (index, color) in [red, green, blue, white].enumerated() {
      let x = AVRational(num: Int32(color.x), den: Int32(Self.chromaticityUnits))
      let y = AVRational(num: Int32(color.y), den: Int32(Self.chromaticityUnits))
      unsafe hr_mastering_set_coordinate(&result, Int32(index), 0, x)
      unsafe hr_mastering_set_coordinate(&result, Int32(index), 1, y)
    }
    let unit = Int32(Self.luminanceUnits)
    result.max_luminance = AVRational(num: Int32(clamping: maxLuminance), den: unit)
    result.min_luminance = AVRational(num: Int32(clamping: minLuminance), den: unit)
    result.has_primaries = 1
    result.has_luminance = 1
    return result
  }
}

extension AVRational {
  /// The value as a whole number of `1 / scale`, rounded; nil if it is NaN or does not fit.
  func units<Value: FixedWidthInteger>(of scale: Double, as type: Value.Type) -> Value? {
    guard den != 0 else { return nil }
    return Value(exactly: (Double(num) / Double(den) * scale).rounded())
  }

  var rational: Rational { Rational(Int(num), Int(den)) }
  /// nil if the fraction means "unknown".
  var known: Rational? { num > 0 && den > 0 ? rational : nil }
}

extension ContentLight {
  init(_ pointer: UnsafePointer<AVContentLightMetadata>) {
    self.init(
      maxCLL: unsafe UInt16(clamping: pointer.pointee.MaxCLL), maxFALL: unsafe UInt16(clamping: pointer.pointee.MaxFALL)
    )
  }
}

extension HDRMetadata {
  /// The metadata attached to a stream.
  init(stream: UnsafePointer<AVStream>) {
    self.init()
    for index in 0..<(unsafe hr_stream_side_data_count(stream)) {
      let entry = unsafe hr_stream_side_data(stream, index).pointee
      unsafe add(entry)
    }
  }

  /// Attaches mastering display and content light to an output stream.
  func add(to stream: UnsafeMutablePointer<AVStream>) throws(FFmpegError) {
    if let display = masteringDisplay {
      var values = display.native
      if unsafe hr_stream_add_mastering(stream, &values) < 0 { throw .outOfMemory }
    }
    if let light = contentLight,
      unsafe hr_stream_add_content_light(stream, UInt32(light.maxCLL), UInt32(light.maxFALL)) < 0
    {
      throw .outOfMemory
    }
  }

  /// Attaches mastering display and content light to a picture, for encoders that read them from there.
  func add(to frame: UnsafeMutablePointer<AVFrame>) throws(FFmpegError) {
    if let display = masteringDisplay {
      guard let data = unsafe av_mastering_display_metadata_create_side_data(frame) else { throw .outOfMemory }
      unsafe data.pointee = display.native
    }
    if let light = contentLight {
      guard let data = unsafe av_content_light_metadata_create_side_data(frame) else { throw .outOfMemory }
      unsafe data.pointee.MaxCLL = UInt32(light.maxCLL)
      unsafe data.pointee.MaxFALL = UInt32(light.maxFALL)
    }
  }

  private mutating func add(_ entry: AVPacketSideData) {
    guard let data = unsafe UnsafeRawPointer(entry.data) else { return }
    let size = unsafe Int(entry.size)
    switch unsafe entry.type {
    case AV_PKT_DATA_MASTERING_DISPLAY_METADATA where size >= MemoryLayout<AVMasteringDisplayMetadata>.size:
      masteringDisplay = unsafe MasteringDisplay(data.assumingMemoryBound(to: AVMasteringDisplayMetadata.self))
    case AV_PKT_DATA_CONTENT_LIGHT_LEVEL where size >= MemoryLayout<AVContentLightMetadata>.size:
      contentLight = unsafe ContentLight(data.assumingMemoryBound(to: AVContentLightMetadata.self))
    case AV_PKT_DATA_DOVI_CONF where size >= MemoryLayout<AVDOVIDecoderConfigurationRecord>.size:
      let record = unsafe data.assumingMemoryBound(to: AVDOVIDecoderConfigurationRecord.self).pointee
      dolbyVision = DolbyVisionConfiguration(
        profile: Int(record.dv_profile), level: Int(record.dv_level), hasRPU: record.rpu_present_flag != 0,
        hasEnhancementLayer: record.el_present_flag != 0, hasBaseLayer: record.bl_present_flag != 0,
        baseLayerCompatibility: Int(record.dv_bl_signal_compatibility_id))
    default: break
    }
  }

  /// The metadata attached to a decoded frame.
  init(frame: UnsafePointer<AVFrame>) {
    self.init()
    if let data = unsafe av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA),
      unsafe Int(data.pointee.size) >= MemoryLayout<AVMasteringDisplayMetadata>.size
    {
      let raw = unsafe UnsafeRawPointer(data.pointee.data)
      masteringDisplay = unsafe raw.flatMap {
        unsafe MasteringDisplay($0.assumingMemoryBound(to: AVMasteringDisplayMetadata.self))
      }
    }
    if let data = unsafe av_frame_get_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL),
      unsafe Int(data.pointee.size) >= MemoryLayout<AVContentLightMetadata>.size
    {
      let raw = unsafe UnsafeRawPointer(data.pointee.data)
      contentLight = unsafe raw.map { unsafe ContentLight($0.assumingMemoryBound(to: AVContentLightMetadata.self)) }
    }
    hdr10Plus = unsafe HDR10PlusMetadata(frame: frame)
    hasDolbyVisionRPU =
      unsafe av_frame_get_side_data(frame, AV_FRAME_DATA_DOVI_RPU_BUFFER) != nil
      || av_frame_get_side_data(frame, AV_FRAME_DATA_DOVI_METADATA) != nil
    ambientViewing = unsafe AmbientViewing(frame: frame)
  }
}

extension AmbientViewing {
  /// nil before FFmpeg 6.1, which does not parse this message.
  init?(frame: UnsafePointer<AVFrame>) {
    var lux = AVRational()
    var x = AVRational()
    var y = AVRational()
    guard unsafe hr_ambient(frame, &lux, &x, &y) != 0,
      let illuminance = lux.units(of: 10_000, as: UInt32.self),
      let lightX = x.units(of: 50_000, as: UInt16.self), let lightY = y.units(of: 50_000, as: UInt16.self)
    else { return nil }
    self.init(illuminance: illuminance, lightX: lightX, lightY: lightY)
  }
}

extension DisplayMatrix {
  /// The matrix of a stream; nil: none.
  init?(stream: UnsafePointer<AVStream>) {
    for index in 0..<(unsafe hr_stream_side_data_count(stream)) {
      let entry = unsafe hr_stream_side_data(stream, index).pointee
      guard unsafe entry.type == AV_PKT_DATA_DISPLAYMATRIX, unsafe Int(entry.size) >= 9 * MemoryLayout<Int32>.size,
        let data = unsafe UnsafeRawPointer(entry.data)
      else { continue }
      let elements = (0..<9).map { unsafe data.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self) }
      self.init(elements)
      return
    }
    return nil
  }
}

extension HDR10PlusMetadata {
  /// nil if the frame has none, or its fractions are invalid.
  init?(frame: UnsafePointer<AVFrame>) {
    guard let plus = unsafe hr_hdr_plus(frame) else { return nil }
    // FFmpeg states light as fractions of 10,000 cd/m², and the targeted peak in cd/m².
    let scale = 10_000 * Self.lightUnits
    func light(_ value: AVRational) -> UInt32? { value.units(of: scale, as: UInt32.self) }
    guard let red = light(unsafe hr_hdr_plus_maxscl(plus, 0)), let green = light(unsafe hr_hdr_plus_maxscl(plus, 1)),
      let blue = light(unsafe hr_hdr_plus_maxscl(plus, 2)), let average = light(unsafe hr_hdr_plus_average(plus)),
      let targeted = unsafe plus.pointee.targeted_system_display_maximum_luminance.units(of: 1, as: UInt32.self)
    else { return nil }
    let percentiles = unsafe (0..<hr_hdr_plus_percentile_count(plus)).compactMap { index -> Percentile? in
      let entry = unsafe hr_hdr_plus_percentile(plus, index)
      return light(entry.percentile).map { Percentile(percentage: entry.percentage, value: $0) }
    }
    self.init(
      applicationVersion: unsafe plus.pointee.application_version, targetedMaxLuminance: targeted,
      maxSCL: SIMD3(red, green, blue), averageMaxRGB: average, distribution: percentiles,
      fractionBright: unsafe hr_hdr_plus_fraction_bright(plus).units(of: 1000, as: UInt16.self) ?? 0,
      curve: unsafe Curve(plus),
      saturationWeight: unsafe hr_hdr_plus_has_saturation(plus) != 0
        ? hr_hdr_plus_saturation(plus).units(of: 8, as: UInt8.self) : nil)
  }
}

extension HDR10PlusMetadata.Curve {
  /// nil if the message has no curve.
  fileprivate init?(_ plus: UnsafePointer<AVDynamicHDRPlus>) {
    guard unsafe hr_hdr_plus_has_curve(plus) != 0,
      let kneeX = unsafe hr_hdr_plus_knee_x(plus).units(of: HDR10PlusMetadata.kneeUnits, as: UInt16.self),
      let kneeY = unsafe hr_hdr_plus_knee_y(plus).units(of: HDR10PlusMetadata.kneeUnits, as: UInt16.self)
    else { return nil }
    let anchors = unsafe (0..<hr_hdr_plus_anchor_count(plus)).compactMap {
      unsafe hr_hdr_plus_anchor(plus, $0).units(of: HDR10PlusMetadata.anchorUnits, as: UInt16.self)
    }
    self.init(kneeX: kneeX, kneeY: kneeY, anchors: anchors)
  }
}
