import Testing
import WatchConnectivity

@Suite struct WCErrorTests {
    // The numbers of section 1.3 of the interface, as public code compares them.
    private static let codes: [(WCError.Code, Int)] = [
        (.genericError, 7001), (.sessionNotSupported, 7002), (.sessionMissingDelegate, 7003),
        (.sessionNotActivated, 7004), (.deviceNotPaired, 7005), (.watchAppNotInstalled, 7006), (.notReachable, 7007),
        (.invalidParameter, 7008), (.payloadTooLarge, 7009), (.payloadUnsupportedTypes, 7010),
        (.messageReplyFailed, 7011), (.messageReplyTimedOut, 7012), (.fileAccessDenied, 7013), (.deliveryFailed, 7014),
        (.insufficientSpace, 7015), (.sessionInactive, 7016), (.transferTimedOut, 7017),
        (.companionAppNotInstalled, 7018), (.watchOnlyApp, 7019),
    ]

    @Test(arguments: codes)
    func `each code has its number, and there is no other`(_ code: WCError.Code, _ number: Int) {
        #expect(code.rawValue == number)
        #expect(WCError.Code(rawValue: number) == code)
        #expect(WCError.Code(rawValue: 7000) == nil)
        #expect(WCError.Code(rawValue: 7020) == nil)
    }

    @Test func `an error is caught by its code`() {
        // R154
        do {
            throw WCError(.notReachable)
        } catch WCError.notReachable {
            return
        } catch {
            Issue.record("caught \(error)")
        }
    }

    @Test func `an error keeps domain, code and user info as an NSError`() {
        // R154
        let error: any Error = WCError(.payloadTooLarge, userInfo: ["path": "a.b"])
        #expect((error as NSError).domain == WCErrorDomain)
        #expect((error as NSError).code == 7009)
        #expect((error as? WCError)?.code == .payloadTooLarge)
        #expect((error as? WCError)?.userInfo["path"] as? String == "a.b")
    }

    @Test func `an NSError of the domain becomes an error`() {
        let error = WCError(_nsError: NSError(domain: WCErrorDomain, code: 7012))
        #expect(error.code == .messageReplyTimedOut)
    }

    @Test func `errors are compared and hashed by their code`() {
        #expect(WCError(.notReachable) == WCError(.notReachable))
        #expect(WCError(.notReachable) != WCError(.deliveryFailed))
        #expect(Set([WCError(.notReachable), WCError(.notReachable), WCError(.deliveryFailed)]).count == 2)
    }

    @Test func `the activation states have Apple's numbers`() {
        #expect(WCSessionActivationState.notActivated.rawValue == 0)
        #expect(WCSessionActivationState.inactive.rawValue == 1)
        #expect(WCSessionActivationState.activated.rawValue == 2)
    }

    @Test func `the module brings Foundation with it`() {
        // Clients that import nothing else use its types.
        #expect(Data([1]).count == 1)
    }
}
