import Foundation
import PoolModel
import TestSupport
import Testing

@testable import TerminalUI

/// The faces as text and a map of styles, compared with the files in `Goldens`.
///
/// Run with `BLESS=1` to rewrite the files, then review the difference.
@Suite(.longWork) struct GoldenTests {
    /// A way to draw a state.
    private struct Variant {
        var title: String
        var columns: Int
        var rows: Int
        var depth: ColorDepth
        var isASCII = false
        var theme = Theme()
    }

    private static let always = [
        Variant(title: "large", columns: 46, rows: 22, depth: .truecolor),
        Variant(title: "large without bezel", columns: 44, rows: 20, depth: .ansi16),
        Variant(title: "ASCII", columns: 46, rows: 22, depth: .mono, isASCII: true),
        Variant(title: "list", columns: 40, rows: 9, depth: .mono),
        Variant(title: "compact", columns: 24, rows: 10, depth: .truecolor),
        Variant(title: "compact and wide", columns: 40, rows: 15, depth: .ansi16),
        Variant(title: "compact ASCII", columns: 28, rows: 11, depth: .mono, isASCII: true),
        Variant(title: "inline", columns: 72, rows: 1, depth: .indexed256),
    ]

    private static let often = [
        Variant(title: "large", columns: 46, rows: 22, depth: .indexed256),
        Variant(title: "large without colour", columns: 46, rows: 22, depth: .mono),
        Variant(title: "large light", columns: 46, rows: 22, depth: .truecolor, theme: Theme(.light)),
        Variant(title: "large light", columns: 46, rows: 22, depth: .ansi16, theme: Theme(.light)),
        Variant(title: "large dim", columns: 46, rows: 22, depth: .truecolor, theme: Theme(isDim: true)),
        Variant(title: "compact", columns: 24, rows: 10, depth: .indexed256),
        Variant(title: "compact without colour", columns: 24, rows: 10, depth: .mono),
        Variant(title: "compact light", columns: 24, rows: 10, depth: .truecolor, theme: Theme(.light)),
        Variant(title: "compact dim", columns: 24, rows: 10, depth: .truecolor, theme: Theme(isDim: true)),
        Variant(title: "inline", columns: 58, rows: 1, depth: .truecolor),
        Variant(title: "inline light", columns: 58, rows: 1, depth: .ansi16, theme: Theme(.light)),
    ]

    private static var folder: URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Goldens")
    }

    @Test(arguments: SampleGlance.allCases)
    func `a state looks as it did`(sample: SampleGlance) throws {
        let variants = Self.always + ([.normal, .critical, .stale, .hostileName].contains(sample) ? Self.often : [])
        let sections = variants.map { section(sample.glance, $0) }
        let plain = "== plain\n" + sample.glance.plainLines().joined(separator: "\n") + "\n"
        try compare((sections + [try Self.lines(sample.glance), plain]).joined(separator: "\n"), with: "\(sample).txt")
    }

    /// The inline face at several widths, and the lines for other programs.
    private static func lines(_ glance: Glance) throws -> String {
        var screen = WatchScreen(capabilities: Capabilities(depth: .mono))
        screen.layout = .inline
        let inline = [12, 24, 36, 46, 58, 72, 100].map { columns in
            "\(columns)|" + screen.draw(glance, size: Size(columns: columns, rows: 1)).text
        }
        let tmux = [ColorDepth.truecolor, .indexed256, .ansi16, .mono].map {
            "\($0)|" + TmuxLine.text(glance, depth: $0, columns: $0 == .mono ? 46 : nil)
        }
        let pattern =
            "{sign} {status}|{name}|{pool}|{temperature}|{ph}|{chlorine}|{orp}|{age}|{link}|e{edits} x{conflicts} "
            + "a{alerts} r{revision}|{{}}"
        let format = try GlanceFormat(pattern).text(glance)
        return (["== inline"] + inline + ["", "== tmux"] + tmux + ["", "== format \(pattern)", format])
            .joined(separator: "\n") + "\n"
    }

    private func compare(_ text: String, with name: String) throws {
        let file = Self.folder.appending(path: name)
        if ProcessInfo.processInfo.environment["BLESS"] == "1" {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let golden = try String(contentsOf: file, encoding: .utf8)
        let pairs = zip(lines(text), lines(golden)).enumerated()
        if let (number, (now, before)) = pairs.first(where: { $1.0 != $1.1 }) {
            Issue.record("\(name):\(number + 1) was\n\(before)\nand is now\n\(now)\nBLESS=1 accepts it")
        }
        #expect(lines(text).count == lines(golden).count)
    }

    private func lines(_ text: String) -> [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    // MARK: Text of a buffer

    private func section(_ glance: Glance, _ variant: Variant) -> String {
        let capabilities = Capabilities(depth: variant.depth, isASCII: variant.isASCII)
        var screen = WatchScreen(theme: variant.theme, capabilities: capabilities)
        let buffer = screen.draw(glance, size: Size(columns: variant.columns, rows: variant.rows))
        var legend: [String] = []
        var map: [String] = []
        for y in 0..<buffer.size.rows {
            map.append("")
            for x in 0..<buffer.size.columns {
                let style = describe(buffer[x, y].style, variant.depth)
                if !legend.contains(style) { legend.append(style) }
                map[y] += style == Self.mixture ? "~" : letter(legend.firstIndex(of: style) ?? 0)
            }
        }
        let key = legend.enumerated().filter { $1 != Self.mixture }.map { "\(letter($0)) \($1)" }
        let title = "== \(variant.title) \(variant.columns)×\(variant.rows) \(variant.depth)"
        return
            ([title] + buffer.text.split(separator: "\n", omittingEmptySubsequences: false).map { "|\($0)" }
            + [""] + map + [""] + key).joined(separator: "\n") + "\n"
    }

    /// The blended edges of a ring; their colours may differ slightly between machines.
    private static let mixture = "mixture"

    private func letter(_ index: Int) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        return index < letters.count ? String(letters[index]) : "?"
    }

    private func describe(_ style: Style, _ depth: ColorDepth) -> String {
        func isMixture(_ ink: AdaptiveColor?) -> Bool { ink?.rgb != nil && ink?.ansi == nil }
        if depth == .truecolor, isMixture(style.foreground) || isMixture(style.background) { return Self.mixture }
        let style = TerminalStyle(style, depth: depth)
        var words = ["\(describe(style.foreground)) on \(describe(style.background))"]
        if style.attributes.contains(.bold) { words.append("bold") }
        if style.attributes.contains(.reverse) { words.append("reverse") }
        return words.joined(separator: " ")
    }

    private func describe(_ color: TerminalStyle.Color) -> String {
        switch color {
        case .terminalDefault: "default"
        case .ansi(let index): "ansi \(index)"
        case .indexed(let index): "\(index)"
        case .rgb(let rgb): "#\(rgb.hexadecimal)"
        }
    }
}
