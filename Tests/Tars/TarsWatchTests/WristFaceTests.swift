import Appliances
import TarsApp
import TarsWatch
import Terminal
import TestSupport
import Testing
import Text

/// The face of a watch: what it draws, and what its keys do.
@Suite struct WristFaceTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)
    private let view = TerminalView(size: Size(columns: 70, rows: 12))

    /// What a face asked for.
    private final class Asked {
        var acts: [String] = []
        var names: [String] = []
    }

    private static let coffee = Appliance.ID(high: 1, low: 1)
    private static let door = Appliance.ID(high: 1, low: 2)

    private func shown() throws -> Wrist.Shown {
        let coffee = try Appliance(
            id: Self.coffee, name: "Coffee", room: "Kitchen", kind: .bot, abilities: [.press(holdMax: .seconds(655))],
            dialect: .own)
        let door = try Appliance(
            id: Self.door, name: "Door", kind: .lock, abilities: [.lock], dialect: .homeAssistant, confirm: true)
        var shown = Wrist.Shown()
        shown.isReachable = true
        shown.view = HomeView(
            madeAt: now,
            things: [
                HomeView.Thing(
                    coffee, state: "on", stateAt: now.advanced(byMilliseconds: -200_000), presence: .online,
                    battery: 87,
                    rssi: -62),
                HomeView.Thing(door, state: "locked", stateAt: now, presence: .offline),
            ],
            shortcuts: [
                try Shortcut(
                    id: Shortcut.ID(high: 3, low: 1), name: "Morning", run: .action(Self.coffee, .press(hold: nil))),
                try Shortcut(
                    id: Shortcut.ID(high: 3, low: 2), name: "Gone", run: .action(Appliance.ID(high: 9, low: 9), .on)),
            ])
        return shown
    }

    private func face(_ shown: Wrist.Shown, _ asked: Asked, _ language: HomeLanguage = .english) -> WristFace {
        let look = ResolvedTheme(theme: Theme(), capabilities: Capabilities(depth: .mono))
        let now = now
        return WristFace(
            look: look, language: language, shown: { shown }, now: { now },
            act: { order, subject, isConfirmed in asked.acts.append("\(order) \(subject) \(isConfirmed)") },
            rename: { id, name in asked.names.append("\(id) \(name)") })
    }

    private func press(_ keys: Key..., on face: inout WristFace) {
        for key in keys { _ = face.handle(.key(key), in: view) }
    }

    @Test func `T46 each thing is shown with its state, its age, its signal and its battery`() throws {
        var shown = try shown()
        shown.statuses = [
            Self.coffee.description: .confirmed(milliseconds: 118), Self.door.description: .refused(.deviceOffline),
        ]
        shown.lost = ["appliance \"Coffee\", name: \"Kettle\" of Left lost; now \"Coffee\""]
        var face = face(shown, Asked())
        let lines = face.draw(in: view).text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0].hasPrefix("TARS  phone near"))
        #expect(lines[1].hasPrefix("⚠ appliance \"Coffee\", name: \"Kettle\" of Left lost"))
        #expect(lines[2].hasPrefix("Kitchen"))
        #expect(lines[3].hasPrefix("▸ Coffee  on  3m20s old  near (-62 dBm)  87 %  ✓ 118 ms"), "\(lines[3])")
        #expect(lines[5].contains("Door  locked  offline  ✗ device offline"), "\(lines[5])")
        #expect(lines[6].hasPrefix("1 Morning: Coffee press"))
        #expect(lines[7].hasPrefix("2 Gone: ✗ is gone"))
        #expect(lines.last?.hasPrefix("↑↓ choose") == true)
    }

    @Test func `T41 a face speaks French and Korean`() throws {
        var shown = try shown()
        shown.isReachable = false
        shown.statuses = [Self.door.description: .refused(.notGranted)]
        var french = face(shown, Asked(), .french)
        let words = french.draw(in: view).text
        #expect(words.contains("téléphone hors de portée") && words.contains("cette montre n'en a pas le droit"))
        var korean = face(shown, Asked(), .korean)
        #expect(korean.draw(in: view).text.contains("휴대폰에 연결할 수 없음"))
        #expect(HomeLanguage(environment: ["LANG": "ko_KR.UTF-8"]) == .korean)
        #expect(HomeLanguage(environment: ["LC_ALL": "", "LANG": "fr_FR.UTF-8"]) == .french)
        #expect(HomeLanguage(environment: [:]) == .english)
    }

    @Test func `T24 keys act, run shortcuts, and ask where a confirmation is needed`() throws {
        let asked = Asked()
        var face = face(try shown(), asked)
        press(.enter, .character("1"), .character("9"), on: &face)
        #expect(asked.acts.count == 2)
        #expect(asked.acts.last?.hasPrefix("run(\(Shortcut.ID(high: 3, low: 1)))") == true, "\(asked.acts)")
        asked.acts = []
        press(.down, .down, .enter, on: &face)
        #expect(asked.acts.isEmpty, "the door asks first")
        #expect(face.draw(in: view).text.contains("c confirms"))
        press(.character("x"), on: &face)
        #expect(asked.acts.isEmpty, "any other key does not confirm")
        press(.enter, .character("c"), on: &face)
        #expect(asked.acts.count == 1 && asked.acts[0].hasSuffix("true"), "\(asked.acts)")
    }

    @Test func `T39 T19 h holds for the time that is typed, and r renames; what is out of range is said`() throws {
        let asked = Asked()
        var face = face(try shown(), asked)
        press(
            .character("h"), .control("u"), .character("9"), .character("0"), .character("0"), .character("s"), .enter,
            on: &face)
        #expect(asked.acts.isEmpty)
        #expect(face.draw(in: view).text.contains("the hold time is 900 s: give 0.1 to 655 s"))
        press(.character("h"), .control("u"), .character("3"), .character("s"), .enter, on: &face)
        #expect(asked.acts.count == 1)
        press(.character("r"), .control("u"), .enter, on: &face)
        #expect(asked.names.isEmpty)
        press(.character("r"), .character("!"), .enter, on: &face)
        #expect(asked.names == ["\(Self.coffee) Coffee!"])
        press(.character("r"), .character("?"), .escape, on: &face)
        #expect(asked.names.count == 1)
    }

    @Test func `a face of three rows keeps the chosen thing in sight`() throws {
        var face = face(try shown(), Asked())
        press(.down, on: &face)
        let small = face.draw(in: TerminalView(size: Size(columns: 40, rows: 3))).text
        #expect(small.contains("▸ Door"), "\(small)")
    }
}
