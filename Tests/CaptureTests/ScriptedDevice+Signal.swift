import CV4L2
import Foundation
import Frames

import Capture

/// A control of a scripted device.
struct ScriptedControl {
  var id: UInt32
  var name: String
  var type: UInt32
  var range: ClosedRange<Int64> = 0...100
  var value: Int64 = 0
  var flags: UInt32 = 0
  var items: [Int64: String] = [:]
}

extension v4l2_dv_timings {
  /// Timings of a size, with a blanking of 100 samples and 50 lines.
  static func of(_ width: UInt32, _ height: UInt32, clock: UInt64 = 0) -> v4l2_dv_timings {
    var timings = v4l2_dv_timings()
    timings.type = UInt32(V4L2_DV_BT_656_1120)
    (timings.bt.width, timings.bt.height, timings.bt.pixelclock) = (width, height, clock)
    (timings.bt.hsync, timings.bt.vsync) = (100, 50)
    return timings
  }
}

extension ScriptedDevice {
  /// Requests about inputs, signals, controls and events.
  func answerOfSignal(_ code: UInt, _ argument: UnsafeMutableRawPointer) -> Int32? {
    with(argument, code, DeviceRequests.queryTimings) { queried in
      switch timings {
      case nil: return ENODATA
      case .failure(let failure): return failure.code
      case .success(let timings): queried = timings
      }
      return 0
    }
      ?? with(argument, code, DeviceRequests.setTimings) { timings in
        guard memory.isEmpty, !isReading else { return EBUSY }
        settings.append("timings")
        let size = Size(width: Int(timings.bt.width), height: Int(timings.bt.height))
        if followsTimings {
          for index in modes.indices { modes[index].size = size }
          set.size = size
        }
        return 0
      }
      ?? with(argument, code, DeviceRequests.subscribeEvent) { subscription in
        // Those of a signal are of one input.
        let isOfInput = subscription.type == UInt32(V4L2_EVENT_SOURCE_CHANGE)
        guard !isOfInput || subscription.id == UInt32(input) else { return 0 }
        subscribed.append(subscription.type)
        return 0
      }
      ?? with(argument, code, DeviceRequests.dequeueEvent) { event in
        guard !events.isEmpty else { return ENOENT }
        event = events.removeFirst()
        return 0
      }
      ?? answerOfInputs(code, argument) ?? answerOfControls(code, argument)
  }

  private func answerOfInputs(_ code: UInt, _ argument: UnsafeMutableRawPointer) -> Int32? {
    with(argument, code, DeviceRequests.enumerateInputs) { input in
      guard input.index < inputs.count else { return EINVAL }
      let own = inputs[Int(input.index)]
      withUnsafeMutableBytes(of: &input.name) { $0.copyBytes(from: own.name.utf8.prefix(31)) }
      (input.status, input.capabilities) = (own.status, timings == nil ? 0 : UInt32(V4L2_IN_CAP_DV_TIMINGS))
      return 0
    }
      ?? with(argument, code, DeviceRequests.getInput) { number in
        number = input
        return inputs.isEmpty ? ENOTTY : 0
      }
      ?? with(argument, code, DeviceRequests.setInput) { number in
        guard inputs.indices.contains(Int(number)) else { return EINVAL }
        input = number
        settings.append("input \(number)")
        return 0
      }
  }

  private func answerOfControls(_ code: UInt, _ argument: UnsafeMutableRawPointer) -> Int32? {
    with(argument, code, DeviceRequests.getControls) { get(&$0.controls[0]) }
      ?? with(argument, code, DeviceRequests.setControls) { set($0.controls[0]) }
      ?? with(argument, code, DeviceRequests.queryControl) { query in
        let last = query.id & ~UInt32(V4L2_CTRL_FLAG_NEXT_CTRL) & ~UInt32(V4L2_CTRL_FLAG_NEXT_COMPOUND)
        let isExact = query.id == last
        guard let next = controls.first(where: { isExact ? $0.id == last : $0.id > last }) else { return EINVAL }
        (query.id, query.type, query.flags) = (next.id, next.type, next.flags)
        withUnsafeMutableBytes(of: &query.name) { $0.copyBytes(from: next.name.utf8.prefix(31)) }
        (query.minimum, query.maximum) = (next.range.lowerBound, next.range.upperBound)
        (query.step, query.default_value) = (1, next.range.lowerBound)
        return 0
      }
      ?? with(argument, code, DeviceRequests.queryMenu) { menu in
        guard let control = controls.first(where: { $0.id == menu.id }), let item = control.items[Int64(menu.index)]
        else { return EINVAL }
        if control.type == V4L2_CTRL_TYPE_INTEGER_MENU.rawValue {
          menu.value = Int64(item) ?? 0
        } else {
          withUnsafeMutableBytes(of: &menu.name) { $0.copyBytes(from: item.utf8.prefix(31)) }
        }
        return 0
      }
  }

  private func get(_ control: inout v4l2_ext_control) -> Int32 {
    switch Int32(bitPattern: control.id) {
    case V4L2_CID_COLORIMETRY_HDR10_CLL_INFO:
      guard let contentLight else { return EINVAL }
      control.ptr.storeBytes(of: contentLight, as: v4l2_ctrl_hdr10_cll_info.self)
    case V4L2_CID_COLORIMETRY_HDR10_MASTERING_DISPLAY:
      guard let mastering else { return EINVAL }
      control.ptr.storeBytes(of: mastering, as: v4l2_ctrl_hdr10_mastering_display.self)
    default:
      guard let own = controls.first(where: { $0.id == control.id }) else { return EINVAL }
      if own.type == V4L2_CTRL_TYPE_INTEGER64.rawValue {
        control.value64 = own.value
      } else {
        control.value = Int32(truncatingIfNeeded: own.value)
      }
    }
    return 0
  }

  /// Sets a control as the kernel does. Source: Linux, vidioc-g-ext-ctrls.rst, return values.
  private func set(_ control: v4l2_ext_control) -> Int32 {
    guard let index = controls.firstIndex(where: { $0.id == control.id }) else { return EINVAL }
    let own = controls[index]
    let value = own.type == V4L2_CTRL_TYPE_INTEGER64.rawValue ? control.value64 : Int64(control.value)
    if own.flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0 { return EACCES }
    if own.flags & UInt32(V4L2_CTRL_FLAG_GRABBED) != 0 { return EBUSY }
    guard own.range.contains(value) else { return ERANGE }
    controls[index].value = value
    settings.append("\(own.name) \(value)")
    return 0
  }
}
