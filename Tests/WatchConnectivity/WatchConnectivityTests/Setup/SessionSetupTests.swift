import Testing

@testable import WatchConnectivity

@Suite struct SessionSetupTests {
    private let least = ["WATCHCONNECTIVITY_SIDE": "watch", "WATCHCONNECTIVITY_STATE": "/state"]

    private func with(_ name: String, _ value: String?) -> [String: String] {
        var environment = least
        environment["WATCHCONNECTIVITY_" + name] = value
        return environment
    }

    private func refusal(of environment: [String: String]) -> SessionSetupError? {
        do throws(SessionSetupError) {
            _ = try SessionSetup(environment: environment)
            return nil
        } catch {
            return error
        }
    }

    @Test func `without variables there is no setup`() throws {
        // T11
        #expect(try SessionSetup(environment: [:]) == nil)
        #expect(try SessionSetup(environment: ["WATCHCONNECTIVITY_TRACE": "stderr", "PATH": "/bin"]) == nil)
    }

    @Test func `side and state folder are enough`() throws {
        let setup = try #require(try SessionSetup(environment: least))
        #expect(setup == SessionSetup(side: .watch, stateFolder: "/state"))
        #expect(setup.name == "watch")
        #expect(setup.appState == .foreground)
    }

    @Test func `every variable is read`() throws {
        let setup = try #require(
            try SessionSetup(environment: [
                "WATCHCONNECTIVITY_SIDE": "phone", "WATCHCONNECTIVITY_STATE": "/state",
                "WATCHCONNECTIVITY_NAME": "my phone", "WATCHCONNECTIVITY_MEETING": "/meet",
                "WATCHCONNECTIVITY_APP": "com.example.laps",
                "WATCHCONNECTIVITY_ENDPOINT": "tcp://127.0.0.1:7100", "WATCHCONNECTIVITY_INVITATION_FILE": "/code",
                "WATCHCONNECTIVITY_HEARTBEAT": "250ms", "WATCHCONNECTIVITY_PATIENCE": "3s",
                "WATCHCONNECTIVITY_DEVICE": "notInstalled,locked,signals,suspended",
                "WATCHCONNECTIVITY_BEHAVIOUR":
                    "replyTimeout=2s,replaysContexts,callsErrorHandlerTwice=off,drainOrderSeed=7,userInfoByteCountMax=99",
                "WATCHCONNECTIVITY_TRACE": "/trace",
            ]))

        var expected = SessionSetup(side: .phone, stateFolder: "/state", meetingFolder: "/meet")
        expected.name = "my phone"
        expected.app = "com.example.laps"
        expected.endpoint = "tcp://127.0.0.1:7100"
        expected.invitationFile = "/code"
        expected.heartbeat = .milliseconds(250)
        expected.patience = .seconds(3)
        expected.isAppInstalled = false
        expected.isLocked = true
        expected.obeysSignals = true
        expected.appState = .suspended
        expected.behaviour.replyTimeout = .seconds(2)
        expected.behaviour.replaysContexts = true
        expected.behaviour.drainOrderSeed = 7
        expected.behaviour.userInfoByteCountMax = 99
        expected.trace = .file("/trace")
        #expect(setup == expected)
    }

    @Test func `a variable that is none of the module's is found`() {
        let environment = least.merging(
            ["WATCHCONNECTIVITY_SIED": "phone", "WATCHCONNECTIVITY_PROGRAMS": "1+9", "PATH": "/bin"]) { $1 }
        #expect(SessionSetup.unknownVariables(in: environment) == ["WATCHCONNECTIVITY_SIED"])
        let all = Dictionary(uniqueKeysWithValues: SessionSetupError.Key.allCases.map { ($0.rawValue, "1") })
        #expect(SessionSetup.unknownVariables(in: all) == [])
    }

    @Test func `what is missing is named`() {
        #expect(refusal(of: ["WATCHCONNECTIVITY_STATE": "/state"]) == .missing(.side))
        #expect(refusal(of: ["WATCHCONNECTIVITY_SIDE": "phone"]) == .missing(.stateFolder))
    }

    @Test(arguments: [
        ("SIDE", "tablet"), ("APP", "My-App"), ("HEARTBEAT", "often"), ("HEARTBEAT", "1ms"),
        ("ENDPOINT", "tcp://127.0.0.1:1"),
        ("INVITATION_FILE", "/code"), ("MEETING", "/state"), ("DEVICE", "asleep"), ("BEHAVIOUR", "speed=1"),
        ("BEHAVIOUR", "replyTimeout"), ("BEHAVIOUR", "replyTimeout=2h"), ("BEHAVIOUR", "replyTimeout=0ms"),
        ("BEHAVIOUR", "replaysContexts=maybe"), ("BEHAVIOUR", "contextByteCountMax=0"),
        ("BEHAVIOUR", "secondsFromUTC=50401"),
    ])
    func `what cannot be used is named with the way out`(_ name: String, _ value: String) throws {
        let fault = try #require(refusal(of: with(name, value)))
        #expect("\(fault)".hasPrefix("WATCHCONNECTIVITY_\(name) cannot be \""))
        // A time is shown in its own words.
        let shown = value.hasSuffix("ms") ? "seconds" : name == "MEETING" ? "/state" : value
        #expect("\(fault)".contains(shown))
    }

    @Test func `a code is not repeated in an error`() {
        var environment = with("INVITATION", "secret-code")
        environment["WATCHCONNECTIVITY_SIDE"] = "phone"
        let fault = refusal(of: environment)
        #expect(fault != nil)
        #expect(!"\(fault as Any)".contains("secret-code"))
    }
}
