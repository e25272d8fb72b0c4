import Testing

@testable import SyncCore

@Suite struct TimeAndOrderTests {
    @Test func `stamps strictly increase whatever the wall clock does`() {
        // I11
        var clock = HybridClock(node: 3)
        var generator = SplitMix64(seed: 9)
        var last: Stamp?
        for _ in 0..<10_000 {
            let stamp = clock.stamp(wallMilliseconds: Int64.random(in: -1_000_000...1_000_000, using: &generator))
            if let last { #expect(stamp > last) }
            last = stamp
        }
    }

    @Test func `a clock goes on after its last stamp, and the hub wins ties`() {
        let last = Stamp(milliseconds: 1000, counter: .max, node: 0)
        var clock = HybridClock(node: 0, after: last)
        #expect(clock.stamp(wallMilliseconds: 5) > last)
        #expect(Stamp(milliseconds: 1, counter: 1, node: 0) > Stamp(milliseconds: 1, counter: 1, node: 9))
    }

    @Test func `a map of pairs in any order is the map of their insertions`() {
        var random = SplitMix64(seed: 7)
        let keys = Set((0..<500).map { _ in Int(random.next() % 10_000) })
        var inserted = SortedMap<Int, Int>()
        for key in keys { inserted[key] = -key }
        var map = SortedMap(keys.map { (key: $0, value: -$0) })
        #expect(map == inserted)
        #expect(map.keys == keys.sorted())
        map[10_001] = 1
        map[keys.min() ?? 0] = nil
        #expect(map.count == keys.count)
        #expect(SortedMap<Int, Int>([]).isEmpty)
    }

    @Test func `a sorted map does what a dictionary does, in order`() {
        var map = SortedMap<Int, Int>()
        var model: [Int: Int] = [:]
        var generator = SplitMix64(seed: 4)
        for _ in 0..<2000 {
            let key = Int.random(in: 0..<50, using: &generator)
            let value: Int? = Bool.random(using: &generator) ? Int.random(in: 0..<9, using: &generator) : nil
            map[key] = value
            model[key] = value
            #expect(map[key] == model[key])
        }
        #expect(map.keys == model.keys.sorted())
        #expect(map.values == model.keys.sorted().compactMap { model[$0] })
    }
}
