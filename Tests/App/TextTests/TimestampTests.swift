import PoolSamples
import Testing

@testable import Text

@Suite struct TimestampTests {
    @Test func `as JSON a moment is its number`() throws {
        #expect(text(try CanonicalJSON.encode([noon])) == "[1780315200000]")
        #expect(try CanonicalJSON.decode([Timestamp].self, from: Array("[-1]".utf8)) == [Timestamp(milliseconds: -1)])
    }
}
