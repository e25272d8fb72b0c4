import Testing

@testable import Text

@Suite struct TimestampTests {
    @Test func `as JSON a moment is its number`() throws {
        let noon = Timestamp(milliseconds: 1_780_315_200_000)
        #expect(String(decoding: try CanonicalJSON.encode([noon]), as: UTF8.self) == "[1780315200000]")
        #expect(try CanonicalJSON.decode([Timestamp].self, from: Array("[-1]".utf8)) == [Timestamp(milliseconds: -1)])
    }
}
