import CV4L2
import Foundation
import Frames

import Capture

extension ScriptedDevice {
  /// Requests about what the device offers, and what it is set to.
  func answer(_ code: UInt, _ argument: UnsafeMutableRawPointer) -> Int32? {
    with(argument, code, DeviceRequests.queryCapabilities) { capability in
      withUnsafeMutableBytes(of: &capability.card) { $0.copyBytes(from: "Script\u{1}".utf8) }
      withUnsafeMutableBytes(of: &capability.bus_info) { $0.copyBytes(from: "test:1".utf8) }
      withUnsafeMutableBytes(of: &capability.driver) { $0.copyBytes(from: "scripted".utf8) }
      capability.capabilities = capabilities
      return 0
    }
      ?? with(argument, code, DeviceRequests.enumerateFormats) { description in
        var codes: [FourCC] = []
        for mode in modes where !codes.contains(mode.code) { codes.append(mode.code) }
        guard description.index < codes.count else { return EINVAL }
        withUnsafeMutableBytes(of: &description.description) { $0.copyBytes(from: "In words".utf8) }
        description.pixelformat = codes[Int(description.index)].rawValue
        return 0
      }
      ?? with(argument, code, DeviceRequests.enumerateSizes) { size in
        if let range {
          guard size.index == 0 else { return EINVAL }
          (size.type, size.stepwise) = (V4L2_FRMSIZE_TYPE_STEPWISE.rawValue, range)
          return 0
        }
        var sizes: [Size] = []
        for mode in modes where mode.code.rawValue == size.pixel_format && !sizes.contains(mode.size) {
          sizes.append(mode.size)
        }
        guard size.index < sizes.count else { return EINVAL }
        size.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
        let own = sizes[Int(size.index)]
        size.discrete = v4l2_frmsize_discrete(width: UInt32(own.width), height: UInt32(own.height))
        return 0
      }
      ?? with(argument, code, DeviceRequests.enumerateIntervals) { interval in
        let rates = modes.first {
          $0.code.rawValue == interval.pixel_format
            && (range != nil || $0.size.width == interval.width && $0.size.height == interval.height)
        }?.rates
        guard let rates, interval.index < rates.count else { return EINVAL }
        interval.type = V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
        let rate = rates[Int(interval.index)]
        interval.discrete = v4l2_fract(numerator: rate.0, denominator: rate.1)
        return 0
      }
      ?? with(argument, code, DeviceRequests.getFormat) { format in
        describe(set, &format)
        return 0
      }
      ?? answerOfFormat(code, argument)
  }

  private func answerOfFormat(_ code: UInt, _ argument: UnsafeMutableRawPointer) -> Int32? {
    with(argument, code, DeviceRequests.tryFormat) { format in
      guard let mode = mode(of: format) else { return EINVAL }
      describe(mode, &format)
      return 0
    }
      ?? with(argument, code, DeviceRequests.setFormat) { format in
        guard let mode = mode(of: format) else { return EINVAL }
        // A device with buffers keeps its format.
        guard memory.isEmpty, !isReading else { return EBUSY }
        (set, setInterval) = (mode, nil)
        settings.append("format")
        describe(mode, &format)
        change(&format)
        return 0
      }
      ?? with(argument, code, DeviceRequests.getParameters) { parameters in
        parameters.parm.capture.capability = UInt32(V4L2_CAP_TIMEPERFRAME)
        parameters.parm.capture.timeperframe =
          setInterval ?? v4l2_fract(numerator: set.rates[0].0, denominator: set.rates[0].1)
        return 0
      }
      ?? with(argument, code, DeviceRequests.setParameters) { parameters in
        guard !isStreaming else { return EBUSY }
        let interval = parameters.parm.capture.timeperframe
        settings.append("rate \(interval.denominator)/\(interval.numerator)")
        setInterval = interval
        return 0
      }
  }

  func mode(of format: v4l2_format) -> Mode? {
    let (code, width, height) =
      isMultiplanar
      ? (format.fmt.pix_mp.pixelformat, format.fmt.pix_mp.width, format.fmt.pix_mp.height)
      : (format.fmt.pix.pixelformat, format.fmt.pix.width, format.fmt.pix.height)
    if range != nil, var mode = modes.first(where: { $0.code.rawValue == code }) {
      mode.size = Size(width: Int(width), height: Int(height))
      return mode
    }
    return modes.first { $0.code.rawValue == code && $0.size.width == width }
      ?? modes.first { $0.code.rawValue == code }
  }

  /// Bytes from row to row, and in all, of each buffer plane of the format that is set.
  private var planes: [(stride: Int, length: Int)] {
    guard let format = CaptureFormat(set.code), let layout = format.layout else { return [(0, 4096)] }
    let sizes = (0..<layout.planeCount).map { layout.planeSize($0, of: set.size) }
    let stride = sizes[0].width * layout.bytesPerSample + padding
    func length(_ plane: Int) -> Int {
      (layout.packing == .planar && plane > 0 ? stride / 2 : stride) * sizes[plane].height
    }
    return format.hasSeparatePlanes
      ? sizes.indices.map { (stride, length($0) + dataOffset) }
      : [(stride, sizes.indices.reduce(0) { $0 + length($1) })]
  }

  var lengths: [Int] { planes.map(\.length) }

  func describe(_ mode: Mode, _ format: inout v4l2_format) {
    let before = set
    set = mode
    defer { set = before }
    let color = colors[mode.code] ?? color
    if isMultiplanar {
      var pix = v4l2_pix_format_mplane()
      (pix.width, pix.height) = (UInt32(mode.size.width), UInt32(mode.size.height))
      (pix.pixelformat, pix.field) = (mode.code.rawValue, V4L2_FIELD_NONE.rawValue)
      (pix.colorspace, pix.xfer_func) = (color.0, UInt8(color.1))
      (pix.ycbcr_enc, pix.quantization) = (UInt8(color.2), UInt8(color.3))
      pix.num_planes = UInt8(planes.count)
      (pix.plane_fmt.0.bytesperline, pix.plane_fmt.0.sizeimage) = (UInt32(planes[0].stride), UInt32(planes[0].length))
      if planes.count > 1 {
        (pix.plane_fmt.1.bytesperline, pix.plane_fmt.1.sizeimage) = (UInt32(planes[1].stride), UInt32(planes[1].length))
      }
      format.fmt.pix_mp = pix
    } else {
      var pix = v4l2_pix_format()
      (pix.width, pix.height) = (UInt32(mode.size.width), UInt32(mode.size.height))
      (pix.pixelformat, pix.field) = (mode.code.rawValue, V4L2_FIELD_NONE.rawValue)
      (pix.colorspace, pix.xfer_func) = (color.0, color.1)
      (pix.ycbcr_enc, pix.quantization) = (color.2, color.3)
      (pix.bytesperline, pix.sizeimage) = (UInt32(planes[0].stride), UInt32(planes[0].length))
      format.fmt.pix = pix
    }
  }
}
