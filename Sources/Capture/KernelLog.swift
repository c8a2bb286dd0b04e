internal import Files
internal import Glibc

/// Messages about capture devices in the kernel log.
public enum KernelLog {
  /// The log of this machine; reading it may need privileges.
  public static let defaultPath = "/dev/kmsg"

  /// Maximum line length of 8 KiB (Linux, Documentation/ABI/testing/dev-kmsg); a log has thousands of lines.
  private static let longestLine = 8192
  private static let mostLines = 100_000

  /// Returns the pixel formats of USB devices that the kernel does not know and therefore does not offer.
  ///
  /// Source: Linux, drivers/media/usb/uvc/uvc_driver.c; USB Device Class Definition for Video Devices, Uncompressed Payload, table 2-1:
  /// the first four bytes of a format's GUID are its code.
  /// - Returns: An empty array if the log cannot be read.
  public static func unknownFormats(in path: String = defaultPath) -> [FourCC] {
    let descriptor = unsafe open(path.systemName, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var codes: [FourCC] = []
    var line = [UInt8](repeating: 0, count: longestLine)
    for _ in 0..<mostLines {
      let count = unsafe line.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress!, $0.count) }
      // Skips a line that was overwritten while reading.
      if count < 0, errno == EPIPE || errno == EINTR { continue }
      guard count > 0 else { break }
      for code in formats(of: String(decoding: line[..<count], as: UTF8.self)) where !codes.contains(code) {
        codes.append(code)
      }
    }
    return codes
  }

  private static func formats(of text: String) -> [FourCC] {
    text.split(separator: "Unknown video format ").dropFirst().compactMap { rest in
      // Little-endian hexadecimal; the first four bytes are printed as one number.
      UInt32(rest.prefix(8), radix: 16).map { FourCC(rawValue: $0) }
    }
  }
}
