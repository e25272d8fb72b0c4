import Primitives
import Testing

@Suite struct TimeTests {
    @Test func `moments stop at the ends of time`() {
        let end = Instant(nanoseconds: .max)
        #expect(end.advanced(by: .seconds(1)) == end)
        #expect(Instant(nanoseconds: .min).advanced(by: .seconds(-1)) == Instant(nanoseconds: .min))
        #expect(Instant(nanoseconds: 0).advanced(by: .seconds(Int64.max)) == end)
        #expect(Instant(nanoseconds: 3_000_000).duration(to: Instant(nanoseconds: 1_000_000)) == .milliseconds(-2))
    }

    @Test func `moments stop at the ends instead of trapping`() {
        let noon = Timestamp(milliseconds: 1_780_315_200_000)
        let first = Timestamp(milliseconds: .min)
        let last = Timestamp(milliseconds: .max)
        #expect(last.advanced(byMilliseconds: 1) == last)
        #expect(first.advanced(byMilliseconds: -1) == first)
        #expect(last.milliseconds(since: first) == .max)
        #expect(first.milliseconds(since: last) == .min)
        #expect(noon.advanced(byMilliseconds: 5).milliseconds(since: noon) == 5)
        #expect(first < last)
    }
}
