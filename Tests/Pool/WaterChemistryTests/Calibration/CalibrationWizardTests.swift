import Testing

@testable import PoolModel
@testable import WaterChemistry

private let morning = Timestamp(milliseconds: 1_780_315_200_000)
private func after(_ seconds: Int64) -> Timestamp { morning.advanced(byMilliseconds: seconds * 1000) }

private func wizard(
    _ quantity: Quantity, _ method: Calibration.Method?, _ language: TextLanguage = .english,
    current: Calibration? = nil
) -> CalibrationWizard {
    CalibrationWizard(
        quantity: quantity, method: method, language: language, author: "Ana", current: current, stableCount: 3)
}

extension CalibrationWizard {
    /// Gives answers, all of which must be accepted.
    fileprivate mutating func accept(_ answers: String...) {
        for text in answers { #expect(answer(text, at: morning) == .accepted, "\(text) at \(step)") }
    }

    /// Whether an answer is rejected with a reason and changes nothing.
    fileprivate func refuses(_ text: String, at moment: Timestamp = morning) -> Bool {
        var copy = self
        guard case .refused(let reason) = copy.answer(text, at: moment) else { return false }
        return copy == self && !reason.isEmpty
    }
}

@Suite struct CalibrationWizardTests {
    @Test func `a two-point pH calibration from the first question to the result`() throws {
        var wizard = wizard(.ph, nil)
        #expect(wizard.prompt(at: morning).suggestion == "1")
        wizard.accept("", "20")
        #expect(wizard.prompt(at: morning).suggestion == "7.02")
        wizard.accept("7,00", "7,12")
        #expect(wizard.prompt(at: morning).suggestion == "10.06")
        wizard.accept("4.01 pH", "4.20")
        let preview = try #require(wizard.prompt(at: morning).preview)
        #expect(preview.raw == 4.20)
        #expect(preview.before == 4.20)
        #expect((try #require(preview.after) - 4.01).magnitude < 1e-12)
        #expect(preview.lines[0] == "Slope 1.02397, offset -0.29068")
        #expect(wizard.result == nil)
        wizard.accept("yes")
        #expect(wizard.step == .done)
        let made = try #require(wizard.result?.calibration)
        #expect(made.method == .twoPoint)
        #expect(made.author == "Ana")
        #expect(made.validFrom == morning)
        #expect(wizard.refuses("7"))
    }

    @Test func `the device's value can be taken once it stands still`() throws {
        var wizard = wizard(.ph, .zeroPoint)
        for second in 0..<5 { wizard.receive(raw: 6.5, sampledAt: after(Int64(second))) }
        wizard.accept("", "")
        // Values received before the probe was in the buffer solution do not count.
        #expect(wizard.prompt(at: after(5)).live == nil)
        wizard.receive(raw: 6.9, sampledAt: after(10))
        wizard.receive(raw: 7.10, sampledAt: after(20))
        wizard.receive(raw: 7.12, sampledAt: after(30))
        #expect(wizard.refuses("take", at: after(30)))
        #expect(wizard.prompt(at: after(30)).suggestion == nil)
        wizard.receive(raw: 7.11, sampledAt: after(30))
        #expect(wizard.refuses("take", at: after(30)), "a repetition is no new value")
        wizard.receive(raw: 7.11, sampledAt: after(40))
        let prompt = wizard.prompt(at: after(40))
        #expect((try #require(prompt.live?.stableValue) - 7.11).magnitude < 1e-12)
        #expect(prompt.suggestion == "7.110")
        #expect(prompt.words.first == "take")
        #expect(wizard.refuses("take", at: after(40 + 901)), "the value is 15 minutes old")
        #expect(wizard.answer("", at: after(41)) == .accepted)
        #expect(wizard.answer("y", at: after(50)) == .accepted)
        #expect((try #require(wizard.result?.calibration.offset) - -0.11).magnitude < 1e-12)
    }

    @Test func `an implausible value starts the wait afresh`() {
        var live = StableReading(of: .orp, countNeeded: 3)
        for (second, raw) in [650.0, 652, -9999, 651, 652].enumerated() {
            live.receive(raw, sampledAt: after(Int64(second)))
        }
        #expect(live.stableValue == nil)
        live.receive(654, sampledAt: after(9))
        #expect(live.stableValue != nil)
        live.receive(656, sampledAt: after(10))
        #expect(live.stableValue != nil)
        live.receive(661, sampledAt: after(11))
        #expect(live.stableValue == nil)
    }

