internal import COpenEXR

/// The library's messages for its error codes.
enum EXRMessage {
  static func text(_ code: exr_result_t) -> String {
    guard let text = unsafe exr_get_default_error_message(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
