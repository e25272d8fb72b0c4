import PoolSamples
import Testing

@testable import PoolModel

@Suite struct WatchConfigurationTests {
    private func project(_ configuration: PoolConfiguration) -> [ConfigurationEntry] {
        configuration.entries().filter(\.isVisibleToWatches)
    }

    @Test func `P99 P7 no secret and no address is in what a watch may see`() throws {
        let projected = try project(sampleConfiguration())
        let all = try sampleConfiguration().entries().map { text($0.value) }.joined()
        let seen = projected.map { "\($0.key) \(text($0.value))" }.joined(separator: "\n")

        for word in secretWords {
            #expect(all.contains(word), "the test would see \(word)")
            #expect(!seen.contains(word))
        }
    }

    @Test func `P99 the models of a watch have no field for what it must not see`() {
        let server = WatchServer(id: home.id, name: "Home")
        #expect(Mirror(reflecting: server).children.compactMap(\.label) == ["id", "name"])
        let device = Mirror(reflecting: WatchDevice(lagoon)).children.compactMap(\.label)
        #expect(device == ["id", "name", "serverID", "expectedIntervalSeconds", "limits", "poolID", "poolLimits"])
    }

    @Test(arguments: [
        ("server", "name", true), ("server", "endpoint", false), ("device", "name", true),
        ("device", "membership", true),
        ("device", "source", false), ("device", "timing", true), ("device", "limits-ph", true),
        ("device", "limits-orp", true), ("device", "limits-salt", false), ("pref", "selection", true),
        ("server", "password", false), ("pref", "name", false), ("", "", false), ("device", "endpoint", false),
    ])
    func `P99 what is not in the table is not for watches`(kind: String, group: String, isVisible: Bool) {
        #expect(ConfigurationEntry.isVisibleToWatches(kind: kind, group: group) == isVisible)
    }

    @Test func `P100 P101 P102 a watch sees servers, devices and the selection`() throws {
        var problems: [ConfigurationProblem] = []
        let watch = WatchConfiguration(entries: try project(sampleConfiguration()), problems: &problems)

        #expect(problems == [])
        #expect(watch.servers == [WatchServer(id: home.id, name: "Home"), WatchServer(id: ryokan.id, name: "Ryokan")])
        #expect(watch.devices == [WatchDevice(lagoon), WatchDevice(spa), WatchDevice(onsen)])
        #expect(watch.selection == Selection(serverID: home.id, deviceID: lagoon.id))
        #expect(watch.selectedDevice?.limits(for: .ph).low == 7.1)
        #expect(watch.selectedDevice?.limits(for: .orp) == Quantity.orp.facts.limits)
    }

    @Test func `P31 the devices of a server are those of that server`() throws {
        let watch = WatchConfiguration(entries: try project(sampleConfiguration()))
        let servers = Dictionary(grouping: watch.devices, by: \.serverID)
        #expect(servers[home.id]?.map(\.name) == ["Lagoon", "Spa"])
        #expect(servers[ryokan.id]?.map(\.id) == [onsen.id])
        #expect(servers.count == 2)
    }

    @Test func `X12 deleting the last server, the last device and the selection reaches the watch`() throws {
        let full = try sampleConfiguration()
        let deselected = WatchConfiguration(entries: project(full.selectingNothing()))
        #expect(deselected.selection == .none)
        #expect(deselected.devices.count == 3)

        let empty = try full.removing(server: home.id, cascading: true).removing(server: ryokan.id, cascading: true)
        #expect(WatchConfiguration(entries: project(empty)) == WatchConfiguration())
    }

    @Test func `an entry that is not for watches counts as unknown and is not read`() throws {
        var problems: [ConfigurationProblem] = []
        let all = try sampleConfiguration().entries()
        let watch = WatchConfiguration(entries: all, problems: &problems)

        #expect(watch == WatchConfiguration(entries: all.filter(\.isVisibleToWatches)))
        #expect(problems == all.filter { !$0.isVisibleToWatches }.map { .unknownEntry($0.key) })
    }

    @Test func `P35 a device whose server a watch does not know is still a device`() throws {
        let entries = try project(sampleConfiguration()).filter { $0.key.kind != "server" }
        let watch = WatchConfiguration(entries: entries)
        #expect(watch.devices.count == 3)
        #expect(watch.selection == .none)
    }
}
