import PoolControl
import PoolModel
import TerminalFixture
import TestSupport
import Testing

@testable import TerminalUI

/// The number of bytes in a frame, so that a watch works well over a slow connection.
@Suite(.longWork) struct BudgetTests {
    @Test(arguments: [(46, 22), (80, 24), (24, 10), (72, 1)], [ColorDepth.truecolor, .indexed256, .ansi16, .mono])
    func `a change of one value is a small frame`(place: (columns: Int, rows: Int), depth: ColorDepth) {
        let size = Size(columns: place.columns, rows: place.rows)
        var screen = WatchScreen(capabilities: Capabilities(depth: depth))
        var renderer = Renderer(depth: depth)
        var glance = Glance.sample()
        _ = renderer.frame(screen.draw(glance, size: size))
        for step in 1...20 {
            let value = 7.35 + 0.013 * Double(step)
            glance.gauges[1] = Glance.sample(ph: value).gauges[1]
            glance.ageSeconds = step % 3
            let count = renderer.frame(screen.draw(glance, size: size)).count
            #expect(count <= 1800, "\(value)")
        }
    }

    @Test(arguments: ColorDepth.allCases, [Theme(), Theme(.light)])
    func `no frame of a watch is over 4 kB, from nothing or from any state to any other`(
        depth: ColorDepth, theme: Theme
    ) {
        var screen = WatchScreen(theme: theme, capabilities: Capabilities(depth: depth))
        let buffers = SampleGlance.allCases.map { screen.draw($0.glance, size: WatchScreen.preferredSize) }
        var largest = 0
        for buffer in buffers {
            var first = Renderer(depth: depth)
            largest = max(largest, first.frame(buffer).count)
            for other in buffers {
                var renderer = first
                largest = max(largest, renderer.frame(other).count)
            }
        }
        #expect(largest <= 4096)
    }

    /// Shows one buffer after the other, like a program in a terminal.
    private struct Slides: TerminalProgram {
        final class Reel {
            var buffer = CellBuffer(Size(columns: 1, rows: 1))
        }

        let reel = Reel()

        mutating func draw(in view: TerminalView) -> CellBuffer { reel.buffer }
        mutating func handle(_ input: TerminalInput, in view: TerminalView) -> TerminalAnswer { .redraw }
    }

    /// The hub's screens in the order of the golden files, grouped by size.
    @Test func `no frame of the hub is over 4 kB, and after three at most all is shown`() throws {
        let kinds = Dictionary(grouping: HubGoldenTests.screens) { "\($0.columns) \($0.rows) \($0.depth)" }
        for (_, screens) in kinds.sorted(by: { $0.key < $1.key }) {
            let first = try #require(screens.first)
            let size = Size(columns: first.columns, rows: first.rows)
            var terminal = MiniTerminal(size)
            terminal.feed(Array("\u{1B}[?7l".utf8))
            let slides = Slides()
            var loop = TerminalLoop(slides, depth: first.depth)
            var now = Duration.zero
            for screen in screens {
                let buffer = HubGoldenTests.buffer(screen)
                slides.reel.buffer = buffer
                now += .seconds(1)
                var frames = 0
                while case .show(let bytes) = loop.work(at: now, size: size) {
                    #expect(bytes.count <= 4096, "\(screen.name)")
                    terminal.feed(bytes)
                    frames += 1
                    now += .milliseconds(20)
                }
                #expect(frames <= 3, "\(screen.name)")
                var fresh = MiniTerminal(size)
                fresh.feed(Array("\u{1B}[?7l".utf8))
                var renderer = Renderer(depth: first.depth)
                fresh.feed(renderer.frame(buffer))
                #expect(terminal.cells == fresh.cells, "\(screen.name)")
            }
        }
    }

    @Test func `a log that is long costs a frame no more than what is seen of it`() {
        var driver = ConsoleDriver(.critical, columns: 120, rows: 36)
        driver.snapshot.events = (0..<200).map {
            EventSummary(number: UInt64(1000 - $0), at: SampleHub.now, kind: .log, text: "event \($0)")
        }
        driver.update()
        var made = 0
        let list = driver.console.panels[EventsPanel.self].list(columns: 60, in: driver.console.context)
        let counted = PanelList(ids: list.ids, heights: list.heights) { index in
            made += 1
            return list[index]
        }
        #expect(counted.ids.count == 200 && counted.heights.count == 200)
        #expect(made == 0)
        #expect(counted[199].lines.count == 1)
        #expect(made == 1)
        #expect(driver.console.draw().text.contains("event 0"))
        #expect(driver.console.panels[EventsPanel.self].rows(in: driver.console.context).last == .event(801))
    }

    @Test(arguments: SampleGlance.allCases)
    func `the same glance again costs nothing, in every layout`(sample: SampleGlance) {
        for layout in WatchLayout.allCases {
            var screen = WatchScreen(capabilities: Capabilities(depth: .truecolor))
            screen.layout = layout
            var renderer = Renderer(depth: .truecolor)
            _ = renderer.frame(screen.draw(sample.glance, size: WatchScreen.preferredSize))
            #expect(renderer.frame(screen.draw(sample.glance, size: WatchScreen.preferredSize)).isEmpty)
        }
    }

    @Test(arguments: ColorDepth.allCases)
    func `a face drawn as a difference is the face drawn anew`(depth: ColorDepth) {
        var generator = SplitMix64(seed: 41)
        var screen = WatchScreen(capabilities: Capabilities(depth: depth))
        var size = WatchScreen.preferredSize
        var renderer = Renderer(depth: depth)
        var terminal = MiniTerminal(size)
        terminal.feed(Array("\u{1B}[?7l".utf8))
        for _ in 0..<60 {
            let sample = SampleGlance.allCases.randomElement(using: &generator) ?? .normal
            screen.layout = WatchLayout.allCases.randomElement(using: &generator) ?? .automatic
            screen.message = Bool.random(using: &generator) ? "an answer" : nil
            if Int.random(in: 0..<8, using: &generator) == 0 {
                size = Size(
                    columns: Int.random(in: 1...60, using: &generator), rows: Int.random(in: 1...26, using: &generator))
                terminal.resize(size)
            }
            terminal.feed(renderer.frame(screen.draw(sample.glance, size: size)))
        }
        var fresh = MiniTerminal(size)
        fresh.feed(Array("\u{1B}[?7l".utf8))
        var full = Renderer(depth: depth)
        let sample = SampleGlance.critical.glance
        terminal.feed(renderer.frame(screen.draw(sample, size: size)))
        fresh.feed(full.frame(screen.draw(sample, size: size)))
        #expect(terminal.cells == fresh.cells)
    }
}
