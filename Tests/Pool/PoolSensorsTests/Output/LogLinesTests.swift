import CommandSupport
import Logging
import Testing

@testable import poolsensors

@Suite struct LogLinesTests {
    @Test func `no line and no log has what a terminal could performOrders, no matter who wrote it`() {
        #expect(Output.harmless("a\u{1B}[2J\nb\u{202E}\u{9B}露\u{200D}") == "a\u{FFFD}[2J\nb\u{FFFD}\u{FFFD}露\u{200D}")
        var handler = DivertedLogHandler(label: "test")
        handler.metadata = ["watch": "a\u{202E}"]
        let event = LogEvent(
            level: .info, message: "x\u{1B}[2J\ny", metadata: ["reason": .array(["\u{9B}"])], source: nil, file: "",
            function: "", line: 0)
        let words = handler.harmless(event)
        let facts = (words.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
        #expect(words.message.description == "x\u{FFFD}[2J\u{FFFD}y")
        #expect(facts.joined(separator: " ").unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        #expect(facts.last == "watch=a\u{FFFD}")
    }
}
