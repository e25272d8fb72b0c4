import PoolModel
import PoolScreens
import Testing

@testable import poolsensors

@Suite struct WatchModeTests {
    @Test(
        arguments: [
            (false, false, nil, true, WatchMode.face), (false, false, nil, false, .lines(.plain)),
            (false, true, nil, true, .lines(.plain)), (false, false, .plain, true, .lines(.plain)),
            (false, false, .json(isPretty: false), true, .lines(.json(isPretty: false))),
            (true, false, nil, true, .once(.plain)),
            (true, false, .json(isPretty: false), true, .once(.json(isPretty: false))),
            (false, true, .json(isPretty: false), true, .lines(.json(isPretty: false))),
        ] as [(Bool, Bool, WatchMode.Notation?, Bool, WatchMode)])
    func `a face is drawn only where one can be, and where nobody wants lines`(
        isOnce: Bool, isFollowing: Bool, notation: WatchMode.Notation?, canDraw: Bool, mode: WatchMode
    ) {
        #expect(
            WatchMode(isOnce: isOnce, isFollowing: isFollowing, notation: notation, canDraw: canDraw) == mode)
    }

    private func glance(link: LinkState, freshness: Freshness, age: Int? = nil, clock: String = "10:09") -> Glance {
        Glance(
            deviceName: "Lagoon", gauges: [], freshness: freshness, ageSeconds: age, link: link, revision: 1,
            clock: clock)
    }

    @Test func `that time passes is no news`() {
        let before = glance(link: .lost(seconds: 3), freshness: .live, age: 3, clock: "10:09")
        let after = glance(link: .lost(seconds: 4), freshness: .live, age: 4, clock: "10:10")

        #expect(before.withoutAges == after.withoutAges)
        #expect(before.withoutAges != glance(link: .linked, freshness: .live, age: 3).withoutAges)
        #expect(before.withoutAges != glance(link: .lost(seconds: 3), freshness: .stale, age: 3).withoutAges)
    }

    @Test func `the advice names the watch unless it is the usual one`() {
        #expect(PairingAdvice.sentence(name: "watch").hasSuffix("`poolsensors watch pair CODE`"))
        #expect(PairingAdvice.sentence(name: "Kitchen").hasSuffix("`poolsensors watch pair CODE --name Kitchen`"))
        #expect(PairingAdvice.sentence(name: "My Wrist").hasSuffix("`poolsensors watch pair CODE --name \"My Wrist\"`"))
    }
}
