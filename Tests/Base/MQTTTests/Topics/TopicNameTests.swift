import CMosquitto
import Testing

@testable import MQTT

@Suite struct TopicNameTests {
    @Test(arguments: [
        "a", "/", "a/b", "/a", "a/", "a//b", "$SYS/broker", "with blank", "wasser/größe/°C", "💧/\u{1F3CA}",
        String(repeating: "x", count: 65_535), String(repeating: "ä", count: 32_767),
    ])
    func `a topic is taken as it is`(text: String) throws {
        #expect(try TopicName(text).text == text)
    }

    @Test(arguments: [
        ("", TextProblem.empty),
        (String(repeating: "x", count: 65_536), .tooLong(byteCount: 65_536)),
        (String(repeating: "ä", count: 32_768), .tooLong(byteCount: 65_536)),
        ("a\0b", .forbiddenCharacter("\0")),
        ("a\n", .forbiddenCharacter("\n")),
        ("a\u{7F}", .forbiddenCharacter("\u{7F}")),
        ("a/+/b", .wildcard("+")),
        ("a/b#", .wildcard("#")),
        ("#", .wildcard("#")),
    ])
    func `a text that is no topic is refused with its fault`(text: String, fault: TextProblem) {
        #expect(throws: MQTTError.invalidTopicName(text, fault)) { try TopicName(text) }
    }

    @Test func `libmosquitto forbids exactly the same characters`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let bytes = String(scalar).utf8.map { CChar(bitPattern: $0) }
            let isRefused = unsafe mosquitto_validate_utf8(bytes, Int32(bytes.count)) != 0
            if TextValidation.isForbidden(scalar) != isRefused { Issue.record("U+\(String(value, radix: 16))") }
        }
    }

    @Test func `the error names the text and the way out`() {
        let error = MQTTError.invalidTopicName("a/+", .wildcard("+"))

        #expect(error.description == "\"a/+\" is not a topic name: it holds +, which only a topic filter may")
    }
}
