import TestSupport
import Testing
import Text

@testable import Appliances

@Suite struct LimitTests {
    @Test(
        arguments: [
            ("press 0s", "the hold time is 0 s: give 0.1 to 655 s"),
            ("press 656s", "the hold time is 656 s: give 0.1 to 655 s"),
            ("level 101", "the level is 101 %: give 0 to 100 %"),
            ("position -1", "the position is -1 %: give 0 to 100 %"),
            ("level x", "\"x\" is not a whole number of percent"),
            ("level", "`level` needs a value, such as `level 40`"),
            ("togle", "\"togle\" is no action: did you mean `toggle`?"),
            ("xyzzyxyz", "\"xyzzyxyz\" is no action: give one of on, off, toggle, stop, lock, unlock, open, press, "),
            ("number inf", "inf is no number that can be set"),
            (
                "program push\(String(repeating: ", 1s on", count: 9))",
                "the number of program steps is 9: give 0 to 8"
            ),
            ("program push, 656s on", "the delay of a step is 656 s: give 0 to 655 s"),
            (
                "program push\(String(repeating: ", 600s on", count: 7))",
                "the time of all steps is 4200 s: give 0 to 3600 s"
            ),
            ("program jump", "\"jump\" is no movement: give one of push, on, off, hold, release"),
            ("program push, on", "\"on\" is no step: give a delay and a verb, such as `2s on`"),
        ])
    func `T38 T39 an action out of range is refused in a sentence with the value and the range`(
        text: String, sentence: String
    ) {
        let problem = #expect(throws: ModelProblem.self) { try Action(text) }
        #expect(problem?.description.hasPrefix(sentence) == true, "\(problem?.description ?? "")")
    }

    @Test(arguments: [
        "on", "off", "toggle", "stop", "lock", "unlock", "open", "press", "press 100ms", "press 10m55s", "level 0",
        "level 100", "position 50", "choose Eco mode", "number 21.5", "number -3", "program push",
        "program push, 2s on, 500ms off, 0s release",
    ])
    func `an action is the same text and the same JSON again`(text: String) throws {
        let action = try Action(text)

        #expect(action.text == text)
        #expect(try CanonicalJSON.decode(Action.self, from: CanonicalJSON.encode(action)) == action)
    }

    @Test(arguments: [
        ("", "the length of the name is 0 bytes: give 1 to 64 bytes"),
        (String(repeating: "é", count: 33), "the length of the name is 66 bytes: give 1 to 64 bytes"),
        ("La\u{200B}mp", "the name \"La\\u{200b}mp\" holds the invisible U+200B: leave it out"),
    ])
    func `T19 a name has 1 to 64 bytes that can be seen`(name: String, sentence: String) {
        let problem = #expect(throws: ModelProblem.self) { try appliance(name: name) }
        #expect(problem?.description == sentence)
    }

    @Test func `T20 T24 a shortcut and a scene keep their limits`() throws {
        let lamp = Appliance.ID(high: 0, low: 1)
        let step = Scene.Step(lamp, .on, after: .seconds(400))
        func scene(_ count: Int) throws -> Scene {
            try Scene(id: .init(high: 0, low: 2), name: "Evening", steps: Array(repeating: step, count: count))
        }
        #expect(throws: Never.self) { try scene(9) }
        #expect(throws: ModelProblem.self) { try scene(0) }
        #expect(throws: ModelProblem.self) { try scene(10) }
        #expect(throws: ModelProblem.self) {
            try Scene(
                id: .init(high: 0, low: 2), name: "Evening", steps: Array(repeating: Scene.Step(lamp, .on), count: 17))
        }
        let id = Shortcut.ID(high: 0, low: 3)
        #expect(throws: Never.self) { try Shortcut(id: id, name: "Light", icon: "💡", run: .action(lamp, .on)) }
        #expect(throws: ModelProblem.self) { try Shortcut(id: id, name: "Light", icon: "ab", run: .action(lamp, .on)) }
    }

    @Test(arguments: [
        (Limit.appliances, 512), (.shortcuts, 64), (.scenes, 64), (.timers, 5), (.timeToLive, 60),
    ])
    func `a home has room up to its limits`(limit: Limit, most: Int) {
        #expect(throws: Never.self) { try limit.check(most) }
        let problem = #expect(throws: ModelProblem.self) { try limit.check(most + 1) }
        #expect(problem?.description.contains("is \(most + 1)") == true)
        #expect(problem?.description.contains("to \(most)") == true)
    }

    @Test(
        arguments: [
            (.on, [.onOff], nil), (.lock, [.onOff], "\"Lamp\" cannot `lock`: it can on, off"),
            (.on, [], "\"Lamp\" cannot `on`: it only shows a state"),
            (.press(hold: nil), [.press(holdMax: .zero)], nil),
            (
                .press(hold: .seconds(2)), [.press(holdMax: .zero)],
                "the hold time is 2s: this button takes no time of its own"
            ),
            (
                .press(hold: .seconds(12)), [.press(holdMax: .seconds(10))],
                "the hold time is 12s: this button takes at most 10s"
            ),
            (.choose("Eco"), [.choose(["Eco", "Boost"])], nil),
            (.choose("Off"), [.choose(["Eco", "Boost"])], "\"Off\" is no option: give one of Eco, Boost"),
            (.number(30), [.number(minimum: 5, maximum: 29.5, step: 0.5)], "the number is 30: give 5 to 29.5"),
            (.level(101), [.level], "the level is 101 %: give 0 to 100 %"),
        ] as [(Action, [Ability], String?)])
    func `T36 T37 what an appliance cannot do is refused in a sentence`(
        action: Action, abilities: [Ability], sentence: String?
    ) throws {
        let lamp = try appliance(abilities: abilities)
        do throws(ModelProblem) {
            try lamp.check(action)
            #expect(sentence == nil)
        } catch {
            #expect(error.description == sentence)
        }
    }

    private func appliance(name: String = "Lamp", abilities: [Ability] = [.onOff]) throws(ModelProblem) -> Appliance {
        try Appliance(id: .init(high: 0, low: 1), name: name, kind: .light, abilities: abilities, dialect: .own)
    }
}
