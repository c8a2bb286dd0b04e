internal import Glibc

/// POSIX threads whose creation can fail with an error; Foundation and Dispatch hang where no thread is available.
public enum SystemThread {
  /// What a thread does; it is released when that is done.
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a thread that nobody waits for; it ends with `body`.
  /// - Throws: `ThreadError` where the system has no room for one.
  public static func start(_ body: @escaping @Sendable () -> Void) throws(ThreadError) {
    var thread = pthread_t()
    let retained = unsafe Unmanaged.passRetained(Body(body))
    let code = unsafe pthread_create(
      &thread, nil,
      { opaque in
        if let opaque = unsafe opaque { unsafe Unmanaged<Body>.fromOpaque(opaque).takeRetainedValue().run() }
        return nil
      }, retained.toOpaque())
    guard code == 0 else {
      unsafe retained.release()
      throw ThreadError(code: code)
    }
    pthread_detach(thread)
  }
}
