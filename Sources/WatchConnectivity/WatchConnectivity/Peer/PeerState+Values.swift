package import SyncCore

extension PeerState {
    /// Which of the two devices this is.
    package enum Role: String, Hashable, Sendable {
        /// The phone: many watches, of which one is active.
        case phone
        /// A watch: one phone.
        case watch
    }

    /// What the app's process does; the device goes on in all of them.
    package enum AppState: String, Hashable, Sendable, CaseIterable {
        /// There is no process: nothing can be called, what was live is lost.
        case notRunning
        /// The process is there but gets no time: nothing is delivered to it.
        case suspended
        /// The process runs behind another app's face, or in the background.
        case background
        /// The app is in front.
        case foreground

        /// Whether the app can be called.
        package var isRunning: Bool { self == .background || self == .foreground }
    }

    /// What a companion is told at its start and never changes.
    package struct Configuration: Hashable, Sendable {
        package var role: Role
        /// What a payload may have at most, and where Apple's behaviour is disputed, which way is taken.
        package var behaviour: SessionBehaviour
        /// Whether the trace gets more than warnings; its lines cost more than most of the work.
        package var isTraced: Bool

        package init(role: Role, behaviour: SessionBehaviour = SessionBehaviour(), isTraced: Bool = true) {
            self.role = role
            self.behaviour = behaviour
            self.isTraced = isTraced
        }
    }

    /// The session's own name for a message that the app sends; the next one is greater.
    package struct MessageToken: Hashable, Sendable {
        package var number: UInt64

        package init(number: UInt64) {
            self.number = number
        }
    }

    /// The name of a call that the app is to get; each that begins is answered by ``Input/delivered(_:_:)``.
    package struct DeliveryID: Hashable, Sendable {
        package var number: UInt64

        package init(number: UInt64) {
            self.number = number
        }
    }

    /// The name of a request to the engine.
    package struct EngineTag: Hashable, Sendable {
        package var number: UInt64

        package init(number: UInt64) {
            self.number = number
        }
    }

    /// What the engine's store holds of what a companion handed to it.
    package struct Holdings: Hashable, Sendable {
        /// The bytes of each outstanding item.
        package var items: [RandomID: Int]
        /// The engine's ids of the files that wait, by the names of their copies.
        package var files: [String: RandomID]
        /// The engine's ids of the files whose results it will tell again.
        package var fileResults: Set<RandomID>

        package init(
            items: [RandomID: Int] = [:], files: [String: RandomID] = [:], fileResults: Set<RandomID> = []
        ) {
            self.items = items
            self.files = files
            self.fileResults = fileResults
        }

        /// What is in an engine's stored state of this peer.
        package init(_ state: TransferState) {
            let items = ItemTrack.allCases.flatMap { state.exchange.outboxes[$0].items }
            self.init(
                items: Dictionary(items.map { ($0.id, $0.payload.count) }) { $1 },
                files: Dictionary(state.files.queue.map { ($0.file, $0.offer.id) }) { $1 },
                fileResults: Set(state.files.results.map(\.id)))
        }
    }

    /// A payload that the app gave.
    package enum Payload: Hashable, Sendable {
        /// The bytes of its property list, or the data itself.
        case bytes([UInt8])
        /// It holds what no property list holds: 7010. The key path of the culprit and its type are for the trace.
        case unsupported(keyPath: String, type: String)
    }

    /// A live message.
    package struct Live: Hashable, Sendable {
        package var payload: Payload
        /// Whether it is `Data` and not a dictionary.
        package var isData: Bool
        package var wantsReply: Bool

        package init(payload: Payload, isData: Bool, wantsReply: Bool) {
            self.payload = payload
            self.isData = isData
            self.wantsReply = wantsReply
        }
    }

    /// How the delegate took a call.
    package enum Handling: Hashable, Sendable {
        case handled
        /// It has no such method (rule R48); its name as Apple spells it.
        case lacksMethod(String)
        /// There was no delegate any more (rule R4).
        case noDelegate
    }

    /// A file that waits in the device's folder.
    package struct CopiedFile: Hashable, Sendable {
        /// The store's name of the copy.
        package var file: String
        /// The last component of the path at the app.
        package var name: String
        package var byteCount: UInt64
        package var digest: FileDigest

        package init(file: String, name: String, byteCount: UInt64, digest: FileDigest) {
            self.file = file
            self.name = name
            self.byteCount = byteCount
            self.digest = digest
        }
    }

    /// Why an app is started or woken.
    package enum LaunchReason: String, Hashable, Sendable {
        case message
        case context
        case userInfo
        case complication
        case file
    }

    /// A durable step: what is stored under these keys from now on, nil for nothing any more; all or none.
    package struct Record: Hashable, Sendable {
        /// The number of the record in this life, from 1.
        package var number: UInt64
        package var changes: [StoredChange]

        package init(number: UInt64, changes: [StoredChange]) {
            self.number = number
            self.changes = changes
        }
    }

    /// A value under a key; the keys are the companion's own affair.
    package struct StoredChange: Hashable, Sendable {
        package var key: String
        package var value: [UInt8]?

        package init(key: String, value: [UInt8]?) {
            self.key = key
            self.value = value
        }
    }
}
