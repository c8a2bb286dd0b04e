internal import Foundation

/// A Chromium without a window, where one is installed and works.
public struct Browser: Sendable {
  /// The result of opening a page.
  public struct Visit: Sendable {
    /// Lines of the console: errors of scripts, and what the page's policy has forbidden.
    public var console: [String]
    /// Addresses that the page requested.
    public var requests: [String]
    /// PNG.
    public var screenshot: String
  }

  let path: String
  /// Seconds that a visit may take; one takes about two.
  private static let limit = 25

  /// nil where there is none.
  public static let installed: Browser? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    for name in ["chromium", "chromium-browser", "google-chrome"] {
      for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
        return Browser(path: "\(folder)/\(name)")
      }
    }
    return nil
  }()

  /// Opens a file.
  /// - Returns: nil where the browser does not answer in time.
  public func visit(_ page: String, width: Int, height: Int, in scratch: Scratch) -> Visit? {
    let (log, requests) = (scratch.path("browser.log"), scratch.path("requests.json"))
    let screenshot = scratch.path("screenshot.png")
    for file in [log, requests, screenshot] { try? FileManager.default.removeItem(atPath: file) }
    let status = LimitedProgram.run(
      [path] + Self.flags + [
        "--user-data-dir=\(scratch.path("browser"))", "--log-net-log=\(requests)",
        "--window-size=\(width),\(height)", "--screenshot=\(screenshot)", URL(fileURLWithPath: page).absoluteString,
      ], trace: scratch.path("browser"), output: log, seconds: Self.limit)
    guard status == 0, FileManager.default.fileExists(atPath: screenshot),
      let console = try? String(decoding: Data(contentsOf: URL(fileURLWithPath: log)), as: UTF8.self),
      let requested = Self.requests(requests)
    else { return nil }
    return Visit(
      console: console.split(separator: "\n").filter { $0.contains(":CONSOLE") }.map(String.init), requests: requested,
      screenshot: screenshot)
  }

  /// No zygote: those have hung in virtual machines. No network: the browser itself would ask its maker's servers.
  private static let flags = [
    "--headless", "--no-sandbox", "--no-zygote", "--disable-gpu", "--disable-dev-shm-usage", "--disable-crash-reporter",
    "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-default-apps", "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND", "--hide-scrollbars",
    "--force-device-scale-factor=1", "--enable-logging=stderr",
  ]

  /// Addresses in the log of the network that a page has asked for, not the browser itself.
  private static func requests(_ path: String) -> [String]? {
    guard let data = FileManager.default.contents(atPath: path),
      let log = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let events = log["events"] as? [[String: Any]]
    else { return nil }
    return events.compactMap { event in
      guard let values = event["params"] as? [String: Any], let initiator = values["initiator"] as? String,
        initiator != "not an origin"
      else { return nil }
      return values["url"] as? String
    }
  }
}
