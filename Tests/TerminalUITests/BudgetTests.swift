import LongWork
import PoolModel
import Testing

@testable import TerminalUI

/// What frames cost on the line, so that a watch is pleasant over a slow connection too.
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

    /// The hub's screens as they follow each other in the list of the goldens, of one size each.
    @Test func `no frame of the hub on a phone is over 4 kB, and none on a dashboard over 9 kB`() {
        var renderers: [String: Renderer] = [:]
        for screen in HubGoldenTests.screens where screen.rows <= 36 {
            let buffer = HubGoldenTests.buffer(screen)
            let key = "\(screen.columns) \(screen.rows) \(screen.depth)"
            var renderer = renderers[key] ?? Renderer(depth: screen.depth)
            let change = renderer.frame(buffer).count
            renderers[key] = renderer
            renderer.invalidate()
            let full = renderer.frame(buffer).count
            // A QR code has no two runs of modules alike.
            let most = screen.name.contains("pairing") ? 6144 : screen.columns <= 80 ? 4096 : 9216
            #expect(max(full, change) <= most, "\(screen.name)")
        }
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
        var generator = SeededGenerator(seed: 41)
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
