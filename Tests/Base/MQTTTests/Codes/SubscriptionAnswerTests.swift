import Testing

@testable import MQTT

@Suite struct SubscriptionAnswerTests {
    @Test(arguments: [
        (Int32(0), SubscriptionAnswer.Outcome.granted(.atMostOnce)), (1, .granted(.atLeastOnce)),
        (2, .granted(.exactlyOnce)), (3, .refused(ReasonCode(rawValue: 3))), (0x80, .refused(.unspecifiedError)),
        (0x87, .refused(.notAuthorized)), (0xFF, .refused(ReasonCode(rawValue: 0xFF))),
    ])
    func `every code of the broker grants or refuses`(code: Int32, outcome: SubscriptionAnswer.Outcome) throws {
        let answer = SubscriptionAnswer(filter: try TopicFilter("a"), outcome: SubscriptionAnswer.Outcome(code: code))

        #expect(answer.outcome == outcome)
        #expect(answer.isGranted == (code < 3))
    }
}
