import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import TerminalUI

/// What holds whatever is pressed, at any size.
@Suite(.longWork) struct HubPropertyTests {
    private static let keys: [Key] =
        "abcdefghijklmnoprstuvwxyzADKLNOPRSTWX/?0123456789+-,. ".map { .character($0) } + [
            .enter, .tab, .backTab, .escape, .backspace, .delete, .insert, .up, .down, .left, .right, .home, .end,
            .pageUp, .pageDown, .control("s"), .control("u"), .function(1), .function(2), .function(3), .function(4),
            .function(5), .alt("x"), .character("日"), .character("\u{301}"),
        ]

    private static let sizes = [
        (0, 0), (1, 1), (2, 3), (10, 2), (16, 5), (24, 10), (47, 36), (48, 35), (48, 36), (60, 40), (80, 24), (97, 36),
        (117, 34), (118, 34), (120, 36), (240, 70), (1000, 1), (1, 500),
    ]

    @Test(arguments: SampleHub.allCases)
    func `any keys at any size never trap`(sample: SampleHub) {
        var generator = SplitMix64(seed: 1)
        var driver = ConsoleDriver(sample)
        driver.snapshot.invitation = SampleHub.invitation
        driver.answer = { command in
            if case .invite(_, let seconds) = command {
                .invitation(code: "", validForSeconds: seconds)
            } else {
                .done("")
            }
        }
        for step in 0..<150 {
            if step % 10 == 0 {
                let (columns, rows) = Self.sizes[Int(generator.next() % UInt64(Self.sizes.count))]
                driver.size = Size(columns: columns, rows: rows)
                driver.update()
            }
            if step % 45 == 44 {
                // Everything may vanish or change under an open dialog.
                let answers = driver.snapshot.answers
                driver.snapshot = SampleHub.allCases[Int(generator.next() % UInt64(SampleHub.allCases.count))].snapshot
                driver.snapshot.answers = answers
                driver.update()
            }
            switch generator.next() % 12 {
            case 0: driver.handle(.click(x: Int(generator.next() % 130), y: Int(generator.next() % 50)))
            case 1:
                driver.handle(
                    .wheel(
                        x: Int(generator.next() % 130), y: Int(generator.next() % 50), notches: step % 2 == 0 ? 1 : -1))
            case 2: driver.handle(.paste("pasted\ntext \u{1B}[0m"))
            default: driver.press(Self.keys[Int(generator.next() % UInt64(Self.keys.count))])
            }
            #expect(driver.console.draw().size == driver.size)
        }
    }

    @Test(arguments: sizes)
    func `every state is drawn at every size, and each depth at each`(columns: Int, rows: Int) {
        let depths = [(ColorDepth.truecolor, false), (.ansi16, false), (.mono, true)]
        for (number, sample) in SampleHub.allCases.enumerated() {
            // From size to size, a state comes in another depth.
            let (depth, isASCII) = depths[(number + columns + rows) % depths.count]
            let driver = ConsoleDriver(sample, columns: columns, rows: rows, depth: depth, isASCII: isASCII)
            let buffer = driver.console.draw()
            #expect(buffer.size == Size(columns: columns, rows: rows))
            if isASCII { #expect(!buffer.text.contains { !$0.isASCII }) }
        }
    }

    @Test func `something useful is shown as soon as there is a cell`() {
        for (columns, rows) in [(1, 1), (12, 1), (16, 3), (30, 8), (47, 20)] {
            let driver = ConsoleDriver(.critical, columns: columns, rows: rows)
            #expect(driver.text.contains { "◆L".contains($0) }, "\(columns)×\(rows): \(driver.text)")
        }
    }

    @Test func `hostile texts do not reach the screen`() {
        var snapshot = SampleHub.normal.snapshot
        let evil = "\u{1B}[2J\u{202E}evil\u{7}👩‍🚀\u{0}"
        snapshot.hub.servers[0].server.name = evil
        snapshot.hub.servers[0].connection?.words = evil
        snapshot.hub.devices[0].device.name = evil
        snapshot.hub.devices[0].device.topic = evil
        snapshot.hub.watches[0].name = evil
        snapshot.events[0].text = evil
        snapshot.notices = [evil]
        snapshot.hub.conflicts = [
            ConflictSummary(
                id: ConflictID(high: 0, low: 1), subject: evil, base: nil,
                loser: .init(value: evil, author: evil, at: snapshot.hub.now),
                winner: nil, rule: evil, obstacle: evil)
        ]
        for (columns, rows) in [(48, 36), (120, 36), (80, 24), (20, 6)] {
            var driver = ConsoleDriver(snapshot, columns: columns, rows: rows)
            for script in ["", "F2", "F3", "F4", "F5", "?"] {
                driver.type(script)
                let scalars = driver.text.unicodeScalars
                #expect(!scalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E || $0.value == 0x7F })
            }
        }
    }

    @Test func `what did not change costs no byte, and a second of ages little`() {
        var driver = ConsoleDriver(.critical, columns: 120, rows: 36)
        var renderer = Renderer(depth: .truecolor)
        _ = renderer.frame(driver.console.draw())
        driver.update()
        #expect(renderer.frame(driver.console.draw()).isEmpty)
        driver.snapshot.hub.now = driver.snapshot.hub.now.advanced(byMilliseconds: 1000)
        driver.snapshot.glances[driver.snapshot.hub.devices[1].id]?.ageSeconds = 5
        driver.snapshot.glances[driver.snapshot.hub.devices[1].id]?.gauges[0].value = 27.4
        driver.update()
        let bytes = renderer.frame(driver.console.draw()).count
        #expect((1...4096).contains(bytes), "\(bytes) bytes")
    }

    @Test func `all is never OK while a device is not heard`() {
        var snapshot = SampleHub.normal.snapshot
        func word() -> String { OverallStatus(ConsoleDriver(snapshot).console.context).word }
        snapshot.hub.devices.removeAll { $0.device.name == "Kids' pool" }
        #expect(word() == "1 OFFLINE")
        snapshot.hub.devices.removeAll { $0.device.name == "Test bench" }
        #expect(word() == "OK")
        let old = SampleHub.device(8, "Old", SampleHub.broker)
        snapshot.hub.devices.append(old)
        snapshot.glances[old.id] = SampleHub.glance(of: old, [27, 7.3, 1.5, 700], freshness: .stale, age: 200)
        #expect(word() == "STALE")
        snapshot.hub.devices = []
        #expect(word() == "NO DEVICE")
    }

    @Test func `a status is told without colours, too`() {
        // Warning and critical differ from normal, and from each other, in the characters alone.
        let texts = [SampleHub.normal, .critical, .stale].map { ConsoleDriver($0, depth: .mono, isASCII: true).text }
        #expect(texts[0].contains("o OK") && texts[1].contains("X CRITICAL") && texts[2].contains("? STALE"))
        #expect(!texts[2].contains(" OK"))
    }
}
