import PoolControl
import PoolModel

extension HubCommand {
    /// Delete all readings up to a moment.
    static func deleteReadings(of device: DeviceID?, through last: Timestamp, expected: Int?) -> HubCommand {
        .history(.delete(device: device, from: Timestamp(milliseconds: .min), through: last, expected: expected))
    }
}

extension LinkPatch {
    /// The length of a cut that somebody will end by hand, in seconds: a week.
    private static let openCutSeconds = 604_800

    /// All of a disturbance, as a person wants it.
    init(_ trouble: LinkTrouble) {
        self.init()
        drop = Double(trouble.dropPercent) / 100
        duplicate = Double(trouble.duplicatePercent) / 100
        reorder = Double(trouble.reorderPercent) / 100
        delayMilliseconds = trouble.delayMilliseconds
        cutSeconds = trouble.isCut ? Self.openCutSeconds : 0
    }
}
