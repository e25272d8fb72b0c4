import SyncCore

extension PeerState {
    /// Why a message of a companion's own was not confirmed, in words for a trace.
    static func words(of answer: TransferAnswer?) -> String {
        guard let answer else { return "the link's driver ended" }
        guard case .exchange(.failed(let fault)) = answer else { return "an answer to something else came" }
        return switch fault {
        case .notReachable: "the other device is out of reach"
        case .payloadTooLarge(let byteCount, let limit): "\(byteCount) bytes are too many, \(limit) may go"
        case .tooManyMessages(let limit): "\(limit) messages are under way already"
        case .replyTimedOut: "no answer came in time"
        case .replyFailed(let text), .deliveryFailed(let text): text
        case .sessionReset: "the link was interrupted"
        case .unknownMessage: "the other device does not know it"
        }
    }
}
