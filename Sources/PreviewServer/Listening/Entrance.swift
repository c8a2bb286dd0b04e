internal import Glibc
internal import NIOCore
internal import NIOSSL
internal import PreviewProtocol

/// The resources that need the process's privileges: a listening socket and the TLS files.
struct Entrance {
  let configuration: ServerConfiguration
  let place: ListeningPlace
  let token: ServerToken
  let tls: NIOSSLContext?
  let socket: Int32

  /// Maximum number of connections waiting to be accepted.
  private static let backlog: Int32 = 128

  init(_ configuration: ServerConfiguration) throws(ServingError) {
    self.configuration = configuration
    place = try ListeningPlace(configuration)
    guard let token = ServerToken(configuration.token) else { throw .hasNoToken }
    self.token = token
    tls = try configuration.tls?.context()
    socket = try Self.listen(place)
  }

  private static func listen(_ place: ListeningPlace) throws(ServingError) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = Glibc.socket(place.address.protocol.rawValue, type, 0)
    guard descriptor >= 0 else { throw .cannotListen(place.host, place.address.port ?? 0, code: errno) }
    var isReused: Int32 = 1
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
    let isBound = unsafe place.address.withSockAddr { address, length in
      unsafe bind(descriptor, address, socklen_t(length)) == 0
    }
    guard isBound, Glibc.listen(descriptor, backlog) == 0 else {
      let code = errno
      close(descriptor)
      throw .cannotListen(place.host, place.address.port ?? 0, code: code)
    }
    return descriptor
  }
}
