import PoolControl
import PoolModel
import Testing

@Suite struct HubStateTests {
    private let server = Server(id: ServerID(high: 1, low: 1), name: "Home", host: "mqtt.lan", announcementPrefix: "ha")
    private let limits = Limits(criticalLow: 6, low: 7, high: 7.4, criticalHigh: 8)

    private var state: HubState {
        var state = HubState(now: Timestamp(milliseconds: 1_795_255_781_000), revision: 7)
        var home = ServerState(server, hasPassword: true)
        home.connection = ServerConnection(.waiting, words: "connection refused")
        state.servers = [home]
        let device = Device(
            id: DeviceID(high: 2, low: 1), name: "Lagoon", serverID: server.id, topic: "pool/1", limits: [.ph: limits],
            poolID: PoolID(high: 3, low: 1))
        var lagoon = DeviceState(device, limits: [.ph: limits, .orp: Quantity.orp.facts.limits])
        (lagoon.isSelected, lagoon.isAvailable, lagoon.storedReadings) = (true, false, 12)
        lagoon.counts = IngestCounts()
        state.devices = [
            lagoon,
            DeviceState(
                Device(id: DeviceID(high: 2, low: 2), name: "Spa", serverID: server.id, topic: "pool/2"), limits: [:]),
        ]
        state.pools = [Pool(id: PoolID(high: 3, low: 1), name: "Garden", volume: 48.5)]
        var watch = WatchConnection(name: "Kitchen", id: WatchID(bytes: 1...32))
        watch.disturbance = LinkDisturbance()
        state.watches = [watch]
        return state
    }

    @Test func `a state comes back from the control socket as it was sent`() throws {
        let sent = state
        let bytes = try CanonicalJSON.encode(HubReply.state(sent))
        guard case .state(let received) = try CanonicalJSON.decode(HubReply.self, from: bytes) else {
            Issue.record("another reply")
            return
        }
        #expect(received == sent)
    }

    /// Some fields of a device in the JSON output.
    private struct Flat: Decodable {
        var name: String
        var topic: String
        var limits: QuantityMap<Limits>
        var ownLimits: QuantityMap<Limits>
        var storedReadings: Int
    }

    @Test func `a device is one flat object, with the limits that hold beside those of its own`() throws {
        let flat = try CanonicalJSON.decode(Flat.self, from: try CanonicalJSON.encode(state.devices[0]))
        #expect((flat.name, flat.topic, flat.storedReadings) == ("Lagoon", "pool/1", 12))
        #expect(flat.limits == [.ph: limits, .orp: Quantity.orp.facts.limits])
        #expect(flat.ownLimits == [.ph: limits])
    }

    @Test func `a server is one flat object`() throws {
        let json = String(decoding: try CanonicalJSON.encode(state.servers[0]), as: UTF8.self)
        #expect(
            json == #"{"announcementPrefix":"ha","hasPassword":true,"host":"mqtt.lan","id":"\#(server.id)","#
                + #""isConnected":false,"name":"Home","port":1883,"protocolVersion":"3.1.1","#
                + #""state":"connection refused","stateWord":"waiting","usesTLS":false}"#)
    }

    @Test func `the devices of a pool are those that name it`() {
        #expect(state.devices(of: PoolID(high: 3, low: 1)).map(\.name) == ["Lagoon"])
        #expect(state.selectedDevice?.name == "Lagoon")
    }
}
