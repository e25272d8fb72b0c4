/// The status of one command, on the phone and mirrored on the watch that asked.
///
///      idle ─key─▶ asked ──reply sent──▶ sent ──state or ack──▶ confirmed(ms) ◀─┐ an ack
///                   │ │ │                 ├──grace, none──────▶ unconfirmed ────┘ after all
///                   │ │ │                 └──ack refuses──────▶ refused(reason) | expired
///                   │ │ └─reply refused, not reachable────────▶ refused(reason)
///                   │ └───reply expired───────────────────────▶ expired
///                   └─link lost, or no reply in time──────────▶ unknown
///
///      unknown, sent, unconfirmed ──context lists the id──▶ what it lists
///      unknown ──a context from after the end without the id──▶ expired
///
/// `confirmed`, `refused` and `expired` stay as they are, whatever comes. Nothing waits for a link: a command without one is
/// refused at once (T35).
package struct CommandMachine: Hashable, Sendable {
    /// How long a command that was sent waits for the word of its device.
    package static let grace = Duration.seconds(3)

    /// What happens to a command.
    package enum Input: Hashable, Sendable {
        /// A person asked, with or without a link to the phone.
        case key(isReachable: Bool)
        /// The phone answered: ``CommandStatus/sent``, a refusal, or that it is too late.
        case reply(CommandStatus)
        /// The state of the device, or its acknowledgement, shows that it was carried out.
        case seen
        /// The device answered that it was not carried out: a refusal, or that it is too late.
        case denied(CommandStatus)
        /// The link to the phone broke.
        case linkLost
        /// A context came that was made at this time of the phone's clock; the status that it lists, nil for none.
        case context(CommandStatus?, madeAt: Timestamp)
        /// The time went on.
        case tick
    }

    /// Where it stands.
    package private(set) var status = CommandStatus.idle
    private let until: Timestamp
    private let timeToLive: Duration
    private var askedAt: Instant?
    private var sentAt: Instant?

    /// Creates the status of a command that nobody asked yet.
    ///
    /// - Parameters:
    ///   - until: When the command expires by the phone's clock.
    ///   - timeToLive: The same as a time from the key on, 1…60 s.
    package init(until: Timestamp, timeToLive: Duration) {
        self.until = until
        self.timeToLive = timeToLive
    }

    /// When ``Input/tick`` is due; nil while nothing is waited for.
    package var deadline: Instant? {
        switch status {
        case .asked: askedAt?.advanced(by: timeToLive)
        case .sent: sentAt?.advanced(by: Self.grace)
        case .idle, .confirmed, .unconfirmed, .refused, .expired, .unknown: nil
        }
    }

    /// Takes in what happened.
    package mutating func handle(_ input: Input, at now: Instant) {
        switch (status, input) {
        case (.idle, .key(let isReachable)):
            askedAt = now
            status = isReachable ? .asked : .refused(.phoneUnreachable)
        case (.asked, .reply(.sent)):
            sentAt = now
            status = .sent
        case (.asked, .reply(let answer)): if answer.isFinal { status = answer }
        case (.asked, .linkLost): status = .unknown
        case (.asked, .tick): if isOverdue(now) { status = .unknown }
        case (.sent, .tick): if isOverdue(now) { status = .unconfirmed }
        case (.sent, .seen), (.unconfirmed, .seen): status = .confirmed(milliseconds: milliseconds(at: now))
        case (.sent, .denied(let answer)), (.unconfirmed, .denied(let answer)):
            if answer.isFinal { status = answer }
        case (.unknown, .context(let listed?, _)), (.sent, .context(let listed?, _)),
            (.unconfirmed, .context(let listed?, _)):
            if listed.isFinal || listed == .unconfirmed { status = listed }
            if listed == .sent, status == .unknown {
                sentAt = now
                status = .sent
            }
        case (.unknown, .context(nil, let madeAt)): if madeAt > until { status = .expired }
        case (.idle, _), (.asked, _), (.sent, _), (.unconfirmed, _), (.unknown, _), (.confirmed, _), (.refused, _),
            (.expired, _):
            break
        }
    }

    private func isOverdue(_ now: Instant) -> Bool { deadline.map { now >= $0 } ?? false }

    private func milliseconds(at now: Instant) -> Int64 {
        max(0, (askedAt ?? now).duration(to: now).wholeNanoseconds / 1_000_000)
    }
}

extension CommandStatus {
    /// Whether nothing changes it any more.
    package var isFinal: Bool {
        switch self {
        case .confirmed, .refused, .expired: true
        case .idle, .asked, .sent, .unconfirmed, .unknown: false
        }
    }
}
