import SyncCore

/// What the application of a device in virtual time has received, and what it says.
struct VirtualApplication: Sendable {
    private(set) var items: [DeviceObservation.ItemObservation] = []
    private(set) var files: [DeviceObservation.FileObservation] = []
    private(set) var warnings: [DeviceObservation.WarningObservation] = []
    private var known: Set<RandomID> = []

    /// Keeps user info once, however often it is reported.
    mutating func got(_ item: ReceivedItem, from sender: String?) {
        guard known.insert(item.id).inserted else { return }
        let text = String(decoding: item.payload, as: UTF8.self)
        items.append(DeviceObservation.ItemObservation(text: text, from: sender, isUrgent: item.isUrgent))
    }

    /// The hub warns of something; the warning is kept once.
    mutating func warn(_ warning: DeviceObservation.WarningObservation) {
        if !warnings.contains(warning) { warnings.append(warning) }
    }

    /// This many bytes of a file have arrived.
    mutating func arrived(_ offer: FileOffer, byteCount: UInt64) {
        change(offer.name) { $0.arrived(byteCount) }
    }

    /// A file has arrived completely.
    mutating func got(_ offer: FileOffer, content: [UInt8]?) {
        let expected = ScenarioFile(name: offer.name, byteCount: Int(offer.byteCount)).content
        change(offer.name) { file in
            file.byteCount = offer.byteCount
            file.isWhole = content == expected || file.isWhole
        }
    }

    private mutating func change(_ name: String, _ change: (inout DeviceObservation.FileObservation) -> Void) {
        if let index = files.firstIndex(where: { $0.name == name }) { return change(&files[index]) }
        var file = DeviceObservation.FileObservation(name: name)
        change(&file)
        files.append(file)
    }

    /// Shows what it has received.
    func show(in observation: inout DeviceObservation) {
        observation.items = items
        observation.files = files
        observation.warnings = warnings
    }
}
