import PoolControl
import PoolModel

extension HubCommand {
    /// Delete all readings up to a moment.
    static func deleteReadings(of device: DeviceID?, through last: Timestamp, expected: Int?) -> HubCommand {
        .history(.delete(device: device, from: Timestamp(milliseconds: .min), through: last, expected: expected))
    }
}

extension HubCommand {
    /// What is left of a form's command if what the same form said when it was opened is left out: a person saves what
    /// they changed, and keeps what others changed meanwhile.
    func changes(from old: HubCommand?) -> HubCommand {
        if case .edit(.editServer(let id, let patch)) = self, case .edit(.editServer(id, let old)) = old {
            return .edit(.editServer(id, patch.changes(from: old)))
        }
        if case .edit(.editDevice(let id, let patch)) = self, case .edit(.editDevice(id, let old)) = old {
            return .edit(.editDevice(id, patch.changes(from: old)))
        }
        if case .edit(.editPool(let id, let patch)) = self, case .edit(.editPool(id, let old)) = old {
            return .edit(.editPool(id, patch.changes(from: old)))
        }
        if case .alerts(.change(let patch)) = self, case .alerts(.change(let old)) = old {
            return .alerts(.change(patch.changes(from: old)))
        }
        return self
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
