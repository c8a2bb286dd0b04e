// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableExperimentalFeature("Lifetimes"),
]

/// What only plans, talks and reports, and tests of it, are built without optimization, in a third of the time. No pixel
/// is touched there.
let cold: [SwiftSetting] = strict + [.unsafeFlags(["-Onone"])]

/// Kernels are optimised in debug builds too: unoptimised vector code is hundreds of times slower.
/// `-Wno-psabi`: sixteen-lane vectors have no agreed calling convention below AVX-512; every one is inlined.
let kernel: [SwiftSetting] = strict + [.unsafeFlags(["-O", "-Xcc", "-Wno-psabi"])]

var tiers: [Target] = [
  .target(name: "RowKernels", dependencies: ["SIMDShims"], swiftSettings: kernel)
]
#if arch(x86_64)
  // One source, one target per instruction set: `Sources/RowKernelsAVX2` and so on are links to `Sources/RowKernels`.
  for (name, level) in [("RowKernelsAVX2", "x86-64-v3"), ("RowKernelsAVX512", "x86-64-v4")] {
    tiers.append(
      .target(
        name: name, dependencies: ["SIMDShims"],
        swiftSettings: kernel + [.unsafeFlags(["-Xcc", "-march=\(level)"])]))
  }
#endif

let tierNames = tiers.map { Target.Dependency(stringLiteral: $0.name) }

