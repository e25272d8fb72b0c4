@testable import TerminalUI

/// A buffer as a text that people can compare: its characters, then a letter for the style of each cell, then what the
/// letters mean.
enum StyleMap {
    static func text(of buffer: CellBuffer, depth: ColorDepth) -> String {
        var legend: [String: Int] = [:]
        var names: [String] = []
        var map: [String] = []
        for y in 0..<buffer.size.rows {
            var row = ""
            for x in 0..<buffer.size.columns {
                let name = describe(TerminalStyle(buffer[x, y].style, depth: depth))
                if legend[name] == nil {
                    legend[name] = names.count
                    names.append(name)
                }
                row.append(letter(legend[name] ?? 0))
            }
            map.append(row)
        }
        let lines = buffer.text.split(separator: "\n", omittingEmptySubsequences: false).map { "|\($0)" }
        let key = names.enumerated().map { "\(letter($0)) \($1)" }
        return (lines + [""] + map + [""] + key).joined(separator: "\n") + "\n"
    }

    private static func letter(_ index: Int) -> Character {
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        return index < letters.count ? letters[index] : "?"
    }

    private static func describe(_ style: TerminalStyle) -> String {
        var words = ["\(describe(style.foreground)) on \(describe(style.background))"]
        if style.attributes.contains(.bold) { words.append("bold") }
        if style.attributes.contains(.underline) { words.append("underline") }
        if style.attributes.contains(.reverse) { words.append("reverse") }
        return words.joined(separator: " ")
    }

    private static func describe(_ color: TerminalStyle.Color) -> String {
        switch color {
        case .terminalDefault: "default"
        case .ansi(let index): "ansi \(index)"
        case .indexed(let index): "\(index)"
        case .rgb(let rgb):
            "#" + [rgb.red, rgb.green, rgb.blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }
}
