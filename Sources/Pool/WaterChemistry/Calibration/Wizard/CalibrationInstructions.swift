import PoolModel

/// The instructions for each step of a calibration, for each quantity.
enum CalibrationInstructions {
    /// The usual reference of a point; nil if only a measurement can determine it.
    ///
    /// For a buffer it is the value at this temperature in °C, if the temperature is in the buffer's table.
    static func reference(
        of quantity: Quantity, _ method: Calibration.Method, point: Int, celsius: Double
    ) -> Double? {
        switch (quantity, method) {
        case (.temperature, _): [0, 25, 40].dropFirst(point).first
        case (.ph, .regression): ph(of: [.neutral, .acid, .alkaline], point, celsius)
        case (.ph, _): ph(of: [.neutral, .alkaline], point, celsius)
        case (.orp, .zeroPoint): 468
        case (.orp, _): [650, 750, 468].dropFirst(point).first
        case (.chlorine, .zeroPoint): 0
        // The chlorine of the water is not known in advance: the reference is the photometer's value.
        case (.chlorine, _): nil
        default: nil
        }
    }

    /// How to prepare the comparison with a reference.
    static func prepare(
        _ quantity: Quantity, _ method: Calibration.Method, point: Int, in language: TextLanguage
    ) -> String {
        switch quantity {
        case .temperature: temperature(point, language)
        case .ph: ph(method, point, language)
        case .chlorine: chlorine(method, point, language)
        case .orp: redox(method, point, language)
        default:
            language.pick(
                "Put the probe into a solution whose value you know, or measure the water with another meter that you trust.",
                "Plongez la sonde dans une solution de valeur connue, ou mesurez l'eau avec un autre appareil fiable.")
        }
    }

    /// How to measure.
    static func measure(_ quantity: Quantity, in language: TextLanguage) -> String {
        switch quantity {
        case .temperature:
            language.pick(
                "Leave the probe in the water, stir now and then, and wait until the value is stable.",
                "Laissez la sonde dans l'eau, remuez de temps en temps et attendez que la valeur se stabilise.")
        case .ph:
            language.pick(
                "Leave the probe in the buffer, stir gently, and wait one or two minutes until the value is stable.",
                "Laissez la sonde dans le tampon, remuez doucement et attendez une ou deux minutes la stabilisation.")
        case .chlorine:
            language.pick(
                "Keep the flow at the probe steady and wait until the value is stable.",
                "Gardez un débit constant à la sonde et attendez que la valeur se stabilise.")
        case .orp:
            language.pick(
                "Leave the probe in the solution; ORP settles slowly, often in 5 to 20 minutes.",
                "Laissez la sonde dans la solution ; le redox se stabilise lentement, souvent en 5 à 20 minutes.")
        default:
            language.pick(
                "Leave the probe where it is, and wait until the value is stable.",
                "Laissez la sonde en place et attendez que la valeur se stabilise.")
        }
    }

    private static func ph(of buffers: [CalibrationBuffer], _ point: Int, _ celsius: Double) -> Double? {
        guard buffers.indices.contains(point) else { return nil }
        let value = buffers[point].ph(atCelsius: celsius) ?? buffers[point].nominal
        // Rounded to the displayed digits, so that an empty answer means the value that the person sees.
        return (value * 100).rounded() / 100
    }

    private static func temperature(_ point: Int, _ language: TextLanguage) -> String {
        switch point {
        case 0:
            language.pick(
                "Put the probe into a mixture of crushed ice and water: 0 °C.",
                "Plongez la sonde dans un mélange de glace pilée et d'eau : 0 °C.")
        case 1:
            language.pick(
                "Put the probe into water of about 25 °C beside a thermometer that you trust, and read it.",
                "Plongez la sonde dans de l'eau à environ 25 °C à côté d'un thermomètre fiable et lisez-le.")
        default:
            language.pick(
                "Put the probe into water of another temperature beside the thermometer, and read it.",
                "Plongez la sonde dans de l'eau à une autre température à côté du thermomètre et lisez-le.")
        }
    }

    private static func ph(_ method: Calibration.Method, _ point: Int, _ language: TextLanguage) -> String {
        switch (method, point) {
        case (_, 0):
            language.pick(
                "Rinse the probe with pure water, dab it dry, and put it into the buffer of pH 7.",
                "Rincez la sonde à l'eau pure, épongez-la et plongez-la dans le tampon pH 7.")
        case (.twoPoint, _):
            language.pick(
                "Rinse the probe with pure water, dab it dry, and put it into the buffer of pH 10 (or pH 4).",
                "Rincez la sonde à l'eau pure, épongez-la et plongez-la dans le tampon pH 10 (ou pH 4).")
        case (.zeroPoint, _), (.regression, _), (.scale, _), (.manual, _):
            language.pick(
                "Rinse the probe with pure water, dab it dry, and put it into the next buffer.",
                "Rincez la sonde à l'eau pure, épongez-la et plongez-la dans le tampon suivant.")
        }
    }

    private static func chlorine(_ method: Calibration.Method, _ point: Int, _ language: TextLanguage) -> String {
        switch (method, point) {
        case (.zeroPoint, _):
            language.pick(
                "Put the probe into water without any chlorine: 0 mg/L.",
                "Plongez la sonde dans de l'eau sans chlore : 0 mg/L.")
        case (_, 0):
            language.pick(
                "With about 1 mg/L in the water, take a sample at the probe and measure it with a DPD photometer.",
                "Avec environ 1 mg/L dans l'eau, prélevez près de la sonde et mesurez au photomètre DPD.")
        case (_, 1):
            language.pick(
                "With about 3 mg/L in the water, take a sample at the probe and measure it with the photometer.",
                "Avec environ 3 mg/L dans l'eau, prélevez près de la sonde et mesurez au photomètre.")
        case (.twoPoint, _), (.regression, _), (.scale, _), (.manual, _):
            language.pick(
                "With another amount of chlorine in the water, take a sample and measure it with the photometer.",
                "Avec une autre teneur en chlore, prélevez et mesurez au photomètre.")
        }
    }

    private static func redox(_ method: Calibration.Method, _ point: Int, _ language: TextLanguage) -> String {
        switch (method, point) {
        case (.zeroPoint, _):
            language.pick(
                "Clean the probe, rinse it, and put it into a redox solution; its value is on the bottle.",
                "Nettoyez la sonde, rincez-la et plongez-la dans une solution redox ; sa valeur figure sur le flacon.")
        case (_, 0):
            language.pick(
                "Clean the probe, rinse it, and put it into the first redox solution, such as 650 mV.",
                "Nettoyez la sonde, rincez-la et plongez-la dans la première solution redox, par exemple 650 mV.")
        case (_, 1):
            language.pick(
                "Rinse the probe and put it into the second redox solution, such as 750 mV.",
                "Rincez la sonde et plongez-la dans la deuxième solution redox, par exemple 750 mV.")
        case (.twoPoint, _), (.regression, _), (.scale, _), (.manual, _):
            language.pick(
                "Rinse the probe and put it into another redox solution; its value is on the bottle.",
                "Rincez la sonde et plongez-la dans une autre solution redox ; sa valeur figure sur le flacon.")
        }
    }
}
