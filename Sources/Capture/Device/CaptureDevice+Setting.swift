internal import CV4L2

extension CaptureDevice {
  /// Returns the description of a control; nil if the device does not have it, or it is disabled.
  func control(numbered id: UInt32) -> CaptureControl? { controls.first { $0.id == id } }

  /// Sets an integer control.
  /// - Throws: `CaptureError` if the device refuses, or does not have the control.
  func set(_ id: UInt32, to value: Int64) throws(CaptureError) {
    let code = attempt(id, value)
    if code != 0 { throw unsafe .failed(DeviceRequests.setControls.name, path, code) }
  }

  /// Sets an integer control.
  /// - Returns: 0, or an `errno` value.
  func attempt(_ id: UInt32, _ value: Int64) -> Int32 {
    var control = unsafe v4l2_ext_control()
    unsafe control.id = id
    if isLong(id) {
      unsafe control.value64 = value
    } else {
      unsafe control.value = Int32(clamping: value)
    }
    return unsafe withUnsafeMutablePointer(to: &control) { control in
      var controls = unsafe v4l2_ext_controls()
      unsafe (controls.count, controls.controls) = (1, control)
      return unsafe attempt(DeviceRequests.setControls, &controls)
    }
  }

  /// Returns the value of an integer control; nil if the device does not have it, or it cannot be read.
  func number(_ id: UInt32) -> Int64? { number(id, isLong: isLong(id)) }

  /// Whether a control has 64 bits.
  private func isLong(_ id: UInt32) -> Bool {
    var query = v4l2_query_ext_ctrl()
    query.id = id
    return attempt(DeviceRequests.queryControl, &query) == 0 && query.type == V4L2_CTRL_TYPE_INTEGER64.rawValue
  }
}
