import PoolModel
import Testing

@testable import TerminalUI

struct FaceLoopTests {
    /// What the loop shows and what it called, for a test to change and to look at.
    private final class World {
        var glance: Glance? = .sample()
        var retryCount = 0
    }

    private let size = Size(columns: 46, rows: 22)
    private let world = World()

    private func loop() -> FaceLoop {
        FaceLoop(
            capabilities: Capabilities(depth: .truecolor), retry: { world.retryCount += 1 },
            glance: { world.glance })
    }

    @Test
    func `a frame is drawn when something changed, and only then`() {
        var loop = loop()
        #expect(loop.frame(size: size)?.isEmpty == false)
        #expect(loop.frame(size: size) == [])

        world.glance?.ageSeconds = 5
        #expect(loop.frame(size: size)?.isEmpty == false)
        #expect(loop.frame(size: size) == [])

        #expect(loop.frame(size: Size(columns: 80, rows: 24))?.isEmpty == false)
    }

    @Test
    func `t and d change the theme and change it back`() {
        var loop = loop()
        var terminal = MiniTerminal(size)
        terminal.feed(Array("\u{1B}[?7l".utf8))
        terminal.feed(loop.frame(size: size) ?? [])
        let before = terminal.cells
        for key in ["t", "d"] as [Character] {
            for isBack in [false, true] {
                #expect(loop.handle(.key(.character(key))) == nil)
                terminal.feed(loop.frame(size: size) ?? [])
                #expect((terminal.cells == before) == isBack, "\(key)")
            }
        }
    }

    @Test(arguments: [TerminalEvent.key(.control("l")), .resumed, .resized(Size(columns: 46, rows: 22))])
    func `everything is drawn anew when the screen may have been lost`(event: TerminalEvent) {
        var loop = loop()
        let first = loop.frame(size: size)
        #expect(loop.handle(event) == nil)
        #expect(loop.frame(size: size) == first)
    }

    @Test
    func `r calls back and other keys do nothing`() {
        var loop = loop()
        _ = loop.frame(size: size)
        #expect(loop.handle(.key(.character("r"))) == nil)
        #expect(world.retryCount == 1)

        for event in [TerminalEvent.key(.up), .key(.character("x")), .woken, .timedOut] {
            #expect(loop.handle(event) == nil)
        }
        #expect(loop.frame(size: size) == [])
        #expect(world.retryCount == 1)
    }

    @Test
    func `without a glance there is nothing to go on with`() {
        var loop = loop()
        _ = loop.frame(size: size)
        world.glance = nil
        #expect(loop.frame(size: size) == nil)
    }

    @Test
    func `each way to end has the exit status that a shell expects`() {
        var loop = loop()
        #expect(loop.handle(.key(.character("q")))?.exitStatus == 0)
        #expect(loop.handle(.terminationRequested(.terminate))?.exitStatus == 143)
        #expect(loop.handle(.terminationRequested(.interrupt))?.exitStatus == 130)
        #expect(loop.handle(.terminationRequested(.hangup))?.exitStatus == 129)
        #expect(loop.handle(.inputClosed)?.exitStatus == 129)
        #expect(FaceLoop.End.stopped.exitStatus == 0)
    }
}
