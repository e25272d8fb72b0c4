import SyncCore
import SyncTransport
import Testing
import ZeroMQ

@Suite struct InvitationCodeTests {
    @Test(arguments: ["tcp://127.0.0.1:7654", "tcp://[::1]:1", "ipc:///tmp/a-b-c"])
    func `a code survives its text`(_ endpoint: String) throws {
        let code = InvitationCode(
            app: "tars", endpoint: try Endpoint(endpoint), hubKey: try CurveKeyPair().publicKey,
            secret: try CurveKeyPair().secretKey)
        let read = try InvitationCode(" \(code.text)\n")
        #expect(code.text.hasPrefix("psw2-tars-"))
        #expect(read.text == code.text)
        #expect(read.app == "tars")
        #expect(read.endpoint == code.endpoint)
        #expect(read.hubKey == code.hubKey)
        #expect(read.secret == code.secret)
    }

    @Test func `each changed character is noticed, and the secret is not repeated`() throws {
        let code = InvitationCode(
            app: "tars", endpoint: try Endpoint("tcp://127.0.0.1:7654"), hubKey: try CurveKeyPair().publicKey,
            secret: try CurveKeyPair().secretKey)
        let text = Array(code.text)
        for position in text.indices {
            var changed = text
            changed[position] = changed[position] == "0" ? "1" : "0"
            let error = #expect(throws: LinkError.self) { try InvitationCode(String(changed)) }
            #expect(error.map { !"\($0)".contains(code.text.split(separator: "-")[2]) } == true)
        }
    }

    @Test func `a code of before there were names of applications is read, and can be written`() throws {
        let digits = String(repeating: "00112233445566778899aabbccddeeff", count: 2)
        // The check digits were computed by another program.
        let text = "psw1-\(digits)-\(digits)-9ab66e46-tcp://192.168.1.20:7654"
        var code = try InvitationCode(text)
        #expect(code.app == nil)
        #expect(code.endpoint.text == "tcp://192.168.1.20:7654")
        #expect(code.text == text)
        code.app = "poolsensors"
        let named = try InvitationCode(code.text)
        #expect(named.app == "poolsensors" && named.secret == code.secret)
    }

    @Test func `an invitation of another application is refused before anybody is asked, by name`() async throws {
        let keys = try CurveKeyPair()
        let code = InvitationCode(
            app: "poolsensors", endpoint: try Endpoint("tcp://127.0.0.1:1"), hubKey: keys.publicKey,
            secret: keys.secretKey)
        let error = await #expect(throws: LinkError.self) {
            try await PairingTransport.pair(
                code, as: keys.publicKey, name: "wrist", app: "tars", patience: .seconds(3600))
        }
        #expect(error == .otherApp(watch: "tars", hub: "poolsensors"))
        #expect(
            error.map { "\($0)" }
                == "this watch is of tars, the hub of this invitation is of poolsensors: ask a hub of tars for one")
    }

    @Test(arguments: ["", "psw1", "psw1-a-b-c-d", "psw2-tars-a-b-c-d", "hello world"])
    func `other texts are no codes`(_ text: String) {
        #expect(throws: LinkError.self) { try InvitationCode(text) }
    }
}
