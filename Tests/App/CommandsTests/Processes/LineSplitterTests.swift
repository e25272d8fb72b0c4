import Testing

@testable import Commands

@Suite struct LineSplitterTests {
    @Test func `lines come out whole, however the bytes come in`() {
        let text = "one\n\ntwo ü\nrest"
        for size in 1...text.utf8.count {
            var splitter = LineSplitter()
            var lines: [String] = []
            var bytes = Array(text.utf8)[...]
            while !bytes.isEmpty {
                lines += splitter.take(bytes.prefix(size))
                bytes = bytes.dropFirst(size)
            }

            #expect(lines == ["one", "", "two ü"])
            #expect(splitter.rest == "rest")
        }
    }

    @Test func `a line without an end does not grow for ever`() {
        var splitter = LineSplitter()

        let lines = splitter.take(repeatElement(UInt8(ascii: "x"), count: LineSplitter.byteCountMax + 1))

        #expect(lines.map(\.utf8.count) == [LineSplitter.byteCountMax])
        #expect(splitter.rest == "x")
    }
}
