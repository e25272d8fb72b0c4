import BrokerFixture
import CommandSupport
import Foundation
import Platform
import PoolModel
import PoolStore
import ProgramFixture
import SyncStore
import TestSupport
import Testing

@testable import PoolHub
@testable import poolsensors

/// The commands while the hub is not running, as a user types them.
@Suite(.serialized, .timeLimit(.minutes(20))) struct RestingHubTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String..., status: Int32 = 0) async throws -> String {
        let (end, lines) = try await Program.run(arguments, in: folder)
        #expect(end == .exited(status), "\(arguments): \(lines)")
        return lines.joined(separator: "\n")
    }

    private func configure() async throws {
        _ = try await run("server", "add", "--name", "Garden", "--host", "127.0.0.1", "--no-test")
        _ = try await run("device", "add", "--name", "Lagoon", "--topic", "pool/1")
    }

    @Test func `a mapping is added in its notation, shown in it, and changed in a part`() async throws {
        try await configure()
        _ = try await run(
            "device", "add", "--name", "Plant", "--topic", "plant/7", "--value", "ph=v[1]*0.01 if st!=0", "--value",
            "orp=v[2]", "--time", "ts milliseconds", "--availability", "~/../bridge online=up offline=down")
        var sheet = try await run("device", "show", "Plant")
        #expect(sheet.contains("--value 'ph=v[1] * 0.01 if st!=0'"))
        #expect(sheet.contains("--time 'ts milliseconds'"))
        #expect(sheet.contains("--availability '~/../bridge online=up offline=down'"))
        #expect(sheet.contains("heard on"))

        _ = try await run("device", "edit", "Plant", "--value", "orp=v[2] * 1000 V", "--time", "")
        sheet = try await run("device", "show", "Plant")
        #expect(sheet.contains("--value 'orp=v[2] * 1000 V'"))
        #expect(sheet.contains("ph=v[1]"))
        #expect(!sheet.contains("--time"))

        _ = try await run("device", "edit", "Plant", "--profile", "zigbee2mqtt")
        #expect(try await run("device", "show", "Plant").contains("--profile 'zigbee2mqtt'"))
        _ = try await run("device", "edit", "Plant", "--no-mapping")
        #expect(try await run("device", "show", "Plant").contains("none, its messages are flat"))
    }

    @Test func `a name that is taken is refused with the way out, and nothing is changed`() async throws {
        try await configure()
        for arguments in [
            ["server", "add", "--name", "Garden", "--host", "127.0.0.2"],
            ["device", "add", "--name", "Lagoon", "--topic", "pool/2"],
        ] {
            let (end, lines) = try await Program.run(arguments, in: folder)
            #expect(end == .exited(1) && lines.last?.contains("choose another name") == true, "\(lines)")
        }
        _ = try await run("device", "add", "--name", "Spa", "--topic", "pool/2")
        #expect(
            try await run("device", "edit", "Spa", "--name", "Lagoon", status: 1).contains(
                #"The name "Lagoon" already belongs to another device"#))
        #expect(try await run("device", "list").components(separatedBy: "Lagoon").count == 2)
    }

    @Test func `numbers are decimal, and a wrong timeout is never passed over`() async throws {
        try await configure()
        for number in ["0x7", "1e1", "nan", "inf", "7,0,0", ""] {
            let limits = try await run("limits", "set", "ph", "--low", number, "--device", "Lagoon", status: 64)
            #expect(limits.contains("expected a number in digits, such as 7.2"), "\(limits)")
        }
        let four = try await run("limits", "set", "ph", "6", "0x7", "7.5", "8", "--device", "Lagoon", status: 64)
        #expect(four.contains("0x7"))
        let negative = try await run("limits", "set", "ph", "--low", "-nan", "--device", "Lagoon", status: 64)
        #expect(negative.contains("-nan"))
        #expect(try await run("watch", "limits", "Lagoon", "ph", "--low", "0x7", status: 64).contains("0x7"))
        #expect(try await run("alerts", "settings", "--hysteresis", "ph=0x1", status: 64).contains("such as ph=0.1"))
        #expect(try await run("pool", "add", "--name", "Back", "--volume", "inf", status: 64).contains("inf"))
        // A watch that ignored the option would print something else and not end.
        let watch = try Program(["watch", "--timeout", "zzz"], in: folder)
        let first = await watch.line { _ in true }
        #expect(first?.contains("zzz") == true && first?.contains("a duration such as") == true, "\(watch.lines)")
        watch.signal(SIGKILL)
    }

    @Test func `a file whose name says another format is refused with those that there are`() async throws {
        try await configure()
        let out = folder.path("readings.xml")
        let refused = try await run("history", "export", "--out", out, status: 64)
        #expect(refused.contains(#""xml" is not one of the formats csv, jsonl"#), "\(refused)")
        #expect(try await run("history", "export", "--out", out, "--format", "xml", status: 64).contains("csv, jsonl"))
        #expect(!FileManager.default.fileExists(atPath: out))
        _ = try await run("history", "export", "--out", out, "--format", "csv")
        #expect(try String(contentsOfFile: out, encoding: .utf8).hasPrefix("Timestamp,Device,"))
    }

    @Test func `a detection that reaches no broker fails at once and says why`() async throws {
        _ = try await run("server", "add", "--name", "Garden", "--host", "127.0.0.1", "--port", "1", "--no-test")
        let told = try await run("device", "detect", "--for", "1h", status: 1)
        #expect(told.contains("no message came from Garden: ") && told.contains("refused"), "\(told)")
        let json = try await run("device", "detect", "--for", "1h", "--json", status: 1)
        let objects = json.split(separator: "\n").filter { $0.contains("{") }
        #expect(objects.count == 1, "\(json)")
        #expect(objects.first?.hasPrefix(#"{"error":{"code":1,"message":"no message came from Garden: "#) == true)
    }

    @Test func `a first pairing that fails leaves nothing behind, a later one only what was there`() async throws {
        let hub = try Program(["hub", "--listen", "ipc://\(folder.path("hub.ipc"))"], in: folder)
        _ = try await hub.line(containing: "listening on ")
        let invitation = try await run("pair").split(separator: "\n").first { $0.hasPrefix("psw2-poolsensors-") }
        let code = String(try #require(invitation))
        _ = try await run("watch", "pair", code, "--name", "Kitchen")

        // An invitation is valid for one watch only.
        let failed = try await run("watch", "pair", code, "--name", "Wrist", status: 1)
        #expect(failed.contains("used by another watch"), "\(failed)")
        let path = folder.path("state/watches/Wrist")
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(FileManager.default.fileExists(atPath: folder.path("state/watches/Kitchen")))

        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        _ = try await run("watch", "pair", code, "--name", "Wrist", status: 1)
        #expect(FileManager.default.fileExists(atPath: path))
        hub.signal(SIGTERM)
        _ = await hub.ended()
    }

    @Test func `a hub that was suspended is said so at once`() async throws {
        let hub = try Program(["hub", "--listen", "ipc://\(folder.path("hub.ipc"))"], in: folder)
        _ = try await hub.line(containing: "listening on ")
        hub.signal(SIGSTOP)
        let told = try await run("status", status: 1)
        #expect(told.contains("is suspended: continue it with `fg`"), "\(told)")
        hub.signal(SIGCONT)
        _ = try await run("device", "list")
        hub.signal(SIGTERM)
        _ = await hub.ended()
    }

    @Test func `a command waits for another one that works on the files, and says so if that lasts`() async throws {
        try await configure()
        let hub = folder.path("state/hub")
        let held = try StateFolder(path: hub)
        let told = try await run("status", status: 1)
        #expect(told.contains("in use by ") && told.contains(", which is not a running hub: try again"), "\(told)")
        withExtendedLifetime(held) {}
    }

    @Test func `a fault in a notation is told with its place, and nothing is changed`() async throws {
        try await configure()
        let told = try await run("device", "edit", "Lagoon", "--value", "ph=~/Meas1#pH*O.01", status: 64)
        #expect(told.contains("at character 15: expected a number after *"))
        let unknown = try await run("device", "edit", "Lagoon", "--profile", "nothing", status: 64)
        #expect(unknown.contains("There is no profile \"nothing\": give one of flat, zigbee2mqtt"))
    }

    @Test func `limits come from the device, else its pool, else the standard, and it is said which`() async throws {
        try await configure()
        _ = try await run("pool", "add", "--name", "Back")
        _ = try await run("device", "edit", "Lagoon", "--pool", "Back")
        _ = try await run("limits", "set", "ph", "6.8", "7.0", "7.6", "7.8", "--device", "Lagoon")
        _ = try await run("limits", "set", "orp", "--low", "620", "--pool", "Back")
        let shown = try await run("limits", "show", "--device", "Lagoon")
        #expect(shown.contains("device Lagoon  pH           6.8             7    7.6   7.8             device"))
        #expect(shown.contains("ORP          500             620  800   900             pool"))
        #expect(shown.contains("Temperature  15              20   30    35              standard"))

        _ = try await run("limits", "set", "temperature", "-2", "18", "30", "40", "--device", "Lagoon")
        #expect(try await run("limits", "show", "--device", "Lagoon").contains("Temperature  -2"))
        #expect(
            try await run("limits", "set", "ph", "1", "2", "--lo", "3", "--device", "Lagoon", status: 64).contains(
                "--lo"))
        let refused = try await run("limits", "set", "ph", "--low", "9", "--device", "Lagoon", status: 1)
        #expect(refused.contains("they must rise, critical low ≤ low < high ≤ critical high"))
        let unanswered = try await run("limits", "clear", "--device", "Lagoon", status: 1)
        #expect(unanswered.contains("give --yes"))
        _ = try await run("limits", "clear", "--device", "Lagoon", "--yes")
        #expect(try await run("limits", "show", "--device", "Lagoon").contains("pH           6.5"))
    }

    @Test func `a preset shows what it changes, its source and its note, before it is applied`() async throws {
        try await configure()
        let asked = try await run("limits", "preset", "spa", "--device", "Lagoon", status: 1)
        #expect(asked.contains("pH: 6.8…7.6 (6.5…8) → 7.2…7.8 (7…8)"))
        #expect(asked.contains("Source: CDC and WHO 2006"))
        #expect(asked.contains("give --yes"))
        #expect(try await run("limits", "show", "--device", "Lagoon").contains("Temperature  15"))
        _ = try await run("limits", "preset", "spa", "--device", "Lagoon", "--yes")
        #expect(try await run("limits", "show", "--device", "Lagoon").contains("Temperature  1 "))
        let unknown = try await run("limits", "preset", "sauna", "--device", "Lagoon", status: 64)
        #expect(unknown.contains("there are private-eu, "))
        #expect(try await run("limits", "presets").contains("din-19643: DIN 19643, public pool"))
    }

    @Test func `a calibration is refused with the reason, shown with its verdict, listed and removed`() async throws {
        try await configure()
        let swapped = try await run(
            "calibrate", "add", "Lagoon", "ph", "--point", "9.7:7.0", "--point", "6.8:10.0", status: 1)
        #expect(swapped.contains("were the solutions swapped?"))
        let spent = try await run(
            "calibrate", "add", "Lagoon", "ph", "--point", "6.8:7.0", "--point", "9.0:10.0", status: 1)
        #expect(spent.contains("outside 85…105 %") && spent.contains("--force"))
        let added = try await run("calibrate", "add", "Lagoon", "ph", "--point", "6,8:7.0", "--point", "9.7:10.0")
        #expect(added.contains("The electrode has 96.7 % of the ideal slope: good."))
        let listed = try await run("calibrate", "list")
        #expect(listed.contains("* pH") && listed.contains("twoPoint") && listed.contains("fresh"))
        #expect(listed.contains("Calibrated 0 days ago"))
        #expect(try await run("calibrate", "remove", "Lagoon", "ph", status: 1).contains("give --yes"))
        _ = try await run("calibrate", "remove", "Lagoon", "ph", "--yes")
        #expect(try await run("calibrate", "list").contains("Nothing is calibrated"))
        #expect(
            try await run("calibrate", "add", "Lagoon", "turbidity", "--offset", "1", status: 64)
                .contains("is not a quantity"))
    }

    @Test func `the status of a hub at rest is never OK, and says so to scripts`() async throws {
        #expect(try await run("status", status: 69).contains("no hub runs here"))
        try await configure()
        #expect(try await run("status", status: 69).contains("Lagoon  NO HUB  ?"))
        #expect(try await run("status", "--ascii", status: 69).hasSuffix("Lagoon  NO HUB  ?"))
        #expect(try await run("status", "--format", "{name}: {status} {{x}}", status: 69) == "Lagoon: NO HUB {x}")
        #expect(
            try await run("status", "--format", "{nome}", status: 64).contains(
                "did you mean {name}? There are: {sentence} {name} {pool}"))
    }

    @Test func `a server keeps its client certificate and its announcement`() async throws {
        _ = try await run(
            "server", "add", "--name", "Plant", "--host", "127.0.0.1", "--tls", "--client-cert", "/etc/me.pem",
            "--client-key", "/etc/me.key", "--announce", "--no-test")
        let listed = try await run("server", "list")
        #expect(listed.contains("yes, as /etc/me.pem") && listed.contains("homeassistant"))
        _ = try await run("server", "edit", "Plant", "--no-announce", "--client-cert", "", "--no-test")
        let edited = try await run("server", "list")
        #expect(!edited.contains("me.pem") && !edited.contains("homeassistant"))
        let alone = try await run("server", "edit", "Plant", "--client-cert", "/etc/me.pem", status: 64)
        #expect(alone.contains("give --client-key FILE, too"))
    }

    @Test func `a server that cannot be reached is not added, and one is not changed to such`() async throws {
        let dead = try await run("server", "add", "--name", "Dead", "--host", "127.0.0.1", "--port", "1", status: 6)
        #expect(
            dead
                == "poolsensors: the test of 127.0.0.1:1 failed (unreachable: cannot connect: Connection refused), so the "
                + "server \"Dead\" was not added: correct what is wrong, or add it untested with --no-test")
        let file = folder.path("none.pem")
        let missing = try await run(
            "server", "add", "--name", "Dead", "--host", "127.0.0.1", "--tls", "--ca-file", file, status: 1)
        #expect(missing.contains("cannot read \(file)") && missing.contains("--no-test"), "\(missing)")
        #expect(try await run("server", "list").hasPrefix("There is no server yet"))

        var options = Broker.Configuration()
        options.passwords = ["hub": "secret word"]
        let broker = try await Broker.start(options)
        try "secret word\n".write(toFile: folder.path("password"), atomically: true, encoding: .utf8)
        let described = ["--host", broker.host, "--port", "\(broker.port)", "--username", "hub"]
        let refused = try await Program.run(["server", "add", "--name", "Home"] + described, in: folder)
        #expect(refused.end == .exited(7), "\(refused.lines)")
        let added = try await Program.run(
            ["server", "add", "--name", "Home"] + described + ["--password-file", folder.path("password")], in: folder)
        #expect(added.lines == ["added server Home"])
        // The stored password is used for the test.
        #expect(try await run("server", "edit", "Home", "--host", "localhost") == "changed server Home")
        let moved = try await run("server", "edit", "Home", "--port", "1", status: 6)
        #expect(moved.contains("the server \"Home\" was not changed: correct what is wrong, or change it untested"))
        #expect(try await run("server", "list").contains("localhost:\(broker.port)"))
        // What does not concern the connection needs no test.
        await broker.stop()
        #expect(try await run("server", "edit", "Home", "--name", "House", "--announce") == "changed server House")
        #expect(try await run("server", "edit", "House", "--port", "1", "--no-test") == "changed server House")
    }

    @Test func `limits are shown of a device or a pool by its name alone`() async throws {
        try await configure()
        _ = try await run("pool", "add", "--name", "Back")
        let device = try await run("limits", "show", "Lagoon")
        #expect(device.split(separator: "\n").count == 5 && device.contains("device Lagoon"))
        let pool = try await run("limits", "show", "Back")
        #expect(pool.split(separator: "\n").count == 5 && pool.contains("pool Back"))
        _ = try await run("pool", "add", "--name", "Lagoon")
        #expect(try await run("limits", "show", "Lagoon").split(separator: "\n").count == 9)
        #expect(try await run("limits", "show", "Lagon", status: 5).contains("did you mean \"Lagoon\"?"))
        #expect(try await run("limits", "show", "Back", "--pool", "Back", status: 64).contains("give the name alone"))
    }

    @Test func `the name of a pool in place of a device, and the other way round, is told apart`() async throws {
        try await configure()
        _ = try await run("pool", "add", "--name", "Back")
        #expect(
            try await run("device", "show", "Back", status: 5) == "poolsensors: \"Back\" is a pool without a device")
        #expect(
            try await run("dose", "add", "Lagoon", "pH minus", "100g", status: 5)
                == "poolsensors: \"Lagoon\" is a device without a pool: give it one with poolsensors device edit \"Lagoon\" "
                + "--pool POOL")
        _ = try await run("device", "edit", "Lagoon", "--pool", "Back")
        #expect(
            try await run("device", "show", "Back", status: 5)
                == "poolsensors: \"Back\" is a pool: name its device, \"Lagoon\"")
        #expect(
            try await run("dose", "add", "Lagoon", "pH minus", "100g", status: 5)
                == "poolsensors: \"Lagoon\" is a device: name its pool, \"Back\"")
        #expect(try await run("dose", "add", "Back", "pH minus", "100g").contains("sodium bisulfate"))
    }

    /// Records a reading at each of these hours before now.
    private func record(hoursAgo: [Int64], at now: Timestamp) throws {
        let hub = try HubFolder(path: folder.path("state/hub"))
        let device = try #require(try hub.configuration().devices.first).id
        var state = DeviceReadings(deviceID: device)
        for hours in hoursAgo {
            let moment = now.advanced(byMilliseconds: -hours * 3_600_000)
            let reading = Reading(
                deviceID: device, values: [.ph: 7 + Double(hours) / 100], sampledAt: moment, timeQuality: .device,
                receivedAt: moment)
            state.absorb(reading)
            try hub.history.record(Arrival(reading: reading, payloadHash: 0, delivery: nil)) { [state] _ in state }
        }
    }

    @Test func `readings of a span are listed in local time, in JSON in UTC`() async throws {
        try await configure()
        let now = Timestamp.now
        try record(hoursAgo: [50, 30, 3, 2, 1], at: now)
        let hour = now.advanced(byMilliseconds: -3_600_000)
        let day = try await run("history", "list", "Lagoon", "--last", "24h").split(separator: "\n")
        #expect(day.count == 4 && day[1].hasPrefix(MomentText.of(hour)), "\(day)")
        #expect(try await run("history", "list", "--last", "2d").split(separator: "\n").count == 5)
        let json = try await run("history", "list", "--last", "24h", "--json").split(separator: "\n")
        #expect(json.count == 3 && json[0].contains("\"sampledAt\":\"\(hour.iso8601)\""), "\(json)")
        let older = try await run(
            "history", "list", "--from", "2020-01-01", "--to", MomentText.of(hour), "--limit", "4")
        #expect(older.split(separator: "\n").count == 5)
        #expect(try await run("history", "list", "--limit", "2").split(separator: "\n").count == 3)
        #expect(try await run("history", "list", "--last", "1h", "--from", "2020-01-01", status: 64).contains("--last"))

        let file = folder.path("pool.csv")
        #expect(try await run("history", "export", "--out", file).hasPrefix("wrote 5 readings"))
        #expect(
            try await run("history", "export", "--out", file, status: 1)
                == "poolsensors: \(file) is there already: choose another name, or replace it with --replace")
        #expect(try await run("history", "export", "--out", file, "--replace").hasPrefix("wrote 5 readings"))
    }
}
