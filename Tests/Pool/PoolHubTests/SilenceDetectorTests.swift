import PoolAlerts
import PoolModel
import Testing

@testable import PoolHub

/// When a device counts as missing, and when it is back.
struct SilenceDetectorTests {
    private let device = Device(
        id: DeviceID(high: 1, low: 1), name: "Spa", serverID: ServerID(high: 2, low: 2), topic: "spa",
        expectedIntervalSeconds: 2)

    private func watch() throws -> SilenceDetector {
        var watch = SilenceDetector()
        watch.use(try PoolConfiguration().adding(Server.sample()).adding(device), now: 0)
        return watch
    }

    @Test func `after three intervals without a sign of life a device is missing, and one brings it back`() throws {
        var watch = try watch()
        #expect(watch.due(now: 5999).isEmpty)
        #expect(watch.due(now: 6000).count == 1)
        #expect(watch.due(now: 6001).isEmpty)
        #expect(watch.heard(device.id, now: 7000).count == 1)
        #expect(watch.nextDeadline == 13_000)
    }

    @Test func `a quantity is missing after three intervals, which begin anew when the connection is back`() throws {
        var watch = try watch()
        _ = watch.heard(device.id, [.ph, .orp], now: 0)
        watch.restored(device.serverID, now: 5000)
        _ = watch.heard(device.id, [.ph], now: 10_999)
        #expect(watch.due(now: 10_999).isEmpty)
        #expect(watch.nextDeadline == 11_000)
        let inputs = watch.due(now: 11_000)
        #expect(inputs == [.missing(device.id, .orp, name: "Spa", server: device.serverID, reason: .silent)])
    }

    // A broker replays a bridge's retained "online" to every hub that starts, however old the message is.
    @Test func `a replayed word that a device is there is no sign of life`() throws {
        var watch = try watch()
        #expect(watch.returned(device.id, now: 1000).isEmpty)
        #expect(watch.due(now: 6000).count == 1)
        #expect(watch.returned(device.id, now: 7000).isEmpty)
        #expect(watch.nextDeadline == nil)
    }

    @Test func `a replayed word that a device is there takes back that it went away`() throws {
        var watch = try watch()
        _ = watch.heard(device.id, now: 1000)
        #expect(watch.left(device.id).count == 1)
        #expect(watch.returned(device.id, now: 2000).count == 1)
        #expect(watch.returned(device.id, now: 3000).isEmpty)
    }
}
