import PoolControl
import PoolModel

/// The commands for the hub, with their numbers and the recipients of the answers.
struct OrderQueue: Sendable {
    /// The recipient of an answer.
    enum Recipient: Equatable, Sendable {
        /// The person: the answer is shown as a toast.
        case person
        /// A dialog.
        case dialog(DialogStack.ID)
        /// The person, who is asked again if the server has devices.
        case serverRemoval(ServerID)
        /// The person, who is asked again whether so many readings are to be deleted.
        case deletion(DeviceID?, through: Timestamp)

        /// The recipient of the answer to a command that comes from no form.
        init(of command: HubCommand) {
            if case .edit(.removeServer(let id, _)) = command {
                self = .serverRemoval(id)
            } else if case .history(.delete(let device, _, let moment, _)) = command {
                // There may be more readings now than the person agreed to delete.
                self = .deletion(device, through: moment)
            } else {
                self = .person
            }
        }
    }

    /// The most orders that are waited for.
    private static let waitingMax = 64

    private var last = 0
    private var waiting: [Int: Recipient] = [:]
    private var new: [HubOrder] = []

    /// Appends an order with the next number; without a recipient its answer is ignored.
    mutating func append(_ command: HubCommand, for recipient: Recipient?) {
        last += 1
        waiting[last] = recipient
        new.append(HubOrder(number: last, command: command))
    }

    /// Takes out the orders that were not taken yet.
    mutating func take() -> [HubOrder] {
        defer { new = [] }
        return new
    }

    /// Takes out the recipient of an answer; nil if it has none.
    mutating func recipient(of answer: HubAnswer) -> Recipient? { waiting.removeValue(forKey: answer.number) }

    /// Stops waiting for old orders: an answer that never came is not waited for indefinitely.
    mutating func forgetOld() {
        guard waiting.count > Self.waitingMax else { return }
        waiting = waiting.filter { $0.key > last - Self.waitingMax }
    }
}
