import PoolSamples
import Testing

@testable import PoolModel

@Suite struct PoolConfigurationTests {
    @Test func `P10 servers are added, edited and removed`() throws {
        let one = try PoolConfiguration().adding(home)
        var edited = home
        edited.host = "other.example"

        let two = try one.replacing(edited)
        #expect(two.servers == [edited])
        #expect(try two.removing(server: home.id) == PoolConfiguration())
    }

    @Test func `P2 the identity survives the edit of every other field`() throws {
        let edited = Server(
            id: home.id, name: "X", host: "x", port: 1, username: nil, usesTLS: false, caFile: nil, protocolVersion: .v3
        )

        let configuration = try sampleConfiguration().replacing(edited)

        #expect(configuration.server(home.id) == edited)
        #expect(configuration.devices(of: home.id).map(\.name) == ["Lagoon", "Spa"])
    }

    @Test func `servers and devices come sorted by name, then identity, whatever the order of adding`() throws {
        let twin = Device(id: deviceID(0), name: "Twin", serverID: ryokan.id, topic: "t")
        let first = try PoolConfiguration().adding(ryokan).adding(home).adding(spa).adding(twin).adding(lagoon)
            .merged(naming: twin.id, "Spa")
        let second = try PoolConfiguration().adding(home).adding(ryokan).adding(lagoon).adding(twin).adding(spa)
            .merged(naming: twin.id, "Spa")

        #expect(first == second)
        #expect(first.servers.map(\.name) == ["Home", "Ryokan"])
        #expect(first.devices.map(\.id) == [lagoon.id, twin.id, spa.id])
    }

    @Test func `an invalid server or device changes nothing`() throws {
        let configuration = try sampleConfiguration()
        var badServer = home
        badServer.port = 0
        var badDevice = lagoon
        badDevice.topic = "#"

        #expect(throws: ConfigurationError.portOutOfRange(0)) { try configuration.replacing(badServer) }
        #expect(throws: ConfigurationError.topicInvalid("#", .wildcard("#"))) { try configuration.replacing(badDevice) }
        #expect(throws: ConfigurationError.identifierTaken(.server, "\(home.id)")) { try configuration.adding(home) }
        #expect(throws: ConfigurationError.identifierTaken(.device, "\(spa.id)")) { try configuration.adding(spa) }
    }

    @Test func `a name is given once: nobody could say which of two is meant`() throws {
        let pool = Pool(id: PoolID(high: 1, low: 1), name: "Garden")
        let configuration = try sampleConfiguration().adding(pool)
        let server = Server(id: serverID(8), name: "Home", host: "b")
        let device = Device(id: deviceID(8), name: "Spa", serverID: ryokan.id, topic: "other")
        #expect(throws: ConfigurationError.nameTaken(.server, "Home")) { try configuration.adding(server) }
        #expect(throws: ConfigurationError.nameTaken(.device, "Spa")) { try configuration.adding(device) }
        #expect(throws: ConfigurationError.nameTaken(.pool, "Garden")) {
            try configuration.adding(Pool(id: PoolID(high: 1, low: 2), name: "Garden"))
        }

