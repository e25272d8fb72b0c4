import Testing
import Text

@testable import WebServer

/// Which accounts are known without a look into the file.
@Suite struct KnownAccountsTests {
    private static let now = Timestamp(milliseconds: 1_780_000_000_000)

    private func entry(_ name: String, expires: Timestamp? = nil) -> KnownAccounts.Entry {
        let account = Account(
            kind: .token, userID: name, name: name, role: .member, grants: [], key: "token \(name)", expires: expires)
        return KnownAccounts.Entry(account: account, lastUsed: 0)
    }

    @Test func `an account counts until anything about the accounts changes`() {
        let known = KnownAccounts()
        #expect(known.entry(of: "a", in: 0, at: Self.now) == nil)
        known.keep(entry("Ada"), of: "a", in: 0)
        #expect(known.entry(of: "a", in: 0, at: Self.now)?.account.name == "Ada")
        #expect(known.entry(of: "b", in: 0, at: Self.now) == nil)
        // What was revoked in between is asked for again.
        #expect(known.entry(of: "a", in: 1, at: Self.now) == nil)
        known.keep(entry("Ben"), of: "b", in: 1)
        #expect(known.entry(of: "a", in: 1, at: Self.now) == nil)
        #expect(known.entry(of: "b", in: 1, at: Self.now)?.account.name == "Ben")
    }

    @Test func `what was read before a change is not kept after it`() {
        let known = KnownAccounts()
        known.keep(entry("Ben"), of: "b", in: 2)
        known.keep(entry("Ada"), of: "a", in: 1)
        #expect(known.entry(of: "a", in: 1, at: Self.now) == nil)
        #expect(known.entry(of: "a", in: 2, at: Self.now) == nil)
        #expect(known.entry(of: "b", in: 2, at: Self.now) != nil)
    }

    @Test func `an account that has ended is asked for again, and their number is limited`() {
        let known = KnownAccounts()
        known.keep(entry("Ada", expires: Self.now.advanced(byMilliseconds: 1)), of: "a", in: 0)
        #expect(known.entry(of: "a", in: 0, at: Self.now) != nil)
        #expect(known.entry(of: "a", in: 0, at: Self.now.advanced(byMilliseconds: 1)) == nil)
        for number in 0..<1024 { known.keep(entry("Ben"), of: "\(number)", in: 0) }
        #expect(known.entry(of: "a", in: 0, at: Self.now) == nil)
        #expect(known.entry(of: "1023", in: 0, at: Self.now) != nil)
    }
}
