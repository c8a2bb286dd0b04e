internal import Glibc

/// POSIX threads, whose creation reports failure as an error; Foundation and Dispatch hang if no thread is available.
public enum SystemThread {
  /// The body of a thread, released when it returns.
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a detached thread; it ends with `body`.
  /// - Throws: `ThreadError` if the system cannot create one.
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
