import PoolModel
import Testing

@testable import TerminalUI

struct FaceProgramTests {
    /// The data that the program shows and the calls that it made; a test changes and reads them.
    private final class World {
        var glance: Glance? = .sample()
        var retryCount = 0
    }

    private let view = TerminalView(size: Size(columns: 46, rows: 22))
    private let world = World()

    private func program() -> FaceProgram {
        let screen = WatchScreen(capabilities: Capabilities(depth: .truecolor))
        return FaceProgram(screen, retry: { world.retryCount += 1 }, glance: { world.glance })
    }

    /// The screen after some keys, at a time.
    private func shown(_ keys: [Key], seconds: Int = 0, view: TerminalView? = nil) -> CellBuffer {
        var program = program()
        var view = view ?? self.view
        _ = program.refresh(in: view)
        for key in keys { _ = program.handle(.key(key), in: view) }
        view.elapsed = .seconds(seconds)
        return program.draw(in: view)
    }

    private func after(_ keys: String...) -> CellBuffer {
        shown(keys.joined().map { .character($0) }, seconds: 5)
    }

    @Test
    func `t, d and v change how it looks, and change it back`() {
        let before = shown([])
        for (key, count) in [("t", 2), ("d", 2), ("v", 4)] {
            for times in 1...count {
                let now = after(String(repeating: key, count: times))
                // The automatic and the large face are the same here.
                let looksTheSame = times == count || key == "v" && times == 1
                #expect((now == before) == looksTheSame, "\(key) × \(times)")
            }
        }
    }

    @Test
    func `a digit picks the history, and 0 gives it back to the worst`() {
        #expect(shown([]).text.contains("TEMP 24h"))
        #expect(after("3").text.contains("CHLORINE 24h"))
        #expect(after("4").text.contains("ORP 24h"))
        #expect(after("40").text.contains("TEMP 24h"))
    }

    @Test
    func `a key that does nothing says why, for two seconds`() {
        #expect(shown([.character("x")]).text.contains("x does nothing here; ? shows the keys"))
        #expect(shown([.function(7)], seconds: 1).text.contains("F7 does nothing here"))
        #expect(!shown([.character("x")], seconds: 2).text.contains("does nothing"))
        #expect(shown([.character("r")]).text.contains("nothing to retry: the hub answers"))
        #expect(world.retryCount == 0)
    }

    @Test
    func `r tries again where there is something to try`() {
        world.glance = .sample(link: .lost(seconds: 12))
        #expect(shown([.character("r")]).text.contains("trying the link again"))
        #expect(world.retryCount == 1)
    }

    @Test
    func `a layout without room says so and shows the next smaller one`() {
        let small = TerminalView(size: Size(columns: 40, rows: 12))
        let text = shown([.character("v")], view: small).text
        #expect(text.contains("layout large has no room, so compact"))
        #expect(text.contains("Chlorine"))
    }

    @Test
    func `the help lists the keys that work now, and any key puts it away`() {
        let help = shown([.character("?")]).text
        for words in ["Keys", "history of a quantity", "light or dark", "quit", "suspend"] {
            #expect(help.contains(words), "\(words)")
        }
        #expect(!help.contains("try the link again"))
        #expect(shown([.character("?"), .escape]) == shown([]))

        world.glance = .sample(link: .lost(seconds: 12))
        #expect(shown([.character("?")]).text.contains("try the link again"))
    }

    @Test
    func `an unattended face is dim and has nothing that changes each second`() {
        var dim = view
        dim.isUnattended = true
        let one = shown([], view: dim)
        world.glance?.ageSeconds = 5
        for index in 0..<4 { world.glance?.gauges[index].ageSeconds = 5 }
        #expect(shown([], view: dim) == one)
        #expect(shown([]) != one)
        #expect(one.text.contains("OK < 1 min"))
    }

    @Test
    func `without a glance there is nothing to go on with`() {
        var program = program()
        #expect(program.refresh(in: view) == .redraw)
        #expect(program.refresh(in: view) == .unchanged)
        world.glance = nil
        #expect(program.refresh(in: view) == .end)
    }
}
