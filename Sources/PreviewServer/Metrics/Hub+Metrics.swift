internal import NIOCore
internal import PreviewProtocol

extension Hub {
  /// The current metrics.
  var metrics: String {
    var text = MetricsText()
    addServer(to: &text)
    addStreams(to: &text)
    addRendering(to: &text)
    return text.text
  }

  private func addServer(to text: inout MetricsText) {
    text.add("uptime_seconds", .gauge, "Since the server began.", (NIODeadline.now() - counts.began).seconds)
    text.add("connections", .gauge, "Open connections.", connections.count)
    text.add("websocket_clients", .gauge, "Clients of the events.", events.count)
    text.add(
      "requests_total", .counter, "Requests that were answered, by class of status.",
      (1...5).map { ("class=\"\($0)xx\"", counts.answers[$0] ?? 0) })
    text.add(
      "rejected_total", .counter, "Requests that were refused, by reason.",
      Refusal.Reason.allCases.map { ("reason=\"\($0.rawValue)\"", counts.rejections[$0] ?? 0) })
    text.add("crowded_total", .counter, "Connections that were closed at once, as there were too many.", counts.crowded)
    text.add("sent_bytes_total", .counter, "Bytes of answers, before encryption.", counts.sentBytes)
  }

  private func addStreams(to text: inout MetricsText) {
    text.add("viewers", .gauge, "Viewers of streams, and those who wait for one.", streams.viewers.count)
    text.add("streams", .gauge, "Streams that are served.", streams.count)
    text.add("fragments_sent_total", .counter, "Fragments that were sent, for all viewers.", counts.sentFragments)
    text.add(
      "fragments_skipped_total", .counter, "Fragments that were left out for slow viewers.", counts.skippedFragments)
    let viewers = streams.viewers.values.sorted { $0.number < $1.number }
    text.add(
      "viewer_fragments_sent_total", .counter, "Fragments that were sent to a present viewer.",
      viewers.map { ("viewer=\"\($0.number)\"", $0.sent) })
    text.add(
      "viewer_fragments_skipped_total", .counter, "Fragments that were left out for a present viewer.",
      viewers.map { ("viewer=\"\($0.number)\"", $0.skipped) })
  }

  private func addRendering(to text: inout MetricsText) {
    let values = rendering
    text.add("rendered_frames_total", .counter, "Frames that were rendered.", values.rendered)
    text.add("dropped_frames_total", .counter, "Frames that came too late to be rendered or encoded.", values.dropped)
    text.add("lost_frames_total", .counter, "Frames of a device that never arrived.", values.lost)
    text.add("recorded_frames_total", .counter, "Frames that were recorded.", values.recorded)
    text.add("unrecorded_frames_total", .counter, "Frames that a recording lacks.", values.unrecorded)
    text.add("encoded_frames_total", .counter, "Frames that were encoded, of all streams.", values.encoded)
    text.add("encoded_bytes_total", .counter, "Bytes of encoded frames, of all streams.", values.encodedBytes)
    text.add("encoded_streams", .gauge, "Streams that are encoded.", values.streams)
  }
}
