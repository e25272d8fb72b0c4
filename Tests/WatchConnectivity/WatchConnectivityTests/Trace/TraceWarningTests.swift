import Foundation
import Testing

@testable import WatchConnectivity

/// What a developer should look at is named (P5, P6, P8, P15).
@Suite struct TraceWarningTests {
    private final class Least: NSObject, WCSessionDelegate {
        func session(_ session: WCSession, activationDidCompleteWith: WCSessionActivationState, error: (any Error)?) {}
    }

    private func warnings(_ body: (WCSession) throws -> Void) rethrows -> [String] {
        let (device, delegate) = (FakeDevice(.phone), Least())
        let session = device.session()
        session.delegate = delegate
        session.activate()
        device.settle()
        try body(session)
        device.settle()
        withExtendedLifetime(delegate) {}
        return device.environment.traced.compactMap { event in
            guard case .warning(let words) = event else { return nil }
            return words
        }
    }

    @Test func `a failed message without an error handler is named`() {
        // P5
        let found = warnings { $0.sendMessage(["a": 1], replyHandler: nil) }
        #expect(found.contains { $0.contains("7007") && $0.contains("errorHandler") })
    }

    @Test func `a failed transfer that nobody hears of is named with the missing method`() {
        // P5, P6, R104
        let found = warnings { $0.transferUserInfo(["a": NSNull()]) }
        #expect(found.contains { $0.contains("7010") && $0.contains("session(_:didFinish:error:)") })
    }

    @Test func `an equal context that is dropped is named`() throws {
        // P8, R81
        let found = try warnings { session in
            try session.updateApplicationContext(["a": 1])
            try session.updateApplicationContext(["a": 1])
        }
        #expect(found.contains { $0.contains("equals") })
    }

    @Test func `a value that cannot be sent is named with its place`() {
        // P15
        let found = warnings { session in
            session.sendMessage(["a": ["b": [1, 2, NSNull()]]], replyHandler: nil) { _ in }
        }
        #expect(found.contains { $0.contains("a.b[2]") && $0.contains("NSNull") })
    }

    @Test func `nothing is warned of where nothing is wrong`() throws {
        #expect(try warnings { try $0.updateApplicationContext(["a": 1]) }.isEmpty)
    }
}
