import PoolControl
import PoolModel

/// The open alerts, the conflicts, and the remarks about the hub.
struct AlertsPanel: HubPanel {
    private(set) var selected: RowID?
    var filter: ListFilter? = ListFilter()

    var changes: String? { "alerts" }

    mutating func select(_ row: RowID, in context: ScreenContext) -> [ConsoleOutcome] {
        selected = row
        return []
    }

    func title(in context: ScreenContext) -> PanelTitle {
        let hub = context.hub
        let open = hub.alerts.state.alerts.count { !$0.isQuiet }
        let conflicts = hub.conflicts.isEmpty ? "" : "  \(context.conflictGlyph)\(hub.conflicts.count)"
        return PanelTitle(text: "Alerts", badge: [TextRun("\(open) open\(conflicts)", context.look.faint)])
    }

    // MARK: Rows

    func list(columns: Int, in context: ScreenContext) -> PanelList {
        let (hub, look) = (context.hub, context.look)
        var rows: [PanelRow] = []
        for alert in hub.sortedAlerts where accepts([alert.name, alert.shortSummary]) {
            rows += [row(of: alert, columns: columns, in: context), .blank]
        }
        for conflict in hub.conflicts where accepts([conflict.subject, conflict.loser.author, "conflict"]) {
            rows += [row(of: conflict, columns: columns, in: context), .blank]
        }
        if rows.isEmpty, filter?.isShown == true { rows = [.noMatch(look)] }
        if rows.isEmpty {
            rows = [
                PanelRow(nil, [TextRun("\(look.bullet) no open alert", look.accentStyle)]),
                PanelRow(nil, [TextRun("  and no conflict", look.faint)]),
            ]
        }
        for notice in context.snapshot.notices + hub.problems {
            let lines = notice.sanitized.wrapped(columns: max(1, columns - 2), lines: 4)
            rows += [
                PanelRow(
                    nil,
                    lines.enumerated().map {
                        PanelLine([
                            TextRun($0 == 0 ? "\(look.glyph(.warning)) " : "  ", look.style(.warning)),
                            TextRun($1, look.quiet),
                        ])
                    }),
                .blank,
            ]
        }
        return PanelList(rows)
    }

    private func accepts(_ texts: [String]) -> Bool { filter?.accepts(texts) ?? true }

    private func row(of alert: AlertState.Alert, columns: Int, in context: ScreenContext) -> PanelRow {
        let (hub, look) = (context.hub, context.look)
        let status = alert.status
        // What was is not shown as if it were.
        let shown: Status = alert.isOutdated ? .warning : status
        let style = alert.isQuiet ? look.quiet : look.style(shown)
        let sign = TextRun(
            "\(alert.isOutdated ? look.staleGlyph : look.glyph(status)) ",
            alert.isQuiet ? Style(look.theme.tint(shown, 0.6)) : look.style(shown))
        var lines = [PanelLine([sign, TextRun(alert.shortSummary, style)])]
        let age = FaceFormatter.age(
            Int(max(0, min(1_000_000_000_000, hub.now.milliseconds(since: alert.since))) / 1000))
        var words = "\(alert.name.sanitized) \(look.separator) \(age)"
        if let measured = alert.measuredAt {
            let old = FaceFormatter.age(Int(clamping: max(0, hub.now.milliseconds(since: measured)) / 1000))
            words += " \(look.separator) value \(old) old"
        }
        if alert.isAcknowledged {
            words += " \(look.separator) acked"
        }
        lines.append(PanelLine([TextRun("  \(words)", look.faint)]))
        let until = alert.snoozedUntil ?? hub.alerts.repetition(of: alert)
        if let until, !alert.isAcknowledged {
            let left = max(0, until.milliseconds(since: hub.now)) / 1000
            if left > 0 {
                let whole = alert.snoozedUntil == nil ? Double(max(60, hub.alerts.settings.cooldownSeconds)) : 3600
                let text =
                    (alert.snoozedUntil == nil ? "" : "quiet ")
                    + (left < 600 ? "\(left) s" : FaceFormatter.age(Int(left)))
                let bar = look.bar(
                    Double(left) / whole, columns: max(4, columns - text.displayWidth - 4),
                    Style(look.theme.tint(status, 0.6)))
                lines.append(PanelLine([TextRun("  ", look.faint)] + bar, trailing: [TextRun(text, look.faint)]))
            }
        }
        return PanelRow(.alert(alert.episodeID), lines)
    }

