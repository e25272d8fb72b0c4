import PoolModel

extension HubConsole {
    mutating func pressInHelp(_ key: Key, scroll: Int) {
        let last = max(0, helpLines(columns: 60).count - 1)
        switch key {
        case .escape, .enter, .character("?"), .character("q"): topDialog = nil
        case .up, .character("k"): topDialog = .help(scroll: max(0, scroll - 1))
        case .down, .character("j"): topDialog = .help(scroll: min(last, scroll + 1))
        case .pageUp, .home: topDialog = .help(scroll: 0)
        case .pageDown, .end: topDialog = .help(scroll: last)
        case .character, .control, .alt, .tab, .backTab, .backspace, .delete, .insert, .left, .right, .function: break
        }
    }

    /// All keys that work now, and why the others do not.
    func helpLines(columns: Int) -> [PanelLine] {
        var lines: [PanelLine] = []
        let zone = state.focus
        lines.append(PanelLine(title(of: zone).text, look.strong))
        if zone == .history {
            lines += ChartNavigator.keys.map { keyLine($0.key, $0.deed, nil, columns: columns) }
        }
        let chartKeys: Set<String> = ["+ -", "←→", "</>", ", .", "w", "z"]
        for command in commands(of: zone) where !(zone == .history && chartKeys.contains(command.label)) {
            lines.append(keyLine(command.label, command.deed, command.obstacle, columns: columns))
        }
        if zone != .history {
            lines.append(keyLine(look.isASCII ? "up/dn" : "↑↓ jk", "select", nil, columns: columns))
            if zone != .laboratory {
                lines.append(keyLine(look.isASCII ? "</>" : "←→ hl", "other device", nil, columns: columns))
            }
        }
        lines += [.blank, PanelLine("Everywhere", look.strong)]
        for command in globalCommands where !isNumber(command.label) {
            lines.append(keyLine(command.label, command.deed, command.obstacle, columns: columns))
        }
        lines.append(keyLine(isWide ? "1-7" : "1-5", isWide ? "panels and setup" : "tabs", nil, columns: columns))
        lines.append(keyLine("^L ^Z", "draw anew, suspend", nil, columns: columns))
        return lines
    }

    private func isNumber(_ label: String) -> Bool { label.count == 1 && label.first?.isNumber == true }

    private func keyLine(_ key: String, _ deed: String, _ obstacle: String?, columns: Int) -> PanelLine {
        let space = String(repeating: " ", count: max(1, 11 - key.displayWidth))
        let keyStyle = obstacle == nil ? look.keyStyle : look.faint
        var spans = [TextRun(" \(key)\(space)", keyStyle), TextRun(deed, obstacle == nil ? look.quiet : look.faint)]
        if let obstacle { spans.append(TextRun(": \(obstacle)", look.faint)) }
        return PanelLine(spans)
    }
}
