import TestSupport
import Testing

@testable import SyncCore

/// Two exchanges together: user info in both directions and messages over a link that loses, doubles and reorders.
@Suite(.longWork) struct ExchangeTests {
    @Test(arguments: 0..<8)
    func `over a bad link and through crashes each item arrives once and in order`(_ block: Int) {
        // I1, I2, I5, I6, I7, I17, I18.
        for seed in UInt64(block) * 5..<UInt64(block + 1) * 5 {
            var world = ExchangeWorld(seed: seed, faults: .init())
            world.run(steps: 400)
            #expect(world.finding == nil, "seed \(seed)")
        }
    }

    @Test(arguments: 0..<8)
    func `restores of either side double nothing and lose nothing in silence`(_ block: Int) {
        // C10, C14, C15; I2, I5.
        for seed in UInt64(block) * 5..<UInt64(block + 1) * 5 {
            var world = ExchangeWorld(seed: seed, faults: .init(restores: true))
            world.run(steps: 400)
            #expect(world.finding == nil, "seed \(seed)")
        }
    }
}