        var (renamedServer, renamedDevice) = (ryokan, lagoon)
        (renamedServer.name, renamedDevice.name) = ("Home", "Spa")
        #expect(throws: ConfigurationError.nameTaken(.server, "Home")) { try configuration.replacing(renamedServer) }
        #expect(throws: ConfigurationError.nameTaken(.device, "Spa")) { try configuration.replacing(renamedDevice) }
        // Unless the author may not know that the other one exists.
        let shared = try configuration.replacing(renamedDevice, sharingName: true)
        #expect(shared.devices.count { $0.name == "Spa" } == 2)
        let watch = WatchConfiguration(entries: configuration.entries())
        #expect(throws: ConfigurationError.nameTaken(.device, "Spa")) {
            try watch.renaming(device: lagoon.id, to: "Spa")
        }
        #expect(try watch.renaming(device: spa.id, to: "Spa").count == 1)
    }

    @Test func `two of one name, made by a merge, are told apart by the start of the id, and can be mended`() throws {
        let configuration = try sampleConfiguration().merged(naming: lagoon.id, "Spa")
        #expect(throws: ConfigurationError.self) { try configuration.device(matching: "Spa") }
        let last = String("\(spa.id)")
        #expect(try configuration.device(matching: "Spa \(last)").id == spa.id)
        #expect(try configuration.device(matching: "spa (\(last))").id == spa.id)
        #expect(throws: ConfigurationError.self) { try configuration.device(matching: "Spa ffff") }

        var other = try configuration.device(matching: "\(lagoon.id)")
        other.expectedIntervalSeconds = 90
        #expect(try configuration.replacing(other).device(lagoon.id)?.expectedIntervalSeconds == 90)
        other.name = "Lagoon"
        #expect(try configuration.replacing(other).device(matching: "Spa").id == spa.id)
    }

    @Test func `P26 a device needs a server that exists`() throws {
        let configuration = try PoolConfiguration().adding(home)
        #expect(throws: ConfigurationError.missing(.server, "\(ryokan.id)")) { try configuration.adding(onsen) }

        let moved = Device(id: spa.id, name: "Spa", serverID: ryokan.id, topic: "t")
        #expect(throws: ConfigurationError.missing(.server, "\(ryokan.id)")) {
            try configuration.adding(spa).replacing(moved)
        }
    }

    @Test func `P26 a server with devices is removed only together with them`() throws {
        let configuration = try sampleConfiguration()

        #expect(throws: ConfigurationError.serverHasDevices("Home", devices: ["Lagoon", "Spa"])) {
            try configuration.removing(server: home.id)
        }
        let removed = try configuration.removing(server: home.id, cascading: true)
        #expect(removed.servers == [ryokan])
        #expect(removed.devices == [onsen])
        #expect(removed.devicesWithoutServer.isEmpty)
    }

    @Test func `X12 removing the selected leaves nothing selected`() throws {
        let configuration = try sampleConfiguration()

        #expect(try configuration.removing(server: home.id, cascading: true).selection == .none)
        let withoutDevice = try configuration.removing(device: lagoon.id)
        #expect(withoutDevice.selection == Selection(serverID: home.id, deviceID: nil))
        #expect(try configuration.removing(device: spa.id).selection == configuration.selection)
        #expect(configuration.selectingNothing().selection == .none)
    }

    @Test func `selecting a device selects its server`() throws {
        let configuration = try sampleConfiguration().selecting(device: onsen.id)

        #expect(configuration.selection == Selection(serverID: ryokan.id, deviceID: onsen.id))
        #expect(configuration.selectedDevice == onsen)
        #expect(configuration.selectedServer == ryokan)
        #expect(throws: ConfigurationError.missing(.device, "\(deviceID(99))")) {
            try configuration.selecting(device: deviceID(99))
        }
    }

    @Test func `P36 selecting another server deselects the device, selecting its own keeps it`() throws {
        let configuration = try sampleConfiguration()

        #expect(try configuration.selecting(server: ryokan.id).selection == Selection(serverID: ryokan.id))
        #expect(try configuration.selecting(server: home.id).selection == configuration.selection)
        #expect(throws: ConfigurationError.missing(.server, "\(serverID(9))")) {
            try configuration.selecting(server: serverID(9))
        }
    }

    @Test func `a selected device that moves takes the selection to its new server`() throws {
        var moved = lagoon
        moved.serverID = ryokan.id
        moved.topic = "elsewhere"

        let configuration = try sampleConfiguration().replacing(moved)

        #expect(configuration.selection == Selection(serverID: ryokan.id, deviceID: lagoon.id))
    }

    @Test func `X10 a topic of a server belongs to one device`() throws {
        let configuration = try sampleConfiguration()
        let deviceWithSameTopic = Device(id: deviceID(7), name: "Rival", serverID: home.id, topic: lagoon.topic)

        #expect(throws: ConfigurationError.topicTaken("pool/sensor/main", byDevice: "Lagoon")) {
            try configuration.adding(deviceWithSameTopic)
        }
        // The same topic on another server is a different topic, and so is a topic in another case.
        #expect(onsen.topic == lagoon.topic && onsen.serverID != lagoon.serverID)
        let capital = Device(id: deviceID(7), name: "Rival", serverID: home.id, topic: "Pool/sensor/main")
        #expect(try configuration.adding(capital).devices.contains(capital))
    }

    @Test func `X10 topics are compared by bytes, as brokers do`() throws {
        let composed = Device(id: deviceID(5), name: "A", serverID: home.id, topic: "caf\u{E9}")
        let decomposed = Device(id: deviceID(6), name: "B", serverID: home.id, topic: "cafe\u{301}")

        let configuration = try PoolConfiguration().adding(home).adding(composed).adding(decomposed)

        #expect(configuration.devices.map(\.name) == ["A", "B"])
    }

    @Test func `what does not exist cannot be edited or removed`() {
        let empty = PoolConfiguration()
        #expect(throws: ConfigurationError.missing(.server, "\(home.id)")) { try empty.replacing(home) }
        #expect(throws: ConfigurationError.missing(.device, "\(spa.id)")) { try empty.replacing(spa) }
        #expect(throws: ConfigurationError.missing(.server, "\(home.id)")) { try empty.removing(server: home.id) }
        #expect(throws: ConfigurationError.missing(.device, "\(spa.id)")) { try empty.removing(device: spa.id) }
    }
}

