import Testing
import Text

@testable import PINPairing

/// The vectors of draft-irtf-cfrg-cpace-21, appendix "Test vector for CPace using group ristretto255 and hash SHA-512".
@Suite struct CPaceTests {
    private static let session = bytes("7e4b4791d6a8ef019b936c79fb7f2c57")
    private static let channel = bytes("0b415f696e69746961746f720b425f726573706f6e646572")
    private static let password = Array("Password".utf8)
    private static let firstScalar = bytes("da3d23700a9e5699258aef94dc060dfda5ebb61f02a5ea77fad53f4ff0976d08")
    private static let secondScalar = bytes("d2316b454718c35362d83d69df6320f38578ed5984651435e2949762d900b80d")
    private static let firstShare = bytes("d6bac480f2c386c394efc7c47adb9925dcd2630b64f240c50f8d0eec482b9157")
    private static let secondShare = bytes("3ea7e0b19560d7c0b0f5734f63b955286dfa8232b5ebe63324e2d9e7433f7258")
    private static let secret = bytes("80b69a8a76457ab6a4d7f887a4bf6b55a2f80ac19c333f917a05fc9887c8b40f")

    private static func bytes(_ digits: String) -> [UInt8] { Hexadecimal.bytes(digits) ?? [] }

    @Test func `T40 the published vectors give the generator`() {
        let text = CPace.generatorText(password: Self.password, channel: Self.channel, session: Self.session)
        let zeros = String(repeating: "00", count: 100)
        #expect(
            Hexadecimal.text(text)
                == "11435061636552697374726574746f3235350850617373776f726464\(zeros)"
                + "180b415f696e69746961746f720b425f726573706f6e646572107e4b4791d6a8ef019b936c79fb7f2c57")
        #expect(text.count == 170)
        #expect(
            Hexadecimal.text(CPace.hash(text))
                == "da6d3ddc8802fca9058755ffd3ebde08a9c2c74945901a258482a288b6663af0"
                + "6bf645c93cd1c51512307199c80e84908916d983b34af77205f90851a657ee27")
        #expect(
            Hexadecimal.text(
                CPace.generator(password: Self.password, channel: Self.channel, session: Self.session))
                == "222b6b195fe84b1652badb6f6a3ae3d24341e7306967f0b8115b40d5698c7e56")
    }

    @Test func `T40 the published vectors give both shares, the secret and the key`() {
        let generator = CPace.generator(password: Self.password, channel: Self.channel, session: Self.session)
        #expect(CPace.multiply(Self.firstScalar, generator) == Self.firstShare)
        #expect(CPace.multiply(Self.secondScalar, generator) == Self.secondShare)
        #expect(CPace.multiply(Self.firstScalar, Self.secondShare) == Self.secret)
        #expect(CPace.multiply(Self.secondScalar, Self.firstShare) == Self.secret)
        let key = CPace.key(
            session: Self.session, secret: Self.secret, first: CPace.joined(Self.firstShare, Array("ADa".utf8)),
            second: CPace.joined(Self.secondShare, Array("ADb".utf8)))
        #expect(
            Hexadecimal.text(key)
                == "b69effbf61b51d56401c0f65601abe428de8206feaaf0e32198896dcae7b35cd"
                + "2b38950a39dfd5d4a79164614c2984f7daa460b588c1e80c3fa2068af7900447")
    }

    @Test func `T40 what is no point, and the neutral element, give nothing`() {
        let scalar = Self.bytes("7cd0e075fa7955ba52c02759a6c90dbbfc10e6d40aea8d283e407d88cf538a05")
        #expect(
            CPace.multiply(scalar, Self.bytes("2c3c6b8c4f3800e7aef6864025b4ed79bd599117e427c41bd47d93d654b4a51c"))
                == Self.bytes("7c13645fe790a468f62c39beb7388e541d8405d1ade69d1778c5fe3e7f6b600e"))
        #expect(
            CPace.multiply(scalar, Self.bytes("2b3c6b8c4f3800e7aef6864025b4ed79bd599117e427c41bd47d93d654b4a51c"))
                == nil)
        #expect(CPace.multiply(scalar, [UInt8](repeating: 0, count: 32)) == nil)
        #expect(CPace.multiply(scalar, []) == nil)
        #expect(CPace.multiply([], Self.firstShare) == nil)
    }

    @Test(arguments: [(0, "00"), (127, "7f"), (128, "8001"), (300, "ac02")])
    func `a length is written in LEB128`(count: Int, prefix: String) {
        let joined = CPace.joined([UInt8](repeating: 7, count: count))
        #expect(joined == Self.bytes(prefix) + [UInt8](repeating: 7, count: count))
    }

    @Test func `HMAC is that of RFC 4231, cases 1 and 2`() {
        #expect(
            Hexadecimal.text(CPace.authenticate(Array("Hi There".utf8), with: [UInt8](repeating: 0x0B, count: 20)))
                == "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
                + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854")
        #expect(
            Hexadecimal.text(
                CPace.authenticate(Array("what do ya want for nothing?".utf8), with: Array("Jefe".utf8)))
                == "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737")
    }

    @Test func `a scalar has 252 bits`() {
        #expect(CPace.scalar([UInt8](repeating: 0xFF, count: 32)).last == 0x0F)
    }
}
