import Foundation

/// The spectra that tools/make-constant-color wrote.
enum Spectra {
  /// The colour of a surface.
  struct Reflectance: Sendable, Hashable {
    /// Which set it is of.
    enum Group: String, Sendable, CaseIterable { case colorChecker, skin, munsell, various }

    let name: String
    let group: Group
    let spectrum: Spectrum

    /// The skin tone from 1, very light, to 8, very dark; nil if it is not skin.
    var tone: Int? { group == .skin ? Int(name.dropFirst("tone ".count).prefix(1)) : nil }
  }

  /// Every reflectance, by group and name.
  static let reflectances: [Reflectance] = {
    let groups = read("reflectances")
    return Reflectance.Group.allCases.flatMap { group in
      (groups[group.rawValue] ?? [:]).sorted { $0.key < $1.key }.map {
        Reflectance(name: $0.key, group: group, spectrum: Spectrum($0.value))
      }
    }
  }()

  static func reflectances(_ groups: Reflectance.Group...) -> [Reflectance] {
    reflectances.filter { groups.contains($0.group) }
  }

  /// Reflects all light.
  static let white = Reflectance(name: "white", group: .various, spectrum: Spectrum { _ in 1 })

  /// Sensitivities of R, G, B by camera.
  static let cameras = read("cameras").mapValues { channels in "rgb".map { Spectrum(channels[String($0)] ?? []) } }

  /// Powers by the names of CIE 015:2018.
  static let lights = (read("lights")["lights"] ?? [:]).mapValues { Spectrum($0) }

  /// Colour-matching functions of CIE 1931.
  static let observer: [Spectrum] = {
    let functions = read("observer")["observer"] ?? [:]
    return "xyz".map { Spectrum(functions[String($0)] ?? []) }
  }()

  static let d65 = Spectrum(read("observer")["illuminant"]?["D65"] ?? [])

  private static func read(_ name: String) -> [String: [String: [Double]]] {
    let file = Bundle.module.bundleURL.appendingPathComponent("Spectra/\(name).json")
    guard let data = try? Data(contentsOf: file) else { return [:] }
    return (try? JSONDecoder().decode([String: [String: [Double]]].self, from: data)) ?? [:]
  }
}
