import PoolControl
import PoolDecoding
import PoolModel

/// The form of a device.
struct DeviceForm: HubForm {
    /// The device; nil for a new one.
    private let id: DeviceID?
    /// The server of a new device.
    private let serverID: ServerID?
    /// The device that a detection found.
    private let offer: DetectionOffer?
    /// How the messages of the device are read now, or as it was detected.
    private let mapping: DeviceMapping?

    /// Creates the form of a new device of a server, as a detection found it if there is an offer.
    init(server: ServerID?, offer: DetectionOffer? = nil) {
        id = nil
        serverID = server
        self.offer = offer
        mapping = offer?.mapping
    }

    /// Creates the form of a device that exists.
    init(of id: DeviceID, in hub: HubState) {
        let device = hub.device(id)?.device
        self.id = id
        serverID = device?.serverID
        offer = nil
        mapping = device?.mapping
    }

    func form(in context: ScreenContext) -> Form {
        let hub = context.hub
        let device = id.flatMap { hub.device($0) }?.device
        let servers = hub.servers.map(\.server)
        let profiles = profileNames
        let profileIndex = mapping == nil ? 0 : profiles.count - 1
        let pools = ["none"] + hub.pools.map(\.name)
        let poolIndex =
            device?.poolID.flatMap { id in hub.pools.firstIndex { $0.id == id } }.map { $0 + 1 } ?? 0
        let interval =
            device?.expectedIntervalSeconds ?? offer?.expectedIntervalSeconds ?? Device.defaultIntervalSeconds
        let fields = [
            FormField(
                "name", "Name", .text(TextField(device?.name ?? offer?.name ?? "")),
                hint: "What you call it, such as Lagoon"),
            FormField(
                "server", "Server", .choice(servers.map(\.name), index: servers.firstIndex { $0.id == serverID } ?? 0),
                hint: "Where it publishes"),
            FormField(
                "topic", "Topic", .text(TextField(device?.topic ?? offer?.topic ?? "")),
                hint: "Such as pool/sensor/main"),
            FormField("profile", "Messages", .choice(profiles, index: profileIndex), hint: "How its messages are read"),
            FormField(
                "interval", "Reports every", .text(TextField("\(interval)")),
                hint: "Seconds; three missed ones make it stale"),
            FormField(
                "pool", "Pool", .choice(pools, index: poolIndex), hint: "Its limits hold where the device has none"),
            FormField(
                "type", "Type", .text(TextField(device?.deviceType ?? Device.defaultType)), hint: "What it is, in words"
            ),
        ]
        return Form(
            title: device.map { "Device \($0.name.sanitized)" } ?? "New device",
            purpose: "A probe that publishes to a topic of a server.", action: id == nil ? "add" : "save",
            fields: fields)
    }

    /// The profiles, and the mapping that the device has already or that was detected.
    private var profileNames: [String] {
        let names = BuiltInProfile.all.map(\.name)
        guard let mapping else { return names }
        return names + [mapping.profile.map { "as it is (\($0))" } ?? "as it is"]
    }

    func adapt(_ form: inout Form) {
        let index = form["profile"].index
        guard BuiltInProfile.all.indices.contains(index) else {
            form.update("profile") { $0.hint = "As detected, or as it was before" }
            return
        }
        let profile = BuiltInProfile.all[index]
        form.update("profile") { $0.hint = profile.summary }
        form.update("topic") { $0.hint = "Such as \(profile.exampleTopic)" }
    }

    func reading(of form: Form, in context: ScreenContext) -> FormReading {
        let hub = context.hub
        var reading = FormReading()
        guard hub.servers.indices.contains(form["server"].index) else {
            reading.problems["server"] = "There is no server: add one first."
            return reading
        }
        let server = hub.servers[form["server"].index].server
        let index = form["profile"].index
        let mapping = BuiltInProfile.all.indices.contains(index) ? BuiltInProfile.all[index].mapping : self.mapping
        let poolIndex = form["pool"].index - 1
        let poolID = hub.pools.indices.contains(poolIndex) ? hub.pools[poolIndex].id : nil
        let interval = form.wholeNumber("interval")
        if interval == nil { reading.problems["interval"] = "Give a whole number of seconds, such as 60." }
        var device = Device(
            id: id ?? DeviceID(high: 0, low: 0), name: form.text("name"), serverID: server.id,
            topic: form.text("topic"), deviceType: form.text("type"), expectedIntervalSeconds: interval ?? 60)
        do throws(ConfigurationError) {
            try device.validate()
        } catch {
            reading.problems[error.formField] = "\(error)"
        }
        let rival = hub.devices.first {
            $0.device.id != id && $0.device.serverID == server.id && $0.device.mapping == mapping
                && $0.device.topic.utf8.elementsEqual(device.topic.utf8)
        }
        if let rival { reading.problems["topic"] = "The device \(rival.device.name.sanitized) has this topic already." }
        (device.poolID, device.mapping) = (poolID, mapping)
        if reading.problems.isEmpty {
            let patch = DevicePatch(of: device)
            reading.command = id.map { .edit(.editDevice($0, patch)) } ?? .edit(.addDevice(patch))
        }
        return reading
    }

    func outcomesAfterSaving(in context: ScreenContext) -> [ConsoleOutcome] {
        guard context.navigation.expanded == .guide else { return [] }
        // The step of the guide is done: back to the list of steps.
        return [.closeDetections] + (context.hub.detection?.isOver == false ? [.order(.detection(.end))] : [])
    }
}
