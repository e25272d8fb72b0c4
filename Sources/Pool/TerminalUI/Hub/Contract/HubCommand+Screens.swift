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
    static let openCutSeconds = 604_800

    /// What the screens set of a disturbance, as a person wants it; the rest stays.
    init(_ disturbance: LinkDisturbance) {
        self.init()
        drop = disturbance.drop
        duplicate = disturbance.duplicate
        reorder = disturbance.reorder
        delayMilliseconds = disturbance.delayMilliseconds
        cutSeconds = disturbance.cutUntil == nil ? 0 : Self.openCutSeconds
    }
}
