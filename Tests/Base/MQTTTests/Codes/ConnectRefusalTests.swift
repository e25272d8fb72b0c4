import Testing

@testable import MQTT

@Suite struct ConnectRefusalTests {
    // Row P18: each number of CONNACK has its own message.
    @Test(arguments: [
        (
            UInt8(1), ReasonCode.unsupportedProtocolVersion,
            "unsupported protocol version (0x84), CONNACK 1 of MQTT 3.1.1"
        ),
        (2, .clientIdentifierNotValid, "client identifier not valid (0x85), CONNACK 2 of MQTT 3.1.1"),
        (3, .serverUnavailable, "server unavailable (0x88), CONNACK 3 of MQTT 3.1.1"),
        (4, .badUserNameOrPassword, "bad user name or password (0x86), CONNACK 4 of MQTT 3.1.1"),
        (5, .notAuthorized, "not authorized (0x87), CONNACK 5 of MQTT 3.1.1"),
        (6, .unspecifiedError, "unspecified error (0x80), CONNACK 6 of MQTT 3.1.1"),
    ])
    func `each number of MQTT 3 has its reason and its words`(number: UInt8, reason: ReasonCode, words: String) {
        let refusal = ConnectProblem(protocolVersion: .v311, number: number)

        #expect(refusal.reason == reason)
        #expect(reason ~= refusal)
        #expect(refusal.description == words)
    }

    @Test func `a refusal of MQTT 5 keeps its number and the broker's words`() {
        let refusal = ConnectProblem(protocolVersion: .v5, number: 0x8A, words: "ask the janitor")

        #expect(refusal.reason == .banned)
        #expect(refusal.isPermanent)
        #expect(refusal.description == "banned (0x8A): ask the janitor")
    }

    @Test func `a refusal can be matched in a switch, whatever the version`() {
        func isAboutName(_ refusal: ConnectProblem) -> Bool {
            switch refusal {
            case ReasonCode.clientIdentifierNotValid: true
            default: false
            }
        }

        #expect(isAboutName(ConnectProblem(protocolVersion: .v311, number: 2)))
        #expect(isAboutName(ConnectProblem(protocolVersion: .v5, number: 0x85)))
        #expect(!isAboutName(ConnectProblem(protocolVersion: .v5, number: 2)))
    }
}
