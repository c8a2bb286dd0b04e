// swift-tools-version: 6.2
import PackageDescription

// A package that uses Headroom as any other would: it sees what is public, and nothing else.
let package = Package(
  name: "example",
  dependencies: [.package(name: "headroom", path: "../..")],
  targets: [
    .executableTarget(
      name: "example",
      dependencies: ["FFmpegIO", "Frames", "Rendering", "Sessions", "ToneMapping"].map {
        .product(name: $0, package: "headroom")
      })
  ]
)
