import Testing

@testable import SyncCore

/// The digest compared with published values, and the input of derived names.
@Suite struct SHA256Tests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `the digests are those of the standard`(text: String, digest: String) {
        #expect(Hexadecimal.text(SHA256.digest(Array(text.utf8))) == digest)
    }

    @Test func `texts of every length around a block have the right digest`() {
        // The expected digest is that of the 200 digests, computed by another implementation.
        let digests = (0..<200).flatMap { count in SHA256.digest((0..<count).map { UInt8($0 % 251) }) }
        #expect(
            Hexadecimal.text(SHA256.digest(digests))
                == "ba7b0fcea7d10c06b855b43d2b4dce1e3e842fff6be0acefb0faf4f2dd05bb47")
    }

    @Test func `what is fed does not run into each other`() {
        func name(_ kind: String, _ texts: [String?]) -> RandomID {
            var name = DerivedName(kind)
            for text in texts { name.feed(text) }
            return name.id
        }
        let names = [
            name("a", []), name("a", [""]), name("a", [nil]), name("a", ["b", "c"]), name("a", ["bc"]),
            name("a", ["bc", ""]), name("ab", ["c"]), name("a", ["b", nil, "c"]),
        ]
        #expect(Set(names).count == names.count)
        #expect(name("a", ["b"]) == name("a", ["b"]))
    }
}
