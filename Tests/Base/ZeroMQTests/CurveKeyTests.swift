import Testing

@testable import ZeroMQ

@Suite struct CurveKeyTests {
    // The test vector of RFC 32, and the keys of the libzmq manual page zmq_curve(7).
    @Test func `Z85 writes and reads the known vectors`() throws {
        #expect(Z85.encode([0x86, 0x4F, 0xD2, 0x6F, 0xB5, 0x59, 0xF7, 0x5B]) == "HelloWorld")
        #expect(Z85.decode("HelloWorld") == [0x86, 0x4F, 0xD2, 0x6F, 0xB5, 0x59, 0xF7, 0x5B])
        #expect(Z85.encode([]) == "")
        #expect(Z85.decode("") == [])
        #expect(Z85.encode([255, 255, 255, 255]) == "%nSc0")
        #expect(Z85.decode("%nSc0") == [255, 255, 255, 255])
        // zmq_curve(7): client public key, in binary and in Z85.
        let binary: [UInt8] = [
            0xBB, 0x88, 0x47, 0x1D, 0x65, 0xE2, 0x65, 0x9B, 0x30, 0xC5, 0x5A, 0x53, 0x21, 0xCE, 0xBB, 0x5A,
            0xAB, 0x2B, 0x70, 0xA3, 0x98, 0x64, 0x5C, 0x26, 0xDC, 0xA2, 0xB2, 0xFC, 0xB4, 0x3F, 0xC5, 0x18,
        ]
        #expect(try CurvePublicKey(bytes: binary).z85 == "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID")
    }

    @Test(arguments: ["Hell", "HelloWorl", "Hell o", "Hell~", "Hell\"", "%nSc1", "#####", "Hellö"])
    func `what is not Z85 is not decoded`(text: String) {
        #expect(Z85.decode(text) == nil)
    }

    @Test func `a key of the wrong length or alphabet is refused, without repeating it`() {
        #expect(throws: CurveKeyError.wrongByteCount(31)) {
            try CurvePublicKey(bytes: [UInt8](repeating: 0, count: 31))
        }
        #expect(throws: CurveKeyError.wrongByteCount(33)) {
            try CurveSecretKey(bytes: [UInt8](repeating: 0, count: 33))
        }
        #expect(throws: CurveKeyError.wrongCharacterCount(39)) {
            try CurveSecretKey(z85: String(repeating: "a", count: 39))
        }
        #expect(throws: CurveKeyError.wrongCharacterCount(41)) {
            try CurvePublicKey(z85: String(repeating: "a", count: 41))
        }
        #expect(throws: CurveKeyError.notZ85) { try CurveSecretKey(z85: String(repeating: "#", count: 40)) }
        #expect(throws: CurveKeyError.notZ85) { try CurvePublicKey(z85: String(repeating: " ", count: 40)) }
    }

    @Test func `a new pair belongs together, and no two are alike`() throws {
        let pair = try CurveKeyPair()

        #expect(try pair.secretKey.publicKey() == pair.publicKey)
        #expect(try CurveKeyPair(secretKey: pair.secretKey) == pair)
        #expect(try CurvePublicKey(z85: pair.publicKey.z85) == pair.publicKey)
        #expect(try CurveSecretKey(z85: pair.secretKey.z85) == pair.secretKey)
        #expect(try CurveSecretKey(bytes: pair.secretKey.bytes) == pair.secretKey)
        #expect(try CurveKeyPair() != pair)
        #expect(try CurveKeyPair().secretKey != pair.secretKey)
    }

    @Test func `a secret key is never printed`() throws {
        let pair = try CurveKeyPair()
        let key = pair.secretKey
        var options = SocketOptions()
        options.security = .curveClient(keyPair: pair, serverKey: pair.publicKey)
        var server = SocketOptions()
        server.security = .curveServer(secretKey: key, zapDomain: "pool")

        var texts = ["\(key)", String(describing: key), String(reflecting: key), "\(pair)", "\([key])"]
        texts += ["\(options)", String(reflecting: options), "\(server)", String(reflecting: server)]
        for value: Any in [key, pair, options, server, Optional(key) as Any] {
            var text = ""
            dump(value, to: &text)
            texts.append(text)
        }

        for text in texts {
            #expect(!text.contains(key.z85))
            let numbers = text.split { !$0.isNumber }.compactMap { UInt8($0) }
            #expect(numbers.firstRange(of: key.bytes.prefix(4)) == nil)
        }
        #expect(texts[0] == "CurveSecretKey(hidden)")
    }
}
