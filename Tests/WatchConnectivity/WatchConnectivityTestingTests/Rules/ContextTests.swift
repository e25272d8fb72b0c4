import Foundation
import Testing
import WatchConnectivity
import WatchConnectivityTesting

/// Rules R72–R88 with two sessions.
@Suite struct ContextTests {
    @Test func `of the updates that wait only the last one arrives`() throws {
        // R72, R74
        let duo = try Duo()
        duo.pair.link.cut()
        for number in 1...5 { try duo.pair.phone.updateApplicationContext(["n": number]) }
        duo.pair.link.heal()
        duo.pair.settle()
        #expect(numbers(duo.watch.contexts) == [5])
    }

    @Test func `with an app that runs each update arrives in order`() throws {
        // R73
        let duo = try Duo()
        for number in 1...11 {
            try duo.pair.phone.updateApplicationContext(["n": number])
            duo.pair.settle()
        }
        #expect(numbers(duo.watch.contexts) == Array(1...11))
    }

    @Test func `of the contexts that wait for a delegate the newest sixteen are delivered`() throws {
        // R72, R73
        let duo = try Duo()
        duo.pair.watch.delegate = nil
        for number in 1...40 {
            try duo.pair.phone.updateApplicationContext(["n": number])
            duo.pair.settle()
        }
        #expect(duo.pair.watch.hasContentPending)
        duo.pair.watch.delegate = duo.watch
        duo.pair.settle()
        #expect(numbers(duo.watch.contexts) == Array(25...40))
        #expect(duo.pair.watch.receivedApplicationContext["n"] as? Int == 40)
        #expect(!duo.pair.watch.hasContentPending)
        try duo.pair.phone.updateApplicationContext(["n": 41])
        duo.pair.settle()
        #expect(numbers(duo.watch.contexts).last == 41)
    }

    @Test func `the two contexts are independent, and each is up to date within the call`() throws {
        // R75, R76, R77
        let duo = try Duo()
        duo.watch.onCall = { session, name in
            guard name == "didReceiveApplicationContext" else { return }
            #expect(session.receivedApplicationContext["n"] as? Int == 1)
            #expect(session.applicationContext.isEmpty)
        }
        try duo.pair.phone.updateApplicationContext(["n": 1])
        #expect(duo.pair.phone.applicationContext["n"] as? Int == 1)
        #expect(duo.pair.phone.receivedApplicationContext.isEmpty)
        duo.pair.settle()
        #expect(numbers(duo.watch.contexts) == [1])
    }

    @Test func `a context that waited for the launch is delivered once after it, or twice if that is wanted`() throws {
        // R78, R79
        for isTwice in [false, true] {
            var behaviour = SessionBehaviour()
            behaviour.deliversLaunchContextTwice = isTwice
            let duo = try Duo(behaviour: behaviour)
            duo.relaunchAlike()
            duo.pair.watchDevice.isAppStartable = false
            duo.pair.watchDevice.app = .notRunning
            try duo.pair.phone.updateApplicationContext(["n": 1])
            duo.pair.settle()
            #expect(duo.watch.contexts.isEmpty)
            duo.pair.watchDevice.app = .foreground
            duo.pair.settle()
            #expect(numbers(duo.watch.contexts) == (isTwice ? [1, 1] : [1]))
        }
    }

    @Test func `an app that is installed again has no context, or the one before if that is wanted`() throws {
        // R157
        for isResent in [false, true] {
            var behaviour = SessionBehaviour()
            behaviour.resendsContextAfterReinstall = isResent
            let duo = try Duo(behaviour: behaviour)
            duo.relaunchAlike()
            try duo.pair.phone.updateApplicationContext(["n": 1])
            duo.pair.settle()
            duo.watch.clear()
            duo.pair.watchDevice.isAppInstalled = false
            duo.pair.settle()
            duo.pair.watchDevice.isAppInstalled = true
            duo.pair.watchDevice.app = .foreground
            duo.pair.settle()
            #expect(numbers(duo.watch.contexts) == (isResent ? [1] : []))
            #expect(duo.pair.phone.applicationContext.isEmpty == !isResent)
            if !isResent {
                // The same context is another one for the new installation, also after a restart of the phone.
                try duo.pair.phone.updateApplicationContext(["n": 1])
                duo.pair.settle()
                #expect(numbers(duo.watch.contexts) == [1])
            }
        }
    }

    @Test func `an empty context is one`() throws {
        // R82
        let duo = try Duo()
        try duo.pair.phone.updateApplicationContext(["n": 1])
        duo.pair.settle()
        try duo.pair.phone.updateApplicationContext([:])
        duo.pair.settle()
        #expect(duo.watch.contexts.count == 2 && duo.watch.contexts.last?.isEmpty == true)
        #expect(duo.pair.watch.receivedApplicationContext.isEmpty)
    }

    @Test func `a wrong context is thrown back, and the one before stays`() throws {
        // R83, R84, R144, R147, R149
        let duo = try Duo()
        try duo.pair.phone.updateApplicationContext(["n": 1])
        func code(_ context: [String: Any], _ session: WCSession) -> WCError.Code? {
            do {
                try session.updateApplicationContext(context)
                return nil
            } catch {
                return (error as? WCError)?.code
            }
        }
        #expect(code(["bad": NSNull()], duo.pair.phone) == .payloadUnsupportedTypes)
        #expect(code(["pad": Data(count: 262_145)], duo.pair.phone) == .payloadTooLarge)
        #expect(code(["pad": Data(count: 262_000)], duo.pair.watch) == nil)
        #expect(duo.pair.phone.applicationContext["n"] as? Int == 1)
        duo.pair.watchDevice.isAppInstalled = false
        duo.pair.settle()
        #expect(code(["n": 2], duo.pair.phone) == .watchAppNotInstalled)
        duo.pair.watchDevice.unpair()
        duo.pair.settle()
        #expect(code(["n": 2], duo.pair.phone) == .deviceNotPaired)
    }

    @Test func `a context wakes the watch's app, and waits for the phone's`() throws {
        // R87, R88
        let duo = try Duo()
        duo.relaunchAlike()
        duo.pair.watchDevice.app = .notRunning
        try duo.pair.phone.updateApplicationContext(["n": 1])
        duo.pair.settle()
        #expect(duo.pair.watchDevice.app == .background && numbers(duo.watch.contexts) == [1])
        duo.pair.phoneDevice.app = .notRunning
        try duo.pair.watch.updateApplicationContext(["n": 2])
        duo.pair.settle()
        #expect(duo.pair.phoneDevice.app == .notRunning && duo.phone.contexts.isEmpty)
        duo.pair.phoneDevice.app = .foreground
        duo.pair.settle()
        #expect(numbers(duo.phone.contexts) == [2])
    }

    @Test func `a context of exactly the limit arrives, and of one byte more is thrown back`() throws {
        // R147, R148, R149
        let duo = try Duo()
        try duo.pair.phone.updateApplicationContext(dictionary(ofByteCount: 262_144))
        let larger = try dictionary(ofByteCount: 262_145)
        let error = #expect(throws: WCError.self) { try duo.pair.phone.updateApplicationContext(larger) }
        #expect(error?.code == .payloadTooLarge)
        duo.pair.settle()
        #expect(duo.watch.contexts.count == 1)
        #expect((duo.watch.contexts.first?["texts"] as? [String])?.count == 100)
    }
}
