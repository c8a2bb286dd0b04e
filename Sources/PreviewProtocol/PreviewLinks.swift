public import ProcessLink

/// The end of the rendering process.
public typealias RendererLink = LinkChannel<ServerMessage, ServerReport>
/// The end of the network process.
public typealias NetworkLink = LinkChannel<ServerReport, ServerMessage>
