import PoolControl
import PoolModel

/// Draws the first row of the wide layout: it begins with the assessment.
struct ConsoleHeader {
    let context: ScreenContext
    private var hub: HubState { context.hub }
    private var look: ResolvedTheme { context.look }

    /// How many watches have a session, and whether that is all of them.
    var watches: (text: String, style: Style) {
        let linked = hub.watches.count { $0.link == .linked }
        guard !hub.watches.isEmpty else { return ("no watch", look.faint) }
        let isAll = linked == hub.watches.count
        return ("\(linked)/\(hub.watches.count) watches", isAll ? look.quiet : look.style(.warning, isBold: false))
    }

    func draw(on buffer: inout CellBuffer) {
        if let ground = look.panelGround {
            let row = Rect(x: 0, y: 0, columns: context.size.columns, rows: 1)
            buffer.fill(row, style: Style(.terminalDefault, on: ground))
        }
        let (assessment, isNamed) = context.assessment
        let sentence = look.line(assessment, isNamed: isNamed).wholeWords(columns: max(20, context.size.columns / 2))
        var leading = [
            TextRun(" \(sentence)", look.style(assessment)), TextRun(look.isASCII ? "  ~ " : "  ≈ ", look.keyStyle),
        ]
        for item in hub.servers.prefix(4) {
            let status = item.status
            leading += [
                TextRun(" \(look.glyph(status)) ", look.style(status)),
                TextRun(item.server.name.sanitized.fitted(columns: 16) + " ", look.quiet),
            ]
        }
        let watches = watches
        leading.append(TextRun("  \(watches.text)", watches.style))
        let open = hub.alerts.state.alerts.filter { !$0.isAcknowledged }
        let outdated = open.count(where: \.isOutdated)
        let critical = open.count { $0.severity == .critical && !$0.isOutdated }
        let warnings = open.count - critical - outdated
        var trailing: [TextRun] = []
        if critical > 0 {
            trailing.append(TextRun("\(look.glyph(.critical)) \(critical) critical  ", look.style(.critical)))
        }
        if warnings > 0 {
            let word = warnings == 1 ? "warning" : "warnings"
            trailing.append(TextRun("\(look.glyph(.warning)) \(warnings) \(word)  ", look.style(.warning)))
        }
        if outdated > 0 {
            trailing.append(TextRun("\(look.staleGlyph) \(outdated) from old values  ", look.style(.warning)))
        }
        if !hub.conflicts.isEmpty {
            trailing.append(
                TextRun(
                    "\(context.conflictGlyph) \(hub.conflicts.count) \(hub.conflicts.count == 1 ? "conflict" : "conflicts")  ",
                    look.style(.warning)))
        }
        if context.choices.isPaused { trailing.append(TextRun("paused  ", look.style(.warning))) }
        trailing.append(
            TextRun(context.clock(hub.now).second + " ", look.strong))
        PanelLine(leading, trailing: trailing).draw(on: &buffer, x: 0, y: 0, columns: context.size.columns)
    }
}
