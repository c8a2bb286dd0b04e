internal import NIOSSL
internal import PreviewProtocol

extension ServerConfiguration.TLSFiles {
  /// Creates a TLS context: version 1.2 or later, and HTTP/1.1.
  func context() throws(ServingError) -> NIOSSLContext {
    guard let chain = try? NIOSSLCertificate.fromPEMFile(certificates), !chain.isEmpty else {
      throw .hasNoCertificate(certificates)
    }
    guard let secret = try? NIOSSLPrivateKey(file: key, format: .pem) else { throw .hasNoKey(key) }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(secret))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    // The context checks that the key matches the certificate.
    do { return try NIOSSLContext(configuration: configuration) } catch { throw .hasNoKey(key) }
  }
}
