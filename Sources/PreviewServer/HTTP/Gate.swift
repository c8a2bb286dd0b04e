internal import NIOCore
internal import NIOHTTP1
internal import PreviewProtocol

/// Access control.
struct Gate: Sendable {
  let token: ServerToken
  /// Accepted host names besides addresses, in lower case.
  let names: Set<String>
  let isSecure: Bool
  let port: Int

  /// Checks the requirements for all requests.
  /// - Parameter local: The address at which the client reached the server.
  func check(_ head: HTTPRequestHead, at local: NumericHost?) throws(Refusal) {
    guard head.version == .http1_1 || head.version == .http1_0 else {
      throw Refusal(.httpVersionNotSupported, .version, "Only HTTP/1.1 is understood.")
    }
    let hosts = head.headers["Host"]
    guard hosts.count == 1, let authority = Authority(hosts[0]) else {
      throw Refusal(.badRequest, .host, "The host is missing.")
    }
    // DNS rebinding: an attacker can point any name at this machine.
    guard isOurs(authority, at: local) else { throw Refusal(.forbidden, .host, "This is refused.") }
    try checkOrigin(head.headers, authority)
    try checkSite(head.headers)
  }

  private func isOurs(_ authority: Authority, at local: NumericHost?) -> Bool {
    guard (authority.port ?? (isSecure ? 443 : 80)) == port else { return false }
    if names.contains(authority.host) { return true }
    guard let local else { return false }
    return authority.host == local.name || (local.isLoopback && authority.host == "localhost")
  }

  /// RFC 6454, 7: pages of other origins are refused.
  private func checkOrigin(_ headers: HTTPHeaders, _ authority: Authority) throws(Refusal) {
    let refusal = Refusal(.forbidden, .origin, "This is refused.")
    let origins = headers["Origin"]
    guard let origin = origins.first else { return }
    let scheme = isSecure ? "https://" : "http://"
    guard origins.count == 1, origin.hasPrefix(scheme), let other = Authority(String(origin.dropFirst(scheme.count)))
    else { throw refusal }
    guard other.host == authority.host, (other.port ?? (isSecure ? 443 : 80)) == port else { throw refusal }
  }

  /// Fetch Metadata: only user-initiated and same-origin requests are allowed. Another port of the host is the same
  /// site.
  private func checkSite(_ headers: HTTPHeaders) throws(Refusal) {
    for site in headers["Sec-Fetch-Site"] where site != "none" && site != "same-origin" {
      throw Refusal(.forbidden, .site, "This is refused.")
    }
  }

  /// Returns whether a request carries the token: in its headers, otherwise as the first segment of its path.
  ///
  /// Cookies are not used: browsers send a host's cookies to all of its ports, including servers of other users.
  func isKnown(_ headers: HTTPHeaders, _ target: RequestTarget?) -> Bool {
    let authorizations = headers["Authorization"]
    guard let authorization = authorizations.first else { return target?.secret.map { token.isEqual(to: $0) } ?? false }
    let parts = authorization.split(separator: " ", omittingEmptySubsequences: true)
    return authorizations.count == 1 && parts.count == 2 && parts[0].lowercased() == "bearer"
      && token.isEqual(to: parts[1])
  }

  static let unknown: Refusal = {
    var refusal = Refusal(.unauthorized, .token, "The token is missing or wrong.")
    refusal.headers = [("WWW-Authenticate", "Bearer")]
    return refusal
  }()

  /// The same refusal as a page.
  static let closed: Refusal = {
    var refusal = unknown
    refusal.isPage = true
    refusal.sentence =
      "This address is not valid, or no longer valid. Open the full address that was printed when the preview last started, or scan its code again."
    return refusal
  }()
}