    @Test func `P82 what is no value is refused and the step stays`() {
        var wizard = wizard(.orp, .twoPoint)
        for text in ["abc", "nan", "1,024", "9999", "7 pH", "0.7 mg/L"] { #expect(wizard.refuses(text), "\(text)") }
        wizard.accept("650", "640")
        wizard.accept("750")
        #expect(wizard.refuses("640"), "X16: the same measured value twice")
        wizard.accept("745")
        #expect(wizard.step == .review)
        #expect(wizard.refuses("maybe"))
    }

    @Test func `a comma with three digits is a decimal where water has no thousands`() {
        var wizard = wizard(.ph, .zeroPoint)
        wizard.accept("", "7,005")
        #expect(wizard.references == [7.005])
    }

    @Test func `a spent electrode is told and needs force`() throws {
        var wizard = wizard(.ph, .twoPoint)
        wizard.accept("25", "7", "7", "10", "9")
        let prompt = wizard.prompt(at: morning)
        #expect(prompt.words.first == "force")
        #expect(prompt.preview != nil)
        #expect(wizard.refuses("yes"))
        wizard.accept("force")
        #expect(wizard.result?.calibration.slope == 1.5)
    }

    @Test func `swapped buffers lead back, not on`() {
        var wizard = wizard(.ph, .twoPoint)
        wizard.accept("25", "7", "10", "10", "7")
        let prompt = wizard.prompt(at: morning)
        #expect(prompt.preview == nil)
        #expect(prompt.instructions.contains("swapped"))
        #expect(wizard.refuses("yes"))
        #expect(wizard.refuses("force"))
        wizard.accept("back", "13")
        #expect(wizard.step == .review)
    }

    @Test func `going back from the end reaches the first step and forgets each answer`() {
        var wizard = wizard(.ph, nil)
        let first = wizard
        wizard.accept("3", "25", "7", "7", "4", "4", "10", "10", "yes", "9", "9", "no")
        #expect(wizard.step == .review)
        var steps: [CalibrationWizard.Step] = []
        while wizard.back() { steps.append(wizard.step) }
        #expect(steps.first == .measured(point: 3))
        #expect(steps.last == .method)
        #expect(wizard.step == first.step)
        #expect(wizard.references.isEmpty && wizard.measured.isEmpty)
        #expect(wizard.refuses("retour"))
    }

    @Test func `a regression ends by itself at sixteen points`() {
        var wizard = wizard(.temperature, .regression)
        for point in 0..<16 {
            if point >= 3 { wizard.accept("yes") }
            wizard.accept("\(point * 2)", "\(point * 2 + 1)")
        }
        #expect(wizard.step == .review)
        wizard.accept("yes")
        #expect(wizard.result?.calibration.points.count == 16)
    }

    @Test func `slope and offset are entered as numbers, the present ones being offered`() throws {
        let current = try calibration(.twoPoint, [(7.12, 7.00), (4.20, 4.01)]).calibration
        var wizard = wizard(.ph, .manual, .french, current: current)
        #expect(wizard.prompt(at: morning).suggestion == "1,02397")
        #expect(wizard.refuses("-1"))
        #expect(wizard.refuses("1.02 pH"))
        wizard.accept("1,025")
        wizard.receive(raw: 7.35, sampledAt: morning)
        wizard.accept("")
        let preview = try #require(wizard.prompt(at: morning).preview)
        #expect(preview.before == current.corrected(7.35))
        #expect(preview.after == 7.35 * 1.025 + current.offset)
        #expect(preview.lines[1].hasPrefix("Brut 7,350 : jusqu'ici 7,236"))
        wizard.accept("oui")
    }

    @Test func `cancelling at any step changes nothing`() {
        var wizard = wizard(.chlorine, .scale, .french)
        #expect(wizard.refuses(""), "only the photometer knows the reference")
        wizard.accept("1,2", "annuler")
        #expect(wizard.step == .cancelled)
        #expect(wizard.result == nil)
        #expect(wizard.isOver)
    }

    // P81: text for each sensor, method and step, in both languages.
    @Test(arguments: Quantity.allCases)
    func `P81 each step has instructions in English and French`(quantity: Quantity) {
        for method in quantity.facts.calibrationMethods {
            var english = wizard(quantity, method)
            var french = wizard(quantity, method, .french)
            var seen = 0
            while !english.isOver, seen < 20 {
                let (left, right) = (english.prompt(at: morning), french.prompt(at: morning))
                for pair in [
                    (left.title, right.title), (left.instructions, right.instructions), (left.question, right.question),
                ] {
                    #expect(!pair.0.isEmpty && !pair.1.isEmpty)
                }
                #expect(left.instructions != right.instructions)
                let typed = Self.answer(at: english.step, quantity)
                english.accept(typed)
                french.accept(typed)
                seen += 1
            }
            #expect(english.step == .done)
            #expect(english.result == french.result)
        }
    }

    private static func answer(at step: CalibrationWizard.Step, _ quantity: Quantity) -> String {
        let references =
            switch quantity {
            case .temperature: ["0", "25", "40"]
            case .ph: ["7", "10", "4"]
            case .chlorine, .salinity: ["1", "3", "5"]
            case .conductivity: ["1413", "12880", "500"]
            case .battery: ["50", "90", "10"]
            default: ["650", "750", "468"]
            }
        return switch step {
        case .bufferTemperature: "25"
        case .reference(let point), .measured(let point): references[point]
        case .slope: "1"
        case .offset: "0"
        case .more: "no"
        case .review: "yes"
        case .method, .done, .cancelled: ""
        }
    }
}