    private func row(of conflict: ConflictSummary, columns: Int, in context: ScreenContext) -> PanelRow {
        let look = context.look
        func words(_ side: ConflictSummary.Side?) -> String {
            side.map { "\(($0.value ?? "removed").sanitized) \(look.separator) \($0.author.sanitized)" } ?? "nothing"
        }
        // Without what stands at their ends nobody can decide, so they are wrapped and not cut.
        func lines(_ start: TextRun, _ text: String, _ style: Style) -> [PanelLine] {
            text.wrapped(columns: max(1, columns - start.columns), lines: 4).enumerated().map { index, part in
                PanelLine([
                    index == 0 ? start : TextRun(String(repeating: " ", count: start.columns), look.faint),
                    TextRun(part, style),
                ])
            }
        }
        var lines =
            lines(TextRun("\(context.conflictGlyph) ", look.style(.warning)), conflict.subject.sanitized, look.plain)
            + lines(TextRun("  shown  ", look.faint), words(conflict.winner), look.quiet)
            + lines(TextRun("  other  ", look.faint), words(conflict.loser), look.style(.warning, isBold: false))
        let reason = conflict.obstacle ?? conflict.reason
        lines += reason.sanitized.wrapped(columns: max(1, columns - 2), lines: columns >= 40 ? 2 : 3).map {
            PanelLine("  \($0)", look.faint)
        }
        return PanelRow(.conflict(conflict.id), lines)
    }

    // MARK: Keys

    /// The alert that `a` means: the selected one, else the first that nobody acknowledged.
    private func target(in context: ScreenContext) -> AlertState.Alert? {
        if context.focus == id, case .alert(let id) = selection(in: context) {
            return context.hub.alerts.state.alerts.first { $0.episodeID == id }
        }
        let alerts = context.hub.sortedAlerts
        return alerts.first { !$0.isQuiet } ?? alerts.first
    }

    /// Why no alert can be acknowledged; nil if one can.
    func acknowledgeObstacle(in context: ScreenContext) -> String? {
        guard let target = target(in: context) else { return "there is no open alert" }
        return target.isAcknowledged ? "it is acknowledged already" : nil
    }

    /// Acknowledges the alert that `a` means.
    func acknowledge(in context: ScreenContext) -> [ConsoleOutcome] {
        guard let target = target(in: context) else { return [] }
        return [
            .order(.alerts(.acknowledge(target.episodeID))), .toast(.done, "Acknowledged: \(target.summary)"),
        ]
    }

    /// The selected conflict, else the first.
    private func conflict(in context: ScreenContext) -> ConflictSummary? {
        let conflicts = context.hub.conflicts
        guard case .conflict(let id) = selection(in: context) else { return conflicts.first }
        return conflicts.first { $0.id == id } ?? conflicts.first
    }

    func commands(in context: ScreenContext) -> [KeyCommand<Self>] {
        let conflict = conflict(in: context)
        let target = target(in: context)
        let noConflict = conflict == nil ? "there is no conflict" : nil
        func settle(restoring: Bool) -> [ConsoleOutcome] {
            conflict.map { [.order(.edit(.settle(conflict: $0.id, restoring: restoring)))] } ?? []
        }
        let answers: [KeyCommand<Self>] = [
            KeyCommand("a", "ack", unless: acknowledgeObstacle(in: context)) { $0.acknowledge(in: $1) },
            KeyCommand("m", "snooze", unless: target == nil ? "there is no open alert" : nil) { _, _ in
                target.map { [.open(SnoozeDialog($0))] } ?? []
            },
        ]
        let settlements: [KeyCommand<Self>] = [
            KeyCommand("u", "use other", unless: noConflict ?? conflict?.obstacle) { _, _ in
                settle(restoring: true)
            },
            KeyCommand("K", "keep shown", unless: noConflict) { _, _ in settle(restoring: false) },
        ]
        // Where there is little room for hints, those of the selected row come first.
        if case .conflict = selection(in: context) { return settlements + answers + [.filter] }
        return answers + settlements + [.filter]
    }
}
