import CommandSupport
import Commands
import Testing

@testable import poolsensors

@Suite struct CatalogTests {
    private static let environment = ["HOME": "/users/me"]

    @Test func `no two settings share a key, a variable, or a flag of one command`() {
        let entries = Catalog.all
        #expect(Set(entries.map(\.key)).count == entries.count)
        #expect(Set(entries.map(\.variable)).count == entries.count)
        for command in ["hub", "pair", "watch", "probe", "demo"] {
            let flags = entries.filter { $0.key.hasPrefix(command + ".") }.compactMap(\.flag)
            #expect(Set(flags).count == flags.count, "of \(command)")
        }
    }

    @Test func `every default is what the setting expects`() {
        for entry in Catalog.all {
            if let text = entry.fallback(Self.environment) {
                #expect(entry.isReadable(text), "\(entry.key) is \(text)")
            } else {
                #expect(!entry.absence.isEmpty, "\(entry.key) has no word for being absent")
            }
        }
    }

    @Test func `a secret has no flag, because every user of the machine can read the arguments`() {
        for entry in Catalog.all where entry.isSecret { #expect(entry.flag == nil) }
        #expect(Catalog.probePassword.entry.isSecret)
    }

    @Test(arguments: [
        ("hub.listen", "POOLSENSORS_HUB_LISTEN"), ("probe.caFile", "POOLSENSORS_PROBE_CA_FILE"),
        ("probe.topicPrefix", "POOLSENSORS_PROBE_TOPIC_PREFIX"), ("log.level", "POOLSENSORS_LOG_LEVEL"),
        ("state", "POOLSENSORS_STATE"),
    ])
    func `a variable is named after its key`(key: String, variable: String) throws {
        #expect(try #require(Catalog.all.first { $0.key == key }).variable == variable)
    }

    @Test func `the state goes to the user's folder for state`() {
        #expect(StateFolders.standardPath(["HOME": "/users/me"]) == "/users/me/.local/state/poolsensors")
        #expect(StateFolders.standardPath(["HOME": "/h", "XDG_STATE_HOME": "/var/s"]) == "/var/s/poolsensors")
        #expect(StateFolders.standardPath(["HOME": "/h", "XDG_STATE_HOME": "here"]) == "/h/.local/state/poolsensors")
    }
}