let package = Package(
  name: "headroom",
  // Modules that no product has are for this package alone.
  products: [
    .library(name: "Frames", targets: ["Frames", "ColorScience"]),
    .library(name: "Rendering", targets: ["Rendering"]),
    .library(name: "ToneMapping", targets: ["ToneMapping"]),
    .library(name: "FFmpegIO", targets: ["FFmpegIO", "Media", "Compositing"]),
    .library(name: "Verification", targets: ["Verification", "Patterns", "Lettering"]),
    .library(
      name: "Sessions",
      targets: [
        "Sessions", "BatchTranscode", "ChunkedTranscode", "ConstantColorRuns", "LivePreview",
        // Types of these are in what the modules above declare.
        "Capture", "ConstantColor", "Displays", "ImageFiles", "Measurement", "Preview", "Scopes", "StreamPipeline",
      ]),
    .executable(name: "headroom", targets: ["headroom"]),
    .executable(name: "headroom-serve", targets: ["headroom-serve"]),
    .executable(name: "headroom-bench", targets: ["headroom-bench"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // Only `PreviewServer` uses them.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    // Only tools/make-docs uses it.
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ],
  targets: tiers + [
    .target(name: "ColorScience", swiftSettings: strict),
    .target(name: "Frames", dependencies: ["ColorScience"], swiftSettings: strict),
    .systemLibrary(name: "SIMDShims"),
    .target(name: "Threads", swiftSettings: strict),
    .target(
      name: "Rendering", dependencies: ["ColorScience", "Frames", "SIMDShims", "Threads"] + tierNames,
      swiftSettings: strict),
    .target(
      name: "ToneMapping", dependencies: ["ColorScience", "Frames", "Rendering"],
      swiftSettings: strict),
    .target(
      name: "Measurement", dependencies: ["ColorScience", "Files", "Frames", "Rendering", "SIMDShims"],
      swiftSettings: strict),
    .target(
      name: "Scopes", dependencies: ["ColorScience", "Frames", "Lettering", "Rendering", "SIMDShims"],
      swiftSettings: strict),
    .target(
      name: "Filters",
      dependencies: ["ColorScience", "Frames", "Lettering", "Rendering", "SIMDShims", "Scopes", "ToneMapping"],
      swiftSettings: strict),
    .target(name: "Media", dependencies: ["ColorScience", "Files", "Frames"], swiftSettings: strict),
    .target(name: "Bitstreams", dependencies: ["ColorScience", "Files", "Frames", "Media"], swiftSettings: strict),
    .target(name: "Compositing", dependencies: ["ColorScience", "Frames", "Media"], swiftSettings: strict),
    .systemLibrary(name: "CFFmpeg", pkgConfig: "libavformat", providers: [.apt(["libavformat-dev"])]),
    .systemLibrary(name: "CFiles"),
    .target(name: "Files", dependencies: ["CFiles"], swiftSettings: strict),
    .target(name: "HTMLReports", swiftSettings: strict),
    .target(name: "Farm", dependencies: ["Files", "HTMLReports"], swiftSettings: strict),
    .target(
      name: "FFmpegIO",
      dependencies: ["Bitstreams", "CFFmpeg", "ColorScience", "Compositing", "Files", "Frames", "Media", "Threads"],
      swiftSettings: strict),
    // Linked by their module maps: pkg-config names flags that the package manager warns of.
    .systemLibrary(name: "COpenEXR", providers: [.apt(["libopenexr-dev"])]),
    .systemLibrary(name: "CTIFF", providers: [.apt(["libtiff-dev"])]),
    .systemLibrary(name: "CJXL", providers: [.apt(["libjxl-dev"])]),
    .systemLibrary(name: "CLibRaw", providers: [.apt(["libraw-dev"])]),
    .target(
      name: "ImageFiles",
      dependencies: [
        "Bitstreams", "CJXL", "CLibRaw", "COpenEXR", "CTIFF", "ColorScience", "Compositing", "FFmpegIO", "Files",
        "Frames", "Media", "Rendering", "Threads",
      ],
      swiftSettings: strict),
    .target(name: "StreamPipeline", dependencies: ["Frames", "Media", "Threads"], swiftSettings: strict),
    .systemLibrary(name: "CFreeType", pkgConfig: "freetype2", providers: [.apt(["libfreetype-dev"])]),
    .target(name: "Lettering", dependencies: ["CFreeType"], swiftSettings: strict),
    .systemLibrary(name: "CASS", providers: [.apt(["libass-dev"])]),
    .target(
      name: "Subtitles", dependencies: ["CASS", "ColorScience", "Frames", "Media", "Rendering"], swiftSettings: strict),
    .target(
      name: "Patterns", dependencies: ["ColorScience", "Frames", "Lettering", "Threads"], swiftSettings: strict),
    .target(
      name: "Verification", dependencies: ["ColorScience", "Frames", "HTMLReports", "Patterns"], swiftSettings: strict),
    .target(
      name: "ConstantColor", dependencies: ["ColorScience", "Frames", "HTMLReports", "Rendering"],
      swiftSettings: strict),
    .systemLibrary(name: "CV4L2"),
    .target(
      name: "Capture", dependencies: ["CV4L2", "ColorScience", "Files", "Frames", "Media", "Threads"],
      swiftSettings: strict),
    .target(name: "Displays", dependencies: ["ColorScience", "Files", "Threads"], swiftSettings: strict),
    .systemLibrary(name: "CSDL2", providers: [.apt(["libsdl2-dev"])]),
    .systemLibrary(name: "CSixel", providers: [.apt(["libsixel-dev"])]),
    .target(
      name: "Preview", dependencies: ["CSDL2", "CSixel", "ColorScience", "Frames", "Lettering", "Media", "Threads"],
      swiftSettings: strict),
    .target(name: "ProcessLink", swiftSettings: strict),
    .target(name: "PreviewProtocol", dependencies: ["ProcessLink"], swiftSettings: strict),
    .systemLibrary(name: "CQRencode", providers: [.apt(["libqrencode-dev"])]),
    .target(
      name: "PreviewServer",
      dependencies: [
        "CQRencode", "HTMLReports", "PreviewProtocol", "ProcessLink", "Threads",
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ],
      resources: [.embedInCode("Page/Page.html"), .embedInCode("Page/OpenAPI.json")], swiftSettings: strict),
    .systemLibrary(name: "CConfinement"),
    .executableTarget(
      name: "headroom-serve", dependencies: ["CConfinement", "PreviewServer", "Threads"], swiftSettings: strict),
    .target(
      name: "Sessions",
      dependencies: [
        "Capture", "ColorScience", "Compositing", "Displays", "FFmpegIO", "Files", "Filters", "Frames", "ImageFiles",
        "Lettering", "Measurement", "Media", "Patterns", "Rendering", "Scopes", "StreamPipeline", "Subtitles",
        "Threads",
        "ToneMapping", "Verification",
      ], swiftSettings: cold),
    .target(
      name: "BatchTranscode",
      dependencies: ["FFmpegIO", "Files", "Frames", "Media", "ProcessLink", "Sessions", "Threads"], swiftSettings: cold),
    .target(
      name: "ChunkedTranscode",
      dependencies: [
        "ColorScience", "FFmpegIO", "Farm", "Files", "Frames", "HTMLReports", "ImageFiles", "Media", "Rendering",
        "Sessions", "StreamPipeline", "Threads", "ToneMapping",
      ], swiftSettings: cold),
    .target(
      name: "LivePreview",
      dependencies: [
        "Capture", "ColorScience", "Displays", "FFmpegIO", "Files", "Filters", "Frames", "ImageFiles", "Lettering",
        "Media",
        "Measurement", "Preview", "Rendering", "PreviewProtocol", "ProcessLink", "Scopes", "Sessions", "StreamPipeline",
        "Threads", "ToneMapping",
      ], swiftSettings: cold),
    .target(
      name: "ConstantColorRuns",
      dependencies: [
        "Capture", "ColorScience", "ConstantColor", "Files", "Frames", "ImageFiles", "Media", "Rendering", "Sessions",
        "StreamPipeline", "Threads", "ToneMapping",
      ], swiftSettings: cold),
    .executableTarget(
      name: "headroom",
      dependencies: [
        "BatchTranscode", "Capture", "ChunkedTranscode", "ColorScience", "ConstantColor", "ConstantColorRuns",
        "Displays", "Farm", "Files", "Frames", "Rendering", "ToneMapping",
        "Measurement", "FFmpegIO", "Filters",
        "ImageFiles", "Lettering", "LivePreview", "Media", "Patterns", "Scopes", "Sessions", "StreamPipeline",
        "Subtitles", "Threads",
        "Verification",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], swiftSettings: cold),
    // Not a package of its own: root packages cannot share a build folder, and it would compile all of its modules again.
    .executableTarget(
      name: "headroom-bench",
      dependencies: [
        "ColorScience", "FFmpegIO", "Filters", "Frames", "Lettering", "Measurement", "Media", "Rendering", "Scopes",
        "StreamPipeline", "ToneMapping",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "tools/benchmark", swiftSettings: strict),
    .testTarget(
      name: "RowKernelsTests",
      dependencies: ["ColorScience", "Frames", "Rendering", "SIMDShims", "ToneMapping"],
      swiftSettings: strict + [.unsafeFlags(["-Xcc", "-Wno-psabi"])]),
    .testTarget(
      name: "RenderingTests",
      dependencies: ["ColorScience", "FFmpegIO", "Frames", "Rendering", "SIMDShims", "TestSupport", "ToneMapping"],
      swiftSettings: strict + [.unsafeFlags(["-Xcc", "-Wno-psabi"])]),
    .testTarget(
      name: "BitstreamsTests", dependencies: ["Bitstreams", "ColorScience", "Frames", "Media", "TestSupport"],
      swiftSettings: cold),
    .testTarget(
      name: "FFmpegIOTests",
      dependencies: ["Bitstreams", "FFmpegIO", "Frames", "ColorScience", "Media", "TestSupport"],
      swiftSettings: cold),
    .testTarget(
      name: "CompositingTests", dependencies: ["ColorScience", "Compositing", "Frames", "Media"], swiftSettings: cold),
    .testTarget(
      // Its device answers requests of C: all of it would be marked unsafe.
      name: "CaptureTests",
      dependencies: ["CV4L2", "Capture", "ColorScience", "Frames", "Media", "TestSupport"],
      swiftSettings: Array(strict.dropFirst())),
    .testTarget(
      name: "ConstantColorTests",
      dependencies: ["ColorScience", "ConstantColor", "Frames", "Rendering", "TestSupport"],
      resources: [.copy("Spectra")], swiftSettings: strict),
    .testTarget(
      name: "ImageFilesTests",
      dependencies: [
        "Bitstreams", "ColorScience", "Compositing", "FFmpegIO", "Frames", "ImageFiles", "Media", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StreamPipelineTests", dependencies: ["ColorScience", "Frames", "Media", "StreamPipeline", "Threads"],
      swiftSettings: cold),
    .testTarget(
      name: "ExampleTests", dependencies: ["headroom", "Sessions", "TestSupport"],
      swiftSettings: cold),
    .testTarget(
      name: "MeasurementTests", dependencies: ["ColorScience", "Frames", "Measurement", "Rendering", "ToneMapping"],
      swiftSettings: strict),
    .testTarget(
      name: "ScopesTests",
      dependencies: ["ColorScience", "Frames", "Lettering", "Rendering", "Scopes", "TestSupport", "ToneMapping"],
      swiftSettings: strict),
    .testTarget(
      name: "FiltersTests",
      dependencies: ["ColorScience", "Filters", "Frames", "Rendering", "Scopes", "TestSupport", "ToneMapping"],
      swiftSettings: strict),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "Capture", "ColorScience", "Displays", "Frames", "headroom", "ImageFiles", "Media", "Measurement", "Patterns",
        "Rendering",
        "Sessions",
        "TestSupport",
      ],
      swiftSettings: cold),
    .testTarget(name: "BenchmarkTests", dependencies: ["headroom-bench"], swiftSettings: cold),
    .testTarget(name: "HouseTests", dependencies: ["TestSupport"], swiftSettings: strict),
    .testTarget(name: "FramesTests", dependencies: ["ColorScience", "Frames"], swiftSettings: cold),
    .testTarget(name: "MediaTests", dependencies: ["Frames", "Media", "TestSupport"], swiftSettings: cold),
    .testTarget(
      name: "SessionsTests",
      dependencies: [
        "ColorScience", "Displays", "FFmpegIO", "Frames", "ImageFiles", "Measurement", "Media", "Patterns", "Rendering",
        "Scopes", "Sessions", "SessionsTestSupport", "StreamPipeline", "TestSupport", "ToneMapping", "Verification",
      ], resources: [.copy("Vectors")], swiftSettings: cold),
    .testTarget(
      name: "BatchTranscodeTests",
      dependencies: ["BatchTranscode", "FFmpegIO", "Media", "Sessions", "SessionsTestSupport", "TestSupport"],
      swiftSettings: cold),
    .testTarget(
      name: "ChunkedTranscodeTests",
      dependencies: [
        "ChunkedTranscode", "Displays", "FFmpegIO", "Farm", "Frames", "Media", "Sessions", "SessionsTestSupport",
        "TestSupport",
      ], swiftSettings: cold),
    .testTarget(
      name: "LivePreviewTests",
      dependencies: [
        "ColorScience", "Displays", "Frames", "ImageFiles", "LivePreview", "Media", "Preview", "Scopes", "Sessions",
        "SessionsTestSupport", "TestSupport", "ToneMapping",
      ], swiftSettings: cold),
    .testTarget(
      name: "ConstantColorRunsTests",
      dependencies: [
        "ColorScience", "ConstantColor", "ConstantColorRuns", "Frames", "ImageFiles", "Media", "Rendering", "Sessions",
        "SessionsTestSupport", "TestSupport",
      ], swiftSettings: cold),
    .testTarget(
      name: "DisplaysTests", dependencies: ["ColorScience", "Displays", "TestSupport"], resources: [.copy("EDIDs")],
      swiftSettings: strict),
    .testTarget(
      name: "PreviewTests", dependencies: ["ColorScience", "Frames", "Lettering", "Media", "Preview", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "ProcessLinkTests", dependencies: ["ProcessLink"], swiftSettings: cold),
    .testTarget(name: "PreviewProtocolTests", dependencies: ["PreviewProtocol", "ProcessLink"], swiftSettings: cold),
    .testTarget(
      name: "PreviewServerTests", dependencies: ["PreviewProtocol", "PreviewServer", "ProcessLink"],
      swiftSettings: cold),
    .testTarget(name: "FarmTests", dependencies: ["Farm", "Files", "TestSupport"], swiftSettings: cold),
    .testTarget(name: "FilesTests", dependencies: ["Files", "TestSupport"], swiftSettings: cold),
    .testTarget(name: "HTMLReportsTests", dependencies: ["HTMLReports"], swiftSettings: cold),
    .testTarget(name: "ThreadsTests", dependencies: ["Threads"], swiftSettings: cold),
    .testTarget(name: "LetteringTests", dependencies: ["Lettering"], swiftSettings: cold),
    .testTarget(
      name: "SubtitlesTests",
      dependencies: ["ColorScience", "FFmpegIO", "Frames", "Media", "Rendering", "Subtitles", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PatternsTests", dependencies: ["ColorScience", "Frames", "Lettering", "Patterns", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "VerificationTests",
      dependencies: ["ColorScience", "Frames", "Patterns", "TestSupport", "Verification"], swiftSettings: strict),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    .target(
      name: "SessionsTestSupport", dependencies: ["FFmpegIO", "Frames", "Media", "Sessions", "TestSupport"],
      path: "Tests/SessionsTestSupport", swiftSettings: cold),
    .testTarget(
      name: "ColorScienceTests", dependencies: ["ColorScience"], resources: [.copy("Vectors")],
      swiftSettings: strict),
    .testTarget(
      name: "ToneMappingTests", dependencies: ["ColorScience", "Frames", "Rendering", "TestSupport", "ToneMapping"],
      resources: [.copy("Vectors")], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// With HEADROOM_TESTS, only the tests of these modules are built: `tools/test --only` and the sanitizers.
if let modules = Context.environment["HEADROOM_TESTS"]?.split(separator: " ") {
  package.targets.removeAll { target in target.isTest && !modules.contains { "\($0)Tests" == target.name } }
  precondition(package.targets.filter(\.isTest).count == modules.count, "HEADROOM_TESTS names a module without tests")
}
