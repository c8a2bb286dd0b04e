public import ProcessLink

/// The rendering process's end of the link.
public typealias RendererLink = LinkChannel<ServerMessage, ServerReport>
/// The network process's end of the link.
public typealias NetworkLink = LinkChannel<ServerReport, ServerMessage>
