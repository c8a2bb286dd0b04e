internal import ArgumentParser
internal import LivePreview
internal import Sessions

/// The content and rendering of a preview: the options common to `preview` and `serve`.
struct PreviewArguments: ParsableArguments {
  @OptionGroup(title: "Preview") var options: PreviewOptions
  @OptionGroup(title: "Device") var capture: CaptureOptions
  @OptionGroup(title: "Light and colour") var mapping: Options<MappingOptions>
  @OptionGroup(title: "Light and colour") var following: Options<PreviewFollowingOptions>
  @OptionGroup(title: "Light and colour") var rendering: Options<RenderingOptions>
  @OptionGroup(title: "Light and colour") var processing: Options<ProcessingOptions>
  @OptionGroup(title: "Input overrides") var source: Options<InputOptions>

  func request(_ input: String) -> PreviewRequest {
    var request = PreviewRequest(input: input)
    source.apply(to: &request.input)
    request.input.capture = capture.request
    request.screen = options.screen ?? .automatic
    request.recording = options.recordingRequest
    (request.mapping, request.rendering) = (mapping.request, rendering.request)
    following.apply(to: &request)
    (request.filters, request.selection) = (options.filters.request.filters, options.selection.request)
    request.maximumLatency = options.maxLatency.map { $0 / 1000 }
    (request.adapts, request.report, request.overwrites) = (options.adapt == .on, options.report, options.overwrite)
    request.snapshotFolder = options.snapshots ?? request.snapshotFolder
    request.processing = processing.request
    return request
  }
}
