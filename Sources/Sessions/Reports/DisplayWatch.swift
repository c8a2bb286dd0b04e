internal import Displays

/// Watches displays for changes, connections and disconnections. Used by one thread.
public final class DisplayWatch {
  private var watched: [WatchedDisplay]
  private let root: String?

  /// - Parameters:
  ///   - entries: The displays as reported.
  ///   - root: A folder laid out like `/sys`, whose displays are watched as they are connected; nil: only `entries`.
  public init(_ entries: [DisplayReport.Entry], connectedTo root: String?) {
    watched = entries.map { WatchedDisplay($0) }
    self.root = root
  }

  /// Returns the changes since the last call: displays that are new, different, or no longer readable.
  /// - Throws: An error if no thread can be created.
  public func changes() throws -> [DisplayReport.Entry] {
    if let root {
      let known = Set(watched.map(\.entry.name))
      watched += DisplayReport.Entry.connected(root: root, but: known).map { WatchedDisplay($0, isNew: true) }
    }
    return try watched.filter { try $0.hasChanged() }.map(\.entry)
  }
}

/// A display and its last reported state.
private final class WatchedDisplay {
  private(set) var entry: DisplayReport.Entry
  private var monitor: DisplayMonitor?
  private var isNew: Bool

  init(_ entry: DisplayReport.Entry, isNew: Bool = false) { (self.entry, self.isNew) = (entry, isNew) }

  deinit { monitor?.stop() }

  func hasChanged() throws -> Bool {
    defer { isNew = false }
    guard entry.source.canChange else { return isNew }
    // If it cannot be read yet, try again next time.
    do { monitor = try monitor ?? DisplayMonitor(entry.source) } catch is DisplayError { return isNew }
    guard let monitor else { return isNew }
    if let fault = monitor.takeFault() {
      entry = entry.failing(fault)
    } else if monitor.fault == nil, monitor.status != entry.status {
      entry = entry.showing(monitor.status)
    } else {
      return isNew
    }
    return true
  }
}
