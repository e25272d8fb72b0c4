import SyncLink
import Testing
import ZeroMQ

@Suite struct InvitationCodeTests {
    @Test(arguments: ["tcp://127.0.0.1:7654", "tcp://[::1]:1", "ipc:///tmp/a-b-c"])
    func `a code survives its text`(_ endpoint: String) throws {
        let code = InvitationCode(
            endpoint: try Endpoint(endpoint), hubKey: try CurveKeyPair().publicKey,
            secret: try CurveKeyPair().secretKey)
        let read = try InvitationCode(" \(code.text)\n")
        #expect(read.text == code.text)
        #expect(read.endpoint == code.endpoint)
        #expect(read.hubKey == code.hubKey)
        #expect(read.secret == code.secret)
    }

    @Test func `each changed character is noticed, and the secret is not repeated`() throws {
        let code = InvitationCode(
            endpoint: try Endpoint("tcp://127.0.0.1:7654"), hubKey: try CurveKeyPair().publicKey,
            secret: try CurveKeyPair().secretKey)
        let text = Array(code.text)
        for position in text.indices {
            var changed = text
            changed[position] = changed[position] == "0" ? "1" : "0"
            let error = #expect(throws: LinkError.self) { try InvitationCode(String(changed)) }
            #expect(error.map { !"\($0)".contains(code.text.split(separator: "-")[2]) } == true)
        }
    }

    @Test(arguments: ["", "psw1", "psw1-a-b-c-d", "hello world"])
    func `other texts are no codes`(_ text: String) {
        #expect(throws: LinkError.self) { try InvitationCode(text) }
    }
}
