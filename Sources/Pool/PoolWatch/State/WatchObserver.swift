internal import Platform
internal import PoolModel
internal import SyncCore
internal import SyncTransport

/// Makes the state of a running watch, and the glances for its faces.
struct WatchObserver: Sendable {
    let hub: PairedHub?
    /// The hub's endpoint, in words for a person.
    let endpoint: String
    /// The device that the watch shall show; nil for the selected one.
    let wanted: String?
    let reducer: WatchReducer
    /// Knows the hub's clock; nil for a watch that was never paired.
    let transport: WatchTransport?
    let notices: NoticeStore
    let files: WatchFiles
    let now: @Sendable () -> Moment

    /// The state now.
    var state: WatchState {
        let facts = reducer.facts
        let moment = now()
        return WatchState(
            hub: hub, endpoint: endpoint, wanted: wanted, viewed: facts.viewed, found: facts.found,
            memory: facts.memory,
            notices: notices.notices, noticeCount: notices.takenCount, storageFailureCount: facts.storageFailureCount,
            now: moment, hubTime: hubTime(at: moment))
    }

    /// The time by the hub's clock, or by this machine's until the hub has sent its time.
    var hubTime: Timestamp { hubTime(at: now()) }

    private func hubTime(at moment: Moment) -> Timestamp {
        Timestamp(milliseconds: transport?.hubMilliseconds(at: moment) ?? moment.wallMilliseconds)
    }

    /// The present data for a face, of the device that the watch shows, at this time of day.
    func glance(clock: String) -> Glance {
        let state = state
        return faceGlance(of: state.choice.device, state, clock: clock)
    }

    /// The present data for a face, for a caller that may want another device than the watch shows.
    ///
    /// - Parameters:
    ///   - text: The device, by its name or the start of its identity; nil for the one that the watch shows.
    ///   - clock: The time of day to show.
    /// - Returns: The glance, or the rejection of a device that does not exist.
    func glance(device text: String?, clock: String) -> WatchAnswer {
        let state = state
        let choice = state.choice(of: text)
        if case .notFound(let error) = choice { return .refused("\(error)") }
        return .glance(faceGlance(of: choice.device, state, clock: clock))
    }

    /// The present data of each device, without the time of day and without histories.
    var glances: [DeviceID: Glance] {
        var state = state
        state.memory.forgetHistories()
        return Dictionary(
            state.memory.configuration.devices.map { ($0.id, glance(of: $0, state, clock: "")) }
        ) { $1 }
    }

    private func faceGlance(of shown: WatchDevice?, _ state: WatchState, clock: String) -> Glance {
        var glance = glance(of: shown, state, clock: clock)
        glance.assessments = state.assessments
        return glance
    }

    private func glance(of shown: WatchDevice?, _ state: WatchState, clock: String) -> Glance {
        var glance = state.glance(of: shown, clock: clock)
        glance.restoreNotice = reducer.restoreNotice(at: state.hubTime)
        glance.fileNotice = files.notice(at: state.hubTime)
        return glance
    }
}
