import Testing

@testable import WebServer

/// Which passwords are accepted, and how they are stored.
@Suite struct PasswordTests {
    @Test(arguments: ["short", "password123", "P@ssword123", "qwertyuiop", "1234567890", "Plover Hill", "motdepasse1"])
    func `a password that anybody tries first is refused`(_ password: String) throws {
        #expect(throws: Problem.self) {
            try PasswordHash.check(
                password, name: "Plover Hill", member: "password", words: ["lamps"])
        }
    }

    @Test func `the list of common passwords has a thousand that are long enough to be refused by it`() {
        #expect(CommonPasswords.all.count == CommonPasswords.count)
        #expect(CommonPasswords.all.allSatisfy { $0.count >= PasswordHash.characterCountMin })
    }

    @Test func `a stored password is another one for each person, and of no other kind`() throws {
        let password = "plover hill 42"
        let (first, second) = (try PasswordHash(password), try PasswordHash(password))
        #expect(first.text != second.text && first.text.hasPrefix("$scrypt$ln=15,r=8,p=3$"))
        #expect(try PasswordHash(text: first.text)?.matches(password) == true)
        #expect(try PasswordHash(text: first.text)?.matches(password + " ") == false)
        #expect(PasswordHash(text: "$scrypt$ln=20,r=8,p=3$AAAA$AAAA") == nil)
        #expect(PasswordHash(text: first.text + "$") == nil)
    }
}
