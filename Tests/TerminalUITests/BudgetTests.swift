import PoolModel
import Testing

@testable import TerminalUI

/// What frames cost on the line, so that a watch is pleasant over a slow connection too.
struct BudgetTests {
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

    @Test(arguments: [ColorDepth.truecolor, .indexed256, .ansi16, .mono])
    func `a change of state is a frame of 4 kB at most, a change of everything little more`(depth: ColorDepth) {
        var screen = WatchScreen(capabilities: Capabilities(depth: depth))
        var (largest, largestFromNormal) = (0, 0)
        for one in SampleGlance.allCases {
            for other in SampleGlance.allCases {
                var renderer = Renderer(depth: depth)
                _ = renderer.frame(screen.draw(one.glance, size: WatchScreen.preferredSize))
                let count = renderer.frame(screen.draw(other.glance, size: WatchScreen.preferredSize)).count
                largest = max(largest, count)
                if one == .normal { largestFromNormal = max(largestFromNormal, count) }
            }
        }
        #expect(largestFromNormal <= 4096)
        #expect(largest <= 4608)
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
