import PoolModel

extension CalibrationWizard {
    /// Adds the result, or the reason why there is none, to a prompt.
    func review(into prompt: inout CalibrationPrompt, at moment: Timestamp) {
        do throws(CalibrationError) {
            prompt.preview = preview(of: try outcome(at: moment, isForced: false))
        } catch {
            prompt.instructions = error.sentence(in: language)
            prompt.question = language.pick("Go back, or cancel?", "Revenir, ou annuler ?")
            guard error.isForcible else { return }
            prompt.question = language.pick("Go back, force it, or cancel?", "Revenir, forcer, ou annuler ?")
            do throws(CalibrationError) {
                prompt.preview = preview(of: try outcome(at: moment, isForced: true))
            } catch {
                // There is a second error, which would be reported when the calibration is forced.
                prompt.instructions += "\n" + error.sentence(in: language)
            }
        }
    }

    /// The result with the change that it makes to the newest raw value.
    ///
    /// The newest raw value is that of the last solution, or of the water if the probe is back in it.
    func preview(of result: CalibrationResult) -> CalibrationPreview {
        let calibration = result.calibration
        let raw = live.latest ?? measured.last
        let before = raw.map { current?.corrected($0) ?? $0 }
        let after = raw.map(calibration.corrected)
        var lines = [
            language.pick(
                "Slope \(language.number(calibration.slope, decimals: 5)), "
                    + "offset \(language.number(calibration.offset, decimals: 5))",
                "Pente \(language.number(calibration.slope, decimals: 5)), "
                    + "décalage \(language.number(calibration.offset, decimals: 5))")
        ]
        if let raw, let before, let after {
            let shown = [raw, before, after].map { language.value($0, of: quantity) }
            lines.append(
                language.pick(
                    "Raw \(shown[0]): so far \(shown[1]), then \(shown[2])",
                    "Brut \(shown[0]) : jusqu'ici \(shown[1]), ensuite \(shown[2])"))
        }
        if let rSquared = result.rSquared {
            lines.append("R² \(language.number(rSquared, decimals: 5))")
        }
        lines += result.verdicts.map { $0.sentence(in: language) }
        return CalibrationPreview(result: result, raw: raw, before: before, after: after, lines: lines)
    }
}
