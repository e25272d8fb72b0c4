import PoolModel
import Testing

@testable import TerminalUI

/// A watch in a terminal: what the keys do that change the look, and what goes to the code that runs the watch.
@Suite struct WatchProgramTests {
    /// The facts that the program shows and what it asked for; a test changes and reads them.
    private final class World {
        var facts: WatchFacts?
        var outcomes: [MenuOutcome] = []
        var themes: [Theme.Appearance] = []
    }

    private let view = TerminalView(size: Size(columns: 46, rows: 22))
    private let world = World()

    init() {
        world.facts = WatchFacts(
            glance: .sample(), now: MenuSample.now, configuration: WatchConfiguration(), shownDeviceID: nil)
    }

    private func program() -> WatchProgram {
        WatchProgram(
            WatchScreen(capabilities: Capabilities(depth: .truecolor)), facts: { _ in world.facts },
            perform: { world.outcomes.append($0) }, rememberTheme: { world.themes.append($0) })
    }

    /// The screen after some keys, at once or when remarks are gone.
    private func shown(_ keys: String = "", afterMilliseconds delay: Int64 = 6000, in view: TerminalView? = nil)
        -> CellBuffer
    {
        let view = view ?? self.view
        var program = program()
        world.facts?.now = MenuSample.now
        _ = program.refresh(in: view)
        for key in keys { _ = program.handle(.key(.character(key)), in: view) }
        world.facts?.now = MenuSample.now.advanced(byMilliseconds: delay)
        _ = program.refresh(in: view)
        return program.draw(in: view)
    }

    @Test func `t, d and v change how it looks, and change it back`() {
        let before = shown()
        for (key, count) in [("t", 2), ("d", 2), ("v", 4)] {
            for times in 1...count {
                // The automatic and the large face are the same here.
                let looksTheSame = times == count || key == "v" && times == 1
                let now = shown(String(repeating: key, count: times))
                #expect((now == before) == looksTheSame, "\(key) × \(times)")
            }
        }
    }

    @Test func `light or dark is remembered`() {
        _ = shown("tt")
        #expect(world.themes == [.light, .dark])
    }

    @Test func `a digit picks the history, and 0 gives it back to the worst`() {
        #expect(shown().text.contains("TEMP 24h"))
        #expect(shown("3").text.contains("CHLORINE 24h"))
        #expect(shown("4").text.contains("ORP 24h"))
        #expect(shown("40").text.contains("TEMP 24h"))
    }

    @Test func `a layout without room says so and shows the next smaller one`() {
        let small = TerminalView(size: Size(columns: 40, rows: 12))
        let text = shown("v", afterMilliseconds: 0, in: small).text
        #expect(text.contains("layout large: compact"))
        #expect(text.contains("Chlorine"))
    }

    @Test func `r asks the hub, whatever the link is`() {
        _ = shown("r")
        world.facts?.glance.link = .lost(seconds: 12)
        _ = shown("r")
        #expect(world.outcomes == [.refresh, .refresh])
    }

    @Test func `an unattended face is dim and has nothing that changes each second`() {
        var dim = view
        dim.isUnattended = true
        let one = shown(in: dim)
        world.facts?.glance.ageSeconds = 5
        for index in 0..<4 { world.facts?.glance.gauges[index].ageSeconds = 5 }
        #expect(shown(in: dim) == one)
        #expect(shown() != one)
        #expect(one.text.contains("OK < 1 min"))
    }

    @Test func `the help says what ends with q`() {
        let wide = TerminalView(size: Size(columns: 100, rows: 40))
        #expect(shown("?", in: wide).text.contains("twice ends this watch; the hub runs on"))
        var demo = WatchProgram(
            WatchScreen(capabilities: Capabilities(depth: .truecolor)), quits: .demo, facts: { _ in world.facts },
            perform: { _ in })
        _ = demo.refresh(in: wide)
        _ = demo.handle(.key(.character("?")), in: wide)
        #expect(demo.draw(in: wide).text.contains("end the demo"))
    }

    @Test func `q ends a watch when it is pressed again, and not after another key or a while`() {
        var program = program()
        _ = program.refresh(in: view)
        let wide = TerminalView(size: Size(columns: 80, rows: 30))
        let q = TerminalInput.key(.character("q"))
        #expect(program.handle(q, in: view) == .redraw)
        #expect(program.draw(in: wide).text.contains("q again ends this watch"))
        #expect(program.handle(.key(.enter), in: view) == .redraw)
        // The menu that is open now.
        #expect(program.handle(q, in: view) == .redraw)
        #expect(program.draw(in: wide).text.contains("q again ends this watch"))
        // A remark from elsewhere does not stand in the way.
        world.facts?.remark = WatchFacts.Remark("answered", at: MenuSample.now)
        _ = program.refresh(in: view)
        var other = program
        #expect(other.handle(q, in: view) == .end)
        world.facts?.now = MenuSample.now.advanced(byMilliseconds: 3_600_000)
        _ = program.refresh(in: view)
        #expect(program.handle(q, in: view) == .redraw)
        #expect(program.handle(q, in: view) == .end)
    }

    @Test func `without facts there is nothing to go on with`() {
        var program = program()
        #expect(program.handle(.key(.character("q")), in: view) == .end, "nothing is shown yet")
        #expect(program.refresh(in: view) == .redraw)
        #expect(program.refresh(in: view) == .unchanged)
        world.facts = nil
        #expect(program.refresh(in: view) == .end)
    }
}
