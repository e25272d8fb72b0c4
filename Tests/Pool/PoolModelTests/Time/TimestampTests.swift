import PoolSamples
import Testing

@testable import PoolModel

@Suite struct TimestampTests {
    @Test func `moments stop at the ends instead of trapping`() {
        let first = Timestamp(milliseconds: .min)
        let last = Timestamp(milliseconds: .max)
        #expect(last.advanced(byMilliseconds: 1) == last)
        #expect(first.advanced(byMilliseconds: -1) == first)
        #expect(last.milliseconds(since: first) == .max)
        #expect(first.milliseconds(since: last) == .min)
        #expect(noon.advanced(byMilliseconds: 5).milliseconds(since: noon) == 5)
        #expect(first < last)
    }

    @Test func `as JSON a moment is its number`() throws {
        #expect(text(try CanonicalJSON.encode([noon])) == "[1780315200000]")
        #expect(try CanonicalJSON.decode([Timestamp].self, from: Array("[-1]".utf8)) == [Timestamp(milliseconds: -1)])
    }
}