@Suite struct LookupTests {
    @Test(arguments: ["Lagoon", "lagoon", "22220000-0000-0000-0000-000000000001", "22220000000000000000000000000001"])
    func `a device is found by its name or its whole identity`(text: String) throws {
        #expect(try sampleConfiguration().device(matching: text) == lagoon)
    }

    @Test(arguments: ["1", "1111", "11110000-0000", "home"])
    func `a server is found by the start of its identity`(text: String) throws {
        #expect(try PoolConfiguration().adding(home).server(matching: text) == home)
    }

    @Test func `an ambiguous start lists what it fits`() throws {
        let configuration = try sampleConfiguration()
        #expect(
            throws: ConfigurationError.ambiguous(
                .server, "1111", candidates: ["Home \(home.id)", "Ryokan \(ryokan.id)"])
        ) { try configuration.server(matching: "1111") }
    }

    @Test func `an exact name beats another case and the start of an identity`() throws {
        let shouting = Server(id: serverID(8), name: "HOME", host: "b")
        let numeric = Server(id: serverID(9), name: "1111", host: "c")
        let configuration = try sampleConfiguration().adding(shouting).adding(numeric)

        #expect(try configuration.server(matching: "Home") == home)
        #expect(try configuration.server(matching: "1111") == numeric)
        #expect(throws: ConfigurationError.self) { try configuration.server(matching: "hOmE") }
    }

    @Test(arguments: ["", "-", "nobody"])
    func `an unknown name lists the known ones`(text: String) throws {
        let configuration = try sampleConfiguration()
        let error = ConfigurationError.notFound(.server, text, known: ["Home", "Ryokan"])
        #expect(throws: error) { try configuration.server(matching: text) }
        #expect(error.description.contains("\"Home\", \"Ryokan\""))
    }

    @Test func `a message never obeys a foreign text`() {
        let error = ConfigurationError.hostInvalid(
            "\u{1B}[2J\u{202E}evil" + String(repeating: "x", count: 500), .brackets)
        #expect(error.description.contains("\\u{1b}[2J\\u{202e}evil"))
        #expect(!error.description.unicodeScalars.contains("\u{1B}"))
        #expect(error.description.count < 200)
    }
}

extension PoolConfiguration {
    /// The configuration after a merge in which a device got a name that was already used.
    fileprivate func merged(naming device: DeviceID, _ name: String) -> PoolConfiguration {
        let entry = EntryGroup.deviceName.entry(
            of: device.as(ConfigurationEntry.self), fields: EntryFields.Name(name: name))
        return PoolConfiguration(entries: entries().filter { $0.key != entry.key } + [entry])
    }
}
