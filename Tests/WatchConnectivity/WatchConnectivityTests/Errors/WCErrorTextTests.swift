import Foundation
import Testing

@testable import WatchConnectivity

@Suite struct WCErrorTextTests {
    // Section 1.3 of the interface: what public logs show, and what tests of clients compare with.
    @Test(arguments: [
        (WCError.Code.deviceNotPaired, "Device is not paired."),
        (.watchAppNotInstalled, "Watch app is not installed."),
        (.notReachable, "WatchConnectivity session on paired device is not reachable."),
        (.messageReplyTimedOut, "Message reply took too long."),
        (.deliveryFailed, "Payload could not be delivered."),
        (.transferTimedOut, "Transfer timed out."),
    ])
    func `an error of the framework describes itself`(_ code: WCError.Code, _ text: String) {
        let error: any Error = WCError(code, unsendablePath: nil)
        #expect(error.localizedDescription == text)
        #expect((error as NSError).localizedDescription == text)
        #expect(String(describing: error).contains("WCErrorDomain Code=\(code.rawValue)"))
    }

    @Test func `some errors say why and what to do`() {
        let error = WCError(.messageReplyTimedOut, unsendablePath: nil) as NSError
        #expect(error.localizedFailureReason == "Reply timeout occurred.")
        #expect((WCError(.deviceNotPaired, unsendablePath: nil) as NSError).localizedRecoverySuggestion != nil)
        #expect((WCError(.deliveryFailed, unsendablePath: nil) as NSError).localizedFailureReason == nil)
    }

    @Test(arguments: [7002, 7003, 7004, 7012, 7013, 7015, 7016])
    func `the codes with a reason are Apple's`(_ number: Int) throws {
        let code = try #require(WCError.Code(rawValue: number))
        #expect((WCError(code, unsendablePath: nil) as NSError).localizedFailureReason != nil)
    }

    @Test func `a bare NSError is caught by its code`() {
        // T8
        func caught(_ error: any Error) -> String {
            do {
                throw error
            } catch WCError.notReachable {
                return "not reachable"
            } catch {
                return "other"
            }
        }
        #expect(caught(NSError(domain: WCErrorDomain, code: 7007)) == "not reachable")
        #expect(caught(WCError(.notReachable)) == "not reachable")
        #expect(caught(NSError(domain: WCErrorDomain, code: 7012)) == "other")
        #expect(caught(NSError(domain: "other", code: 7007)) == "other")
        #expect(caught(CancellationError()) == "other")
    }
}
