package import PoolModel

extension Glance {
    /// The glance without what changes by itself every second: two that are equal are no news.
    package var withoutAges: Glance {
        var facts = self
        facts.clock = ""
        facts.ageSeconds = nil
        for index in facts.gauges.indices {
            facts.gauges[index].ageSeconds = nil
            facts.gauges[index].history = []
        }
        facts.moment = nil
        if case .lost = facts.link { facts.link = .lost(seconds: 0) }
        return facts
    }
}
