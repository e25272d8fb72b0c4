/// Why a session cannot be set up as requested.
@nonexhaustive
public enum SessionSetupError: Error, Equatable, Sendable {
    /// The parts of a setup, by the environment variable that sets them.
    public enum Key: String, Hashable, Sendable, CaseIterable {
        /// Which device this is.
        case side = "WATCHCONNECTIVITY_SIDE"
        /// The device's folder.
        case stateFolder = "WATCHCONNECTIVITY_STATE"
        /// The device's name.
        case name = "WATCHCONNECTIVITY_NAME"
        /// The app that both devices belong to.
        case app = "WATCHCONNECTIVITY_APP"
        /// The folder in which both devices find each other.
        case meetingFolder = "WATCHCONNECTIVITY_MEETING"
        /// The phone's endpoint.
        case endpoint = "WATCHCONNECTIVITY_ENDPOINT"
        /// The code by which a watch pairs.
        case invitation = "WATCHCONNECTIVITY_INVITATION"
        /// The file for the code for the next watch.
        case invitationFile = "WATCHCONNECTIVITY_INVITATION_FILE"
        /// The time between two heartbeats.
        case heartbeat = "WATCHCONNECTIVITY_HEARTBEAT"
        /// How long the first use waits for a counterpart.
        case patience = "WATCHCONNECTIVITY_PATIENCE"
        /// Limits, and behaviour where Apple's is disputed.
        case behaviour = "WATCHCONNECTIVITY_BEHAVIOUR"
        /// The initial facts about the device.
        case device = "WATCHCONNECTIVITY_DEVICE"
        /// The destination of the trace.
        case trace = "WATCHCONNECTIVITY_TRACE"
    }

    /// A value is missing that the others require.
    case missing(Key)
    /// A value cannot be used.
    case unusable(Key, value: String, wayOut: String)
    /// A rule of ``SessionSetup/records`` is for a name that cannot be used.
    case badRecordName(kind: String, group: String)
    /// The process has already used its session.
    case tooLate
    /// The device could not be started: its folder, its store or its endpoint.
    case notStarted(String)
}

extension SessionSetupError: CustomStringConvertible {
    /// The error, and what to do about it.
    public var description: String {
        switch self {
        case .missing(let key): "\(key.rawValue) is not set: set it, or none of the variables for an unpaired session."
        case .unusable(let key, let value, let wayOut): "\(key.rawValue) cannot be \"\(value)\": \(wayOut)."
        case .badRecordName(let kind, let group):
            "No rule can be for the records \"\(kind)/\(group)\": use names of 1 to 64 bytes that do not begin with sync."
        case .tooLate: "The default session was used already: call setUp before the first use of WCSession.default."
        case .notStarted(let reason): "The device could not be started: \(reason)"
        }
    }
}
