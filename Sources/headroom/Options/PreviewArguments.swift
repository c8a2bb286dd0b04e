internal import ArgumentParser
internal import Sessions

/// What is shown, and how: the options that `preview` and `serve` share.
struct PreviewArguments: ParsableArguments {
  @OptionGroup(title: "Preview") var options: PreviewOptions
  @OptionGroup(title: "Device") var capture: CaptureOptions
  @OptionGroup(title: "Light and colour") var mapping: MappingOptions
  @OptionGroup(title: "Light and colour") var following: FollowingOptions
  @OptionGroup(title: "Light and colour") var rendering: RenderingOptions
  @OptionGroup(title: "Input overrides") var source: InputOptions

  func validate() throws {
    try FilterOptions.check(options.filters)
    try rendering.validate(with: mapping)
  }

  func request(_ input: String) -> PreviewRequest {
    var request = PreviewRequest(input: input)
    request.input = source.request(input)
    request.input.capture = capture.request
    request.screen = options.output ?? .automatic
    request.recording = options.recordingRequest
    (request.mapping, request.rendering) = (mapping.request, rendering.request)
    request.following = following.request(mapping.display)
    (request.filters, request.selection) = (options.filters, options.selection.request)
    request.maximumLatency = options.maxLatency.map { $0 / 1000 }
    (request.adapts, request.report, request.overwrites) = (options.adapt == .on, options.report, options.overwrite)
    request.snapshotFolder = options.snapshots ?? request.snapshotFolder
    request.processing = rendering.processing.request
    return request
  }
}
