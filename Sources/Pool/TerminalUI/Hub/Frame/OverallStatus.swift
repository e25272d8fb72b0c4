import PoolControl
import PoolModel

/// The overall status in one word: the worst known one, and not OK while a device sends nothing.
struct OverallStatus {
    let glyph: Character
    let word: String
    let status: Status

    private init(_ glyph: Character, _ word: String, _ status: Status) {
        self.glyph = glyph
        self.word = word
        self.status = status
    }

    init(_ context: ScreenContext) {
        let (hub, look) = (context.hub, context.look)
        let all = hub.devices.map { Headline(context.glance(of: $0)) }
        let alerts = hub.alerts.state.alerts.filter { !$0.isOutdated }
        let isCritical = alerts.contains { $0.severity == .critical }
        if isCritical || all.contains(.judged(.critical)) {
            self.init(look.glyph(Status.critical), "CRITICAL", .critical)
            return
        }
        let wasCritical =
            all.contains(.formerly(.critical))
            || hub.alerts.state.alerts.contains { $0.isOutdated && $0.severity == .critical }
        if wasCritical {
            self.init(look.staleGlyph, Headline.formerly(.critical).word, .warning)
            return
        }
        if !alerts.isEmpty || all.contains(.judged(.warning)) {
            self.init(look.glyph(Status.warning), "WARNING", .warning)
            return
        }
        if all.contains(.formerly(.warning)) || !hub.alerts.state.alerts.isEmpty {
            self.init(look.staleGlyph, Headline.formerly(.warning).word, .warning)
            return
        }
        if all.contains(where: { [.stale, .partlyStale, .lastKnown].contains($0) }) {
            self.init(look.staleGlyph, "STALE", .warning)
            return
        }
        let silent = all.count { $0 != .judged(.normal) }
        if all.isEmpty {
            self.init(look.glyph(Status.offline), "NO DEVICE", .offline)
        } else if silent == 0 {
            self.init(look.glyph(Status.normal), "OK", .normal)
        } else {
            self.init(look.glyph(Status.offline), silent == all.count ? "OFFLINE" : "\(silent) OFFLINE", .offline)
        }
    }
}
