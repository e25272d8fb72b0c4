import PoolModel
import Testing

@testable import TerminalUI

/// The form for limits: what it takes, and what it says against the rest.
@Suite struct LimitsFormTests {
    /// The form of the pH limits 6.80…7.60 (6.50…8.00), opened from the face.
    private func opened() -> MenuScript {
        var script = MenuScript()
        script.press(.enter, .down, .down, .enter, .down, .enter)
        return script
    }

    private func typed(_ text: String, in field: Int) -> MenuScript {
        var script = opened()
        for _ in 0..<field { script.press(.down) }
        script.press(.control("u"))
        script.type(text)
        return script
    }

    @Test(arguments: [
        ("", "Low is empty"), ("7.6.1", "Low 7.6.1 is not a number"), ("7.123", "Low: 2 digits at most"),
        ("15", "Low: water has 0.00 to 14.00"), ("7.6", "Low 7.60 must be below high 7.60"),
        ("6.4", "Critical low 6.50 must not be above low 6.40"),
    ])
    func `what cannot be a limit is said while it is typed, and not saved`(text: String, words: String) {
        var script = typed(text, in: 0)
        #expect(script.text.contains(words))
        script.press(.enter)
        #expect(script.taken() == [])
        #expect(script.text.contains("pH of Lagoon"))
    }

    @Test func `critical high below high is said while it is typed, and not saved`() {
        var script = typed("7.5", in: 3)
        #expect(script.text.contains("Critical high 7.50 must not be below high 7.60"))
        script.press(.enter)
        #expect(script.taken() == [])
        script = typed("7.6", in: 3)
        script.press(.enter)
        let limits = Limits(criticalLow: 6.5, low: 6.8, high: 7.6, criticalHigh: 7.6)
        #expect(script.taken() == [.edit(.setLimits(MenuSample.lagoon, .ph, limits))])
    }

    @Test func `a limit is saved with the others as they are, also with a comma`() {
        var script = typed("7,4", in: 1)
        script.press(.enter)
        #expect(
            script.taken() == [
                .edit(
                    .setLimits(
                        MenuSample.lagoon, .ph, Limits(criticalLow: 6.5, low: 6.8, high: 7.4, criticalHigh: 8)))
            ])
    }

    @Test func `nothing changed is nothing saved, also where more digits are kept than shown`() throws {
        var script = opened()
        script.press(.enter)
        #expect(script.taken() == [] && script.text.contains("nothing was changed"))

        var device = try #require(try MenuSample.configuration().device(MenuSample.lagoon))
        device.limits[.ph] = Limits(criticalLow: 6.5, low: 6.8049, high: 7.6, criticalHigh: 8)
        let form = LimitsForm(device, .ph)
        #expect(form.entry(.low)?.text == "6.80")
        #expect(!form.isChanged)
    }

    @Test func `s fills in the limits that hold without own ones, which are saved as none`() throws {
        var device = try #require(try MenuSample.configuration().device(MenuSample.lagoon))
        device.limits[.ph] = Limits(criticalLow: 6, low: 7, high: 7.2, criticalHigh: 8)
        var script = MenuScript()
        script.menus.open(LimitsForm(device, .ph))
        script.press(.character("s"), .enter)
        #expect(script.taken() == [.edit(.setLimits(MenuSample.lagoon, .ph, nil))])
    }

    @Test func `the switch asks for the other state, and for the state if that is not known`() {
        var script = opened()
        script.press(.up, .character(" "))
        #expect(script.taken() == [.setAlerting(.ph, isOn: false)])
        script.facts.muted = [.ph]
        script.press(.enter)
        #expect(script.taken() == [.setAlerting(.ph, isOn: true)])
        script.facts.muted = nil
        script.press(.character(" "))
        #expect(script.taken() == [.learnAlerting])
    }

    @Test func `whole numbers take no point`() {
        var script = MenuScript()
        script.press(.enter, .down, .down, .enter, .end, .enter, .control("u"))
        script.type("600.5")
        #expect(script.text.contains("Low: no digits after the point"))
    }
}
