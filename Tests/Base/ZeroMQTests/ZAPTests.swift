import Testing

@testable import ZeroMQ

@Suite struct ZAPTests {
    private static let key = [UInt8](repeating: 7, count: 32)

    private static func request(
        version: String = "1.0", mechanism: String = "CURVE", credentials: [[UInt8]] = [key]
    ) -> [[UInt8]] {
        frames(version, "id", "pool", "127.0.0.1", "watch-99", mechanism) + credentials
    }

    @Test func `a request is read frame by frame`() throws {
        let request = try ZAPRequest(frames: Self.request())

        #expect(request.requestID == Array(text: "id"))
        #expect(request.domain == "pool")
        #expect(request.address == "127.0.0.1")
        #expect(request.credentials == .curve(try CurvePublicKey(bytes: Self.key)))
        #expect(try ZAPRequest(frames: Self.request(mechanism: "NULL", credentials: [])).credentials == .none)
    }

    @Test func `a password is not kept`() throws {
        let request = try ZAPRequest(
            frames: Self.request(mechanism: "PLAIN", credentials: frames("user", "password")))

        #expect(request.credentials == .other(mechanism: "PLAIN"))
        #expect(!"\(request)".contains("password"))
    }

    @Test func `what is no request is refused with the reason`() {
        #expect(throws: ZAPRequestError.tooFewFrames(0)) { try ZAPRequest(frames: []) }
        #expect(throws: ZAPRequestError.tooFewFrames(5)) {
            try ZAPRequest(frames: Array(Self.request().prefix(5)))
        }
        #expect(throws: ZAPRequestError.unknownVersion(Array(text: "2.0"))) {
            try ZAPRequest(frames: Self.request(version: "2.0"))
        }
        #expect(throws: ZAPRequestError.invalidCurveKey) { try ZAPRequest(frames: Self.request(credentials: [])) }
        #expect(throws: ZAPRequestError.invalidCurveKey) {
            try ZAPRequest(frames: Self.request(credentials: [Self.key, Self.key]))
        }
        #expect(throws: ZAPRequestError.invalidCurveKey) {
            try ZAPRequest(frames: Self.request(credentials: [Array(Self.key.dropLast())]))
        }
    }

    @Test func `replies have the six frames of RFC 27`() throws {
        let request = try ZAPRequest(frames: Self.request())

        #expect(ZAPReply.allow(request, userID: "watch-7").frames == frames("1.0", "id", "200", "OK", "watch-7", ""))
        #expect(ZAPReply.deny(request).frames == frames("1.0", "id", "400", "not allowed", "", ""))
        let failure = ZAPReply.internalError(requestID: request.requestID, text: "no list")
        #expect(failure.frames == frames("1.0", "id", "500", "no list", "", ""))
    }

    @Test func `a user id that libzmq would cut traps`() async {
        await #expect(processExitsWith: trap) {
            let request = try ZAPRequest(frames: frames("1.0", "", "", "", "", "NULL"))
            _ = ZAPReply.allow(request, userID: String(repeating: "x", count: 256))
        }
        await #expect(processExitsWith: trap) {
            let request = try ZAPRequest(frames: frames("1.0", "", "", "", "", "NULL"))
            _ = ZAPReply.allow(request, userID: "")
        }
    }

    @Test func `any frames give a request or an error`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let garbage = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                (0..<Int.random(in: 0...40, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
                }
            }
            #expect(throws: ZAPRequestError.self) { try ZAPRequest(frames: garbage) }
            // Half right: the version fits, the rest is noise; both endings are fine.
            let request = try? ZAPRequest(frames: [Array(text: "1.0")] + garbage)
            #expect(request == nil || garbage.count >= 5)
            let event = MonitorEvent(frames: garbage)
            #expect(event == nil || garbage.count == 2)
        }
    }
}
