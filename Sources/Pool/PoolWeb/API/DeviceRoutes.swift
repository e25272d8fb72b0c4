import PoolControl
import PoolModel
import WebServer

/// Devices and pools that come and go, and where devices publish, for owners.
struct DeviceRoutes: Sendable {
    let hub: HubWatcher

    // MARK: - Pools

    func addPool(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members(["name", "volume"])
        var patch = PoolPatch()
        patch.name = try members.text("name")
        patch.volume = try members.optionalNumber("volume")
        if let volume = patch.volume, !Pool.volumeRange.contains(volume) {
            throw members.wrong("volume", "0.01 to 1000000 cubic metres")
        }
        return try await add(.addPool(patch), context)
    }

    func removePool(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let subject: (ReceivedState) throws -> Pool = { try context.pool(id, in: $0.state) }
        return try await hub.change(context) {
            WaterRoutes.tag(of: try subject($0))
        } to: {
            .edit(.removePool(try subject($0).id))
        } present: { _ in
            try .json(Done(done: "removed the pool"))
        }
    }

    // MARK: - Devices

    func addDevice(_ context: RequestContext) async throws -> WebResponse {
        let members = try context.members([
            "name", "serverID", "topic", "deviceType", "expectedIntervalSeconds", "poolID",
        ])
        var patch = try Self.sourcePatch(members)
        patch.name = try members.text("name")
        if patch.topic == nil { throw members.lacks("topic") }
        patch.poolID = try members.optionalID("poolID").map { .set($0) }
        return try await add(.addDevice(patch), context)
    }

    func removeDevice(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let subject: (ReceivedState) throws -> DeviceState = { try context.device(id, in: $0.state) }
        return try await hub.change(context) {
            WaterRoutes.tag(of: try subject($0).device)
        } to: {
            .edit(.removeDevice(try subject($0).id))
        } present: { _ in
            try .json(Done(done: "removed the device; its readings stay in the history"))
        }
    }

    /// Adds something, and answers with a sentence.
    private func add(_ edit: HubEdit, _ context: RequestContext) async throws -> WebResponse {
        var answer = try await hub.perform(.edit(edit), context)
        answer.status = 201
        return answer
    }

    // MARK: - Where a device publishes

    func source(_ id: String, _ context: RequestContext) throws -> WebResponse {
        let state = try hub.snapshot().state
        return try view(try context.device(id, in: state), state)
    }

    func editSource(_ id: String, _ context: RequestContext) async throws -> WebResponse {
        let members = try context.members([
            "serverID", "topic", "deviceType", "expectedIntervalSeconds", "learnsInterval",
        ])
        let given = try Self.sourcePatch(members)
        let learns = try members.optionalFlag("learnsInterval")
        let subject: (ReceivedState) throws -> DeviceState = { try context.device(id, in: $0.state) }
        return try await hub.change(context) {
            Self.tag(try subject($0).device)
        } to: {
            let device = try subject($0).device
            var patch = given
            if patch.expectedIntervalSeconds != nil || learns != nil {
                patch.expectedIntervalSeconds = patch.expectedIntervalSeconds ?? device.expectedIntervalSeconds
                patch.learnsInterval = learns == true ? true : nil
            }
            return .edit(.editDevice(device.id, patch))
        } present: { [self] in
            try view(try subject($0), $0.state)
        }
    }

    private static func sourcePatch(_ members: RequestMembers) throws(Problem) -> DevicePatch {
        var patch = DevicePatch()
        patch.serverID = try members.optionalID("serverID")
        patch.topic = try members.optionalText("topic")
        patch.deviceType = try members.optionalText("deviceType")
        patch.expectedIntervalSeconds = try members.optionalInteger("expectedIntervalSeconds", Device.intervalRange)
        return patch
    }

    private static func tag(_ device: Device) -> String {
        EntityTag.of([
            "\(device.serverID)", device.topic, device.deviceType, "\(device.expectedIntervalSeconds)",
            "\(device.learnsInterval ?? false)", EntityTag.of(device.mapping),
        ])
    }

    private func view(_ device: DeviceState, _ state: HubState) throws -> WebResponse {
        try WebResponse.json(DeviceSourceView(device.device, in: state)).with("etag", Self.tag(device.device))
    }
}

/// Where a device publishes, and how its messages are read.
struct DeviceSourceView: Encodable {
    var serverID: ServerID
    var server: String
    var topic: String
    var deviceType: String
    var expectedIntervalSeconds: Int
    var learnsInterval: Bool
    /// The mapping in its notation, one value a line; empty for the flat message.
    var mapping: [String]

    init(_ device: Device, in state: HubState) {
        serverID = device.serverID
        server = state.servers.first { $0.id == device.serverID }?.name ?? ""
        topic = device.topic
        deviceType = device.deviceType
        expectedIntervalSeconds = device.expectedIntervalSeconds
        learnsInterval = device.learnsInterval ?? false
        mapping = device.mapping?.values.map(\.notation) ?? []
    }
}
