import Testing

@testable import SyncCore

/// Watches and hubs of several applications connect.
///
/// They recognise each other by application name before anything else is exchanged.
@Suite struct AppNameTests {
    private let watch = key(1)
    private let invitation = key(50)

    private func hello(of app: AppName?, nonce: UInt64 = 7, known: Version? = nil) -> Frame {
        Hello(
            nonce: nonce, wire: 1...1, schema: 1...1, name: "wrist", app: app, epoch: known?.epoch, known: known,
            window: 4
        ).frame
    }

    private func invited(_ hub: inout HubScript) {
        hub.feed(.invite(.init(number: 1), key: invitation, name: nil, validMilliseconds: 60_000), at: 0)
        hub.store(at: 0)
        _ = hub.claimDeeds()
    }

    @Test func `a watch of another application is not paired, and both hear why`() throws {
        var hub = HubScript()
        invited(&hub)
        let request = PairRequest(nonce: 3, key: watch, name: "wrist", app: "tars")
        hub.send(request.frame, invitation, connection(1), at: 1)
        let words = "this watch is of tars, this hub is of tests: pair the watch with a hub of tars"
        var events: [HubEngine.Event] = []
        var refusals: [Refusal] = []
        for output in hub.outputs {
            switch output {
            case .event(let event): events.append(event)
            case .send(let frame, connection(1)): refusals.append(try Refusal(frame))
            default: Issue.record("\(output)")
            }
        }
        let refusal = Refusal(code: .otherApp, text: words, retryAfterMilliseconds: 60_000)
        #expect(refusals == [refusal])
        #expect(events == [.refused(invitation, refusal)])
        #expect(hub.engine.watches.isEmpty)
        // The invitation is still valid, so the right watch can use it.
        hub.outputs = []
        hub.send(
            PairRequest(nonce: 4, key: watch, name: "wrist", app: testApp).frame, invitation, connection(2), at: 2)
        hub.store(at: 2)
        #expect(hub.engine.watches.map(\.watch.name) == ["wrist"])
    }

    @Test func `a watch that became another application gets no session, no snapshot, and forks nothing`() throws {
        var hub = HubScript()
        hub.pair(watch, at: 0)
        let before = hub.engine.version
        // It claims a version that the hub never had, which would begin a new epoch.
        hub.send(hello(of: "tars", known: version(99)), watch, connection(1), at: 1)
        let sent = hub.claimDeeds()
        #expect(sent.count == 1)
        guard case .send(let frame, connection(1))? = sent.first else {
            Issue.record("\(sent)")
            return
        }
        #expect(try Refusal(frame).code == .otherApp)
        #expect(hub.engine.version == before)
        hub.feed(.publish(register("a", 1)), at: 2)
        #expect(hub.claimDeeds().isEmpty)
        // With its correct name it is accepted.
        hub.send(hello(of: testApp), watch, connection(1), at: 3)
        #expect(hub.outputs.contains { if case .send(let frame, _) = $0 { frame.kind == .welcome } else { false } })
    }

    @Test(
        arguments: [
            ("tests", "tests", nil, true), ("tests", "tests", "tests", true), ("tests", "tests", "tars", false),
            ("tars", "tests", nil, false), ("tars", "tests", "tests", false), ("tars", "tests", "tars", true),
        ] as [(AppName, AppName, AppName?, Bool)])
    func `a watch that names no application is taken for one of those of before there were names`(
        _ hubApp: AppName, _ unnamed: AppName, _ app: AppName?, _ isTaken: Bool
    ) {
        var engine = HubEngine(
            configuration: .init(app: hubApp, unnamedApp: unnamed, schema: schema),
            state: LedgerState(newEpoch: Epoch(number: 1)), seed: 1, at: moment(0))
        var codes: [Refusal.Code] = []
        var isWelcome = false
        func feed(_ input: HubEngine.Input) {
            engine.handle(input, at: moment(1))
            var groups: [[Transaction]] = []
            while let output = engine.nextOutput() {
                switch output {
                case .persist(let group): groups.append(group)
                case .event(.refused(_, let refusal)): codes.append(refusal.code)
                case .send(let frame, _): isWelcome = isWelcome || frame.kind == .welcome
                default: break
                }
            }
            for group in groups { feed(.persisted(group)) }
        }
        func send(_ frame: Frame, _ peer: PeerKey) {
            feed(.received(parts: FrameCodec.parts(of: frame), connection: connection(1), peer: peer))
        }
        feed(.invite(.init(number: 1), key: invitation, name: nil, validMilliseconds: 60_000))
        send(PairRequest(nonce: 1, key: watch, name: "wrist", app: app).frame, invitation)
        #expect(engine.watches.count == (isTaken ? 1 : 0))
        send(hello(of: app), watch)
        #expect(isWelcome == isTaken)
        #expect(codes == (isTaken ? [] : [.otherApp, .notPaired]))
    }

    @Test func `a watch says its application in both of its first words`() throws {
        var watch = WatchScript()
        watch.feed(.connected, at: 0)
        #expect(try Hello(#require(watch.claimFrames().first)).app == testApp)
        var client = PairingClient(key: key(1), name: "wrist", app: "tars", seed: 1)
        guard case .send(let frame) = client.connected(now: instant(0)) else {
            Issue.record("it did not ask")
            return
        }
        #expect(try PairRequest(frame).app == "tars")
    }

    @Test(arguments: ["", "Tars", "a-b", "a b", "é", "a\u{1B}", String(repeating: "a", count: 65)])
    func `what is not an application name is a fault of the frame`(_ text: String) throws {
        #expect(AppName(text) == nil)
        for frame in [hello(of: nil), PairRequest(nonce: 1, key: watch, name: "w").frame] {
            var changed = frame
            changed.body = Array("{\"app\":".utf8) + JSONValue.string(text).encoded + [UInt8(ascii: ",")]
            changed.body += frame.body.dropFirst()
            #expect(throws: FrameError.self) {
                if frame.kind == .hello { _ = try Hello(changed) } else { _ = try PairRequest(changed) }
            }
        }
        #expect([String(repeating: "a", count: 64), "com.example.tars2"].allSatisfy { AppName($0) != nil })
    }
}
