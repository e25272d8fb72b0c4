public import PoolModel

extension Electrode {
    /// The ideal slope of a pH electrode, in millivolts per pH; 59.16 at 25 °C.
    ///
    /// Source: the Nernst equation, ln 10 · R · T / F, with the exact constants of the SI.
    public static func idealSlope(celsius: Double) -> Double {
        let millivoltsPerKelvin = 1000 * Transcendental.log(10) * 8.314_462_618_153_24 / 96_485.332_123_310_02
        return millivoltsPerKelvin * (celsius + 273.15)
    }

    /// The potential of an electrode at pH 7, in millivolts at 25 °C, derived from the calibration of its raw values.
    ///
    /// An electrode that shows pH 6.5 there has about +30 mV.
    public static func zeroPotential(slope: Double, offset: Double) -> Double {
        let shown = (7 - offset) / slope
        return (7 - shown) * idealSlope(celsius: 25)
    }
}
