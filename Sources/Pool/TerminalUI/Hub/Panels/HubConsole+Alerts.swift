import PoolControl
import PoolModel

extension AlertState.Alert {
    var status: Status { severity.status }
    var isQuiet: Bool { isAcknowledged || snoozedUntil != nil }
}

extension HubConsole {
    /// Those that nobody acknowledged first, then the more severe ones, then the older ones.
    var sortedAlerts: [AlertState.Alert] {
        hub.alerts.state.alerts.sorted {
            if $0.isQuiet != $1.isQuiet { return $1.isQuiet }
            if $0.status != $1.status { return $0.status > $1.status }
            return ($0.since, $0.key) < ($1.since, $1.key)
        }
    }

    var alertBadge: [TextRun] {
        let open = hub.alerts.state.alerts.count { !$0.isQuiet }
        let conflicts = hub.conflicts.isEmpty ? "" : "  \(conflictGlyph)\(hub.conflicts.count)"
        return [TextRun("\(open) open\(conflicts)", look.faint)]
    }

    func alertRows(columns: Int) -> [PanelRow] {
        var rows: [PanelRow] = []
        for alert in sortedAlerts { rows += [alertRow(alert, columns: columns), .blank] }
        for conflict in hub.conflicts { rows += [conflictRow(conflict, columns: columns), .blank] }
        if rows.isEmpty {
            rows = [
                PanelRow(nil, [TextRun("\(look.bullet) no open alert", look.accentStyle)]),
                PanelRow(nil, [TextRun("  and no conflict", look.faint)]),
            ]
        }
        for notice in snapshot.notices + hub.problems {
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
        return rows
    }

    // MARK: Rows

    private func alertRow(_ alert: AlertState.Alert, columns: Int) -> PanelRow {
        let status = alert.status
        let style = alert.isQuiet ? look.quiet : look.style(status)
        let sign = TextRun(
            "\(look.glyph(status)) ", alert.isQuiet ? Style(look.theme.tint(status, 0.6)) : look.style(status))
        var lines = [PanelLine([sign, TextRun(summary(alert), style)])]
        let age = FaceFormatter.age(
            Int(max(0, min(1_000_000_000_000, hub.now.milliseconds(since: alert.since))) / 1000))
        var words = "\(alert.name.sanitized) \(look.separator) \(age)"
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

    /// The alert without the name, which stands elsewhere.
    func summary(_ alert: AlertState.Alert) -> String {
        if case .value(_, let quantity, let side) = alert.key, let value = alert.value {
            return "\(quantity.name) \(side.rawValue) \(quantity.textWithUnit(value))"
        }
        if case .missing(_, nil) = alert.key { return "no values come" }
        let whole = alert.summary
        let prefix = "\(alert.name) "
        return (whole.hasPrefix(prefix) ? String(whole.dropFirst(prefix.count)) : whole).sanitized
    }

    private func conflictRow(_ note: ConflictSummary, columns: Int) -> PanelRow {
        func words(_ side: ConflictSummary.Side?) -> String {
            side.map { "\(($0.value ?? "removed").sanitized) \(look.separator) \($0.author.sanitized)" } ?? "nothing"
        }
        var lines = [
            PanelLine([TextRun("\(conflictGlyph) ", look.style(.warning)), TextRun(note.subject.sanitized, look.plain)]
            ),
            PanelLine([TextRun("  shown  ", look.faint), TextRun(words(note.winner), look.quiet)]),
            PanelLine([
                TextRun("  other  ", look.faint), TextRun(words(note.loser), look.style(.warning, isBold: false)),
            ]),
        ]
        let reason = note.obstacle ?? note.reason
        lines += reason.sanitized.wrapped(columns: max(1, columns - 2), lines: columns >= 40 ? 2 : 3).map {
            PanelLine("  \($0)", look.faint)
        }
        return PanelRow(.conflict(note.id), lines)
    }

    // MARK: Keys

    /// The alert that `a` means: the selected one, else the first that nobody acknowledged.
    private var targetAlert: AlertState.Alert? {
        if state.focus == .alerts, case .alert(let id) = selection(of: .alerts) {
            return hub.alerts.state.alerts.first { $0.episodeID == id }
        }
        return sortedAlerts.first { !$0.isQuiet } ?? sortedAlerts.first
    }

    var acknowledgeObstacle: String? {
        guard let target = targetAlert else { return "there is no open alert" }
        return target.isAcknowledged ? "it is acknowledged already" : nil
    }

    mutating func acknowledge() {
        guard let target = targetAlert else { return }
        state.pending[order(.alerts(.acknowledge(target.episodeID)))] = .toast
        toast(.done, "Acknowledged: \(target.summary)")
    }

    private var selectedConflict: ConflictSummary? {
        guard case .conflict(let id) = selection(of: .alerts) else { return nil }
        return hub.conflicts.first { $0.id == id }
    }

    var alertCommands: [Command] {
        let conflict = selectedConflict ?? hub.conflicts.first
        let noConflict = conflict == nil ? "there is no conflict" : nil
        let noAlert = targetAlert == nil ? "there is no open alert" : nil
        return [
            Command("a", "ack", unless: acknowledgeObstacle) { $0.acknowledge() },
            Command("m", "mute", unless: noAlert) { console in
                guard let target = console.targetAlert else { return }
                console.openSnooze(target)
            },
            Command("u", "use other", unless: noConflict ?? conflict?.obstacle) {
                $0.settle(conflict, restoring: true)
            },
            Command("x", "keep shown", unless: noConflict) { $0.settle(conflict, restoring: false) },
            Command("S", "settings") { $0.expand(.channels) },
            Command("T", "test") { console in
                console.state.pending[console.order(.alerts(.test))] = .toast
                console.toast(.note, "Sending a test alert…")
            },
        ]
    }

    private mutating func settle(_ conflict: ConflictSummary?, restoring: Bool) {
        guard let conflict else { return }
        state.pending[order(.settle(conflict: conflict.id, restoring: restoring))] = .toast
    }
}
