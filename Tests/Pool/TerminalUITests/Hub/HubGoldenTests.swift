import Foundation
import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import TerminalUI

/// The hub's screens as text and a map of styles, compared with the files in `Goldens/Hub`.
///
/// Run with `BLESS=1` to write the files anew, then read the difference.
@Suite(.longWork) struct HubGoldenTests {
    struct Screen: CustomTestStringConvertible, Sendable {
        var name: String
        var sample: SampleHub
        var columns: Int
        var rows: Int
        var depth = ColorDepth.truecolor
        var isASCII = false
        var theme = Theme()
        var script = ""

        var testDescription: String { name }
    }

    static let screens: [Screen] = states + panels + dialogs + depths

    private static let states: [Screen] = SampleHub.allCases.flatMap { sample in
        [
            Screen(name: "phone-\(sample)", sample: sample, columns: 48, rows: 36),
            Screen(name: "dashboard-\(sample)", sample: sample, columns: 120, rows: 36),
        ]
    }

    private static func phone(_ name: String, _ sample: SampleHub, _ script: String, rows: Int = 36) -> Screen {
        Screen(name: "phone-\(name)", sample: sample, columns: 48, rows: rows, script: script)
    }

    private static let panels = [
        phone("devices", .critical, "2"), phone("alerts", .critical, "3"), phone("history", .critical, "4"),
        phone("hub", .critical, "5"), phone("conflicts", .conflict, "3"),
        phone("cursor", .normal, "4 , , , w"), phone("filter", .critical, "2 /spa"),
        Screen(name: "wide-history", sample: .critical, columns: 140, rows: 40, script: "F4 tab"),
        Screen(name: "wide-alerts", sample: .critical, columns: 140, rows: 40, script: "F3"),
        Screen(name: "wide-hub", sample: .normal, columns: 140, rows: 40, script: "7"),
        Screen(name: "wide-events", sample: .critical, columns: 120, rows: 36, script: "4 R enter"),
        Screen(name: "standard-terminal", sample: .critical, columns: 80, rows: 24),
        Screen(name: "small-devices", sample: .critical, columns: 40, rows: 14, script: "2"),
        Screen(name: "tiny", sample: .critical, columns: 16, rows: 5),
    ]

    private static let dialogs = [
        phone("help", .critical, "?"), phone("mute", .critical, "3 m"), phone("pairing", .normal, "i"),
        Screen(name: "pairing-picture", sample: .normal, columns: 76, rows: 44, script: "i"),
        phone("disabled-key", .empty, "a"),
    ]

    private static let depths = [
        Screen(name: "depth-256", sample: .critical, columns: 120, rows: 36, depth: .indexed256),
        Screen(name: "depth-16", sample: .critical, columns: 120, rows: 36, depth: .ansi16),
        Screen(name: "depth-mono", sample: .critical, columns: 48, rows: 36, depth: .mono),
        Screen(name: "depth-ascii", sample: .critical, columns: 120, rows: 36, depth: .mono, isASCII: true),
        Screen(name: "light", sample: .critical, columns: 120, rows: 36, theme: Theme(.light)),
        Screen(name: "dim", sample: .critical, columns: 48, rows: 36, theme: Theme(isDim: true)),
    ]

    private static var folder: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Goldens/Hub")
    }

    @Test(arguments: screens)
    func `a screen looks as it did`(screen: Screen) throws {
        let file = Self.folder.appending(path: "\(screen.name).txt")
        let text = Self.drawn(screen)
        if ProcessInfo.processInfo.environment["BLESS"] == "1" {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let golden = try String(contentsOf: file, encoding: .utf8)
        let lines = (
            text.split(separator: "\n", omittingEmptySubsequences: false),
            golden.split(separator: "\n", omittingEmptySubsequences: false)
        )
        if let (number, pair) = zip(lines.0, lines.1).enumerated().first(where: { $1.0 != $1.1 }) {
            Issue.record("\(screen.name).txt:\(number + 1) was\n\(pair.1)\nand is now\n\(pair.0)\nBLESS=1 accepts it")
        }
        #expect(lines.0.count == lines.1.count)
    }

    static func drawn(_ screen: Screen) -> String { StyleMap.text(of: buffer(screen), depth: screen.depth) }

    static func buffer(_ screen: Screen) -> CellBuffer {
        var driver = ConsoleDriver(
            screen.sample, columns: screen.columns, rows: screen.rows, depth: screen.depth, isASCII: screen.isASCII,
            theme: screen.theme)
        driver.invites()
        driver.type(screen.script)
        return driver.console.draw()
    }
}
