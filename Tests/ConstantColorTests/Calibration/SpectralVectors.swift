import ConstantColor

/// Surfaces that a camera saw in the light of a white LED, computed by colour-science 0.4.7 and NumPy.
///
/// The camera is colour-science's Nikon 5100 (NPL), the light LED-B3, the surfaces are those of BabelColor's average
/// ColorChecker and of its PMC set; XYZ is integrated from 380 to 780 nm in steps of 5 nm.
enum SpectralVectors {
  struct Surface {
    let name: String
    /// R, G, B, relative to G of white.
    let rgb: SIMD3<Double>
    /// XYZ in D65, white's chromaticity rounded.
    let xyz: SIMD3<Double>

    init(_ name: String, _ rgb: SIMD3<Double>, _ xyz: SIMD3<Double>) {
      (self.name, self.rgb, self.xyz) = (name, rgb, xyz)
    }
  }

  static let white = SIMD3(0.77184, 1.00000, 0.61858)

  static let surfaces = [
    Surface("dark skin", SIMD3(0.10635, 0.08890, 0.04063), SIMD3(0.11147, 0.10076, 0.06807)),
    Surface("light skin", SIMD3(0.35968, 0.31097, 0.15628), SIMD3(0.37204, 0.34590, 0.25263)),
    Surface("bluish green", SIMD3(0.21244, 0.46188, 0.27476), SIMD3(0.30960, 0.42639, 0.44889)),
    Surface("purplish blue", SIMD3(0.07606, 0.14459, 0.19621), SIMD3(0.13555, 0.11833, 0.38619)),
    Surface("orange yellow", SIMD3(0.44819, 0.34858, 0.06516), SIMD3(0.45206, 0.42051, 0.07788)),
    Surface("red", SIMD3(0.21732, 0.07269, 0.03048), SIMD3(0.19611, 0.11741, 0.05029)),
    Surface("yellow", SIMD3(0.53900, 0.52117, 0.09810), SIMD3(0.56037, 0.59378, 0.09311)),
    Surface("cyan", SIMD3(0.08138, 0.23987, 0.22329), SIMD3(0.14655, 0.19975, 0.39299)),
    Surface("white 9.5", SIMD3(0.70635, 0.90948, 0.55162), SIMD3(0.86221, 0.91235, 0.95365)),
    Surface("neutral 5", SIMD3(0.14618, 0.19187, 0.11905), SIMD3(0.18072, 0.19128, 0.20878)),
    Surface("Caucasian", SIMD3(0.36191, 0.29722, 0.13679), SIMD3(0.37776, 0.33846, 0.22837)),
    Surface("Oriental", SIMD3(0.33431, 0.27528, 0.12482), SIMD3(0.34926, 0.31360, 0.20802)),
    Surface("South Asian", SIMD3(0.26624, 0.21399, 0.09577), SIMD3(0.27580, 0.24553, 0.16040)),
    Surface("African", SIMD3(0.14005, 0.10412, 0.04293), SIMD3(0.14213, 0.12278, 0.07129)),
  ]

  static let camera = """
    wavelength,r,g,b
    400,-0,0,0.0015
    410,0.0029,0.0013,0.0166
    420,0.0496,0.065,0.3617
    430,0.0766,0.1371,0.7553
    440,0.0613,0.1686,0.8749
    450,0.0489,0.196,0.9631
    460,0.0402,0.2542,1
    470,0.0476,0.3735,0.989
    480,0.0528,0.4597,0.905
    490,0.0479,0.4889,0.7515
    500,0.0502,0.6165,0.5671
    510,0.0637,0.801,0.3941
    520,0.1004,0.9389,0.2498
    530,0.1236,1,0.1616
    540,0.0763,0.9615,0.11
    550,0.0412,0.8891,0.0653
    560,0.0425,0.7763,0.0341
    570,0.1118,0.6358,0.0198
    580,0.5645,0.4928,0.0138
    590,0.981,0.3518,0.01
    600,0.9631,0.2117,0.0065
    610,0.8343,0.118,0.0037
    620,0.7037,0.0701,0.004
    630,0.5708,0.0473,0.004
    640,0.4383,0.0353,0.0055
    650,0.343,0.0268,0.006
    660,0.2377,0.0203,0.0061
    670,0.0913,0.0094,0.003
    680,0.0206,0.0029,0.0008
    690,0.0054,0.0009,0.0003
    700,0.0013,0.0004,0.0002
    """

  static let flash = """
    400,0.05
    410,0.25
    420,1.2
    430,4.24
    440,12.11
    450,18.87
    460,9.9
    470,6.02
    480,5.17
    490,6.77
    500,8.94
    510,10.52
    520,11.51
    530,12.37
    540,13.31
    550,14.26
    560,15.08
    570,15.72
    580,16.18
    590,16.5
    600,16.5
    610,16
    620,14.96
    630,13.48
    640,11.71
    650,9.85
    660,8.04
    670,6.42
    680,5.02
    690,3.88
    700,2.95
    """
}
