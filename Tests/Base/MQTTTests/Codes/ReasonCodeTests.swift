import Testing

@testable import MQTT

@Suite struct ReasonCodeTests {
    @Test func `a reason is described by its words and its number`() {
        #expect(ReasonCode.notAuthorized.description == "not authorized (0x87)")
        #expect(ReasonCode.success.description == "success (0x00)")
        #expect(ReasonCode(rawValue: 0xEE).description == "unnamed reason (0xEE)")
    }

    @Test func `failures begin at 0x80`() {
        #expect(!ReasonCode(rawValue: 0x7F).isFailure)
        #expect(ReasonCode(rawValue: 0x80).isFailure)
    }

    @Test(arguments: [
        ReasonCode.badUserNameOrPassword, .notAuthorized, .clientIdentifierNotValid, .unsupportedProtocolVersion,
        .banned,
    ])
    func `a refusal that nobody's patience cures is permanent`(reason: ReasonCode) {
        #expect(reason.isPermanentRefusal)
    }

    @Test(arguments: [
        ReasonCode.success, .serverUnavailable, .serverBusy, .serverShuttingDown, .sessionTakenOver, .quotaExceeded,
        .connectionRateExceeded, .keepAliveTimeout, .unspecifiedError, ReasonCode(rawValue: 0xEE),
    ])
    func `a refusal that may pass is not`(reason: ReasonCode) {
        #expect(!reason.isPermanentRefusal)
    }
}
