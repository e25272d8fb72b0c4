/// A watch that is paired with the hub.
public struct PairedWatch: Hashable, Sendable {
    /// The watch's public key: its identity.
    public var key: PeerKey
    /// The name for people; unique among the hub's watches.
    public var name: String
    /// When it was paired, in milliseconds since 1970 by the hub's clock.
    public var pairedMilliseconds: Int64
}

/// A key pair that the hub created so that one watch can pair; the hub keeps only the public half.
public struct Invitation: Hashable, Sendable {
    /// The public half.
    public var key: PeerKey
    /// The name for the watch; nil lets the watch choose.
    public var name: String?
    /// When it expires, in milliseconds since 1970 by the hub's wall clock as it was when the invitation was created.
    public var expiresMilliseconds: Int64
    /// The watch that used it; nil until one does.
    public var usedBy: PeerKey?
}

/// The keys that may talk to the hub, according to the ledger's cells.
///
/// An invitation admits one watch, once, for a limited time.
///
///     invited ──PAIR(key)──▶ used by key ──PAIR(same key)──▶ answered again
///        │                        └───────PAIR(other key)──▶ refused
///        └──expires / withdrawn──▶ void
struct PairingRegistry: Hashable, Sendable {
    /// The most watches of a hub.
    static let watchCountMax = 4096
    /// The number of unpaired watches whose upload records are kept.
    ///
    /// Beyond that, the records of the watch that was unpaired longest ago are removed, so its uploads may be judged
    /// twice if it comes back.
    static let formerCountMax = 64
    /// The kinds and groups of the cells; watches never see them.
    static let watchKind = "sync.watch"
    static let invitationKind = "sync.invitation"
    static let formerKind = "sync.former"
    static let group = "pairing"

    /// The watches by key.
    private(set) var watches = SortedMap<PeerKey, PairedWatch>()
    /// The names of the watches by the node of their stamps.
    private(set) var names: [UInt64: String] = [:]
    /// The invitations by key.
    private(set) var invitations = SortedMap<PeerKey, Invitation>()
    /// When each invitation expires, on the monotonic clock: setting the wall clock must neither extend nor end an
    /// invitation.
    private var ends = SortedMap<PeerKey, Instant>()
    /// The watches that were unpaired last, by key, each with the revision at which it was.
    private(set) var formerPeers = SortedMap<PeerKey, UInt64>()

    /// Reads the registry from the ledger's cells; cells that it cannot read admit no device.
    ///
    /// - Parameters:
    ///   - cells: The cells.
    ///   - former: The registry before these cells; nil when the hub starts. Its invitations keep their deadlines.
    ///   - moment: Now; its wall clock determines how long the other invitations last.
    init(_ cells: SortedMap<CellKey, Cell>, after former: PairingRegistry? = nil, at moment: Moment) {
        let first = CellKey(kind: Self.formerKind, record: RandomID(high: 0, low: 0), group: "")
        for (key, cell) in cells.suffix(from: first) {
            guard key.kind <= Self.watchKind else { break }
            guard let text = cell.value else { continue }
            if key.kind == Self.watchKind, let watch = PairedWatch(json: text) {
                watches[watch.key] = watch
                if names[watch.key.node] == nil { names[watch.key.node] = watch.name }
            } else if key.kind == Self.invitationKind, let invitation = Invitation(json: text) {
                invitations[invitation.key] = invitation
                ends[invitation.key] = former?.ends[invitation.key] ?? invitation.end(at: moment)
            } else if key.kind == Self.formerKind, let former = PeerKey(hexadecimal: text) {
                formerPeers[former] = cell.written.revision
            }
        }
    }

    /// Whether a transaction changes the registry.
    static func isTouched(by transaction: Transaction) -> Bool {
        (transaction.written.keys + transaction.removed).contains {
            $0.kind == watchKind || $0.kind == invitationKind
        }
    }

    /// The keys that may open a connection, in ascending order.
    func admitted(at now: Instant) -> [PeerKey] {
        (watches.keys + ends.pairs.filter { $0.value > now }.map(\.key)).sorted()
    }

    /// When the next invitation expires, or nil.
    func nextExpiry(after now: Instant) -> Instant? { ends.values.filter { $0 > now }.min() }

    /// The changes that create an invitation and remove expired ones.
    func inviting(_ invitation: Invitation, at now: Instant) -> [CellChange] {
        let ended = ends.pairs.filter { $0.value <= now }
        return ended.map { CellChange(key: Self.cell(Self.invitationKind, $0.key), value: nil) } + [
            CellChange(key: Self.cell(Self.invitationKind, invitation.key), value: invitation.json)
        ]
    }

    /// The answer to a request to pair.
    enum Verdict {
        /// The watch is already paired: answer again.
        case paired(name: String)
        /// The watch is new: make these changes durable, then answer.
        case pair(name: String, changes: [CellChange])
        /// Refuse the request.
        case refuse(Refusal)
    }

    /// Judges a request to pair.
    func judge(_ request: PairRequest, from peer: PeerKey, at moment: Moment) -> Verdict {
        guard var invitation = invitations[peer], let end = ends[peer], end > moment.monotonic else {
            return .refuse(.void("this invitation has ended or was never made; ask the hub for a new one"))
        }
        if let user = invitation.usedBy {
            guard user == request.key, let watch = watches[user] else {
                return .refuse(.void("this invitation was used by another watch; ask the hub for a new one"))
            }
            return .paired(name: watch.name)
        }
        guard invitations[request.key] == nil, isFree(request.key) else {
            // Otherwise anyone who has seen the invitation could impersonate the watch, or invalidate another
            // invitation.
            let text = "the watch must name a key of its own"
            return .refuse(Refusal(code: .failed, text: text, retryAfterMilliseconds: 60_000))
        }
        if let known = watches[request.key] {
            // The sender has proved the invitation's key, not the key of the watch that the request names. So the
            // hub's record of that watch stays unchanged. The watch itself, which lost its record of the hub, gets an
            // answer.
            invitation.usedBy = known.key
            let used = CellChange(key: Self.cell(Self.invitationKind, peer), value: invitation.json)
            return .pair(name: known.name, changes: [used])
        }
        guard watches.count < Self.watchCountMax else {
            let text = "the hub has \(Self.watchCountMax) watches, the most it takes; unpair one first"
            return .refuse(Refusal(code: .full, text: text, retryAfterMilliseconds: 60_000))
        }
        if invitation.name == nil, let flaw = HiddenCharacter.find(in: request.name)?.codePoint {
            let text =
                "the name of the watch holds \(flaw), which cannot be seen or steers a terminal: leave it out"
            return .refuse(Refusal(code: .failed, text: text, retryAfterMilliseconds: 60_000))
        }
        invitation.usedBy = request.key
        let name = freeName(invitation.name ?? request.name, for: request.key)
        let watch = PairedWatch(key: request.key, name: name, pairedMilliseconds: moment.wallMilliseconds)
        return .pair(
            name: name,
            changes: [
                CellChange(key: Self.cell(Self.watchKind, watch.key), value: watch.json),
                CellChange(key: Self.cell(Self.invitationKind, peer), value: invitation.json),
                CellChange(key: Self.cell(Self.formerKind, watch.key), value: nil),
            ])
    }

    /// The changes that remove a watch.
    func unpairing(_ key: PeerKey) -> [CellChange] {
        let used = invitations.values.filter { $0.usedBy == key }
        return [
            CellChange(key: Self.cell(Self.watchKind, key), value: nil),
            CellChange(key: Self.cell(Self.formerKind, key), value: key.hexadecimal),
        ] + used.map { CellChange(key: Self.cell(Self.invitationKind, $0.key), value: nil) }
            + releases.map { CellChange(key: Self.cell(Self.formerKind, $0), value: nil) }
    }

    /// The watch whose upload records are removed when another one is unpaired; none as long as there is room.
    var releases: [PeerKey] {
        guard formerPeers.count >= Self.formerCountMax else { return [] }
        let oldestFirst = formerPeers.pairs.sorted { $0.value < $1.value }
        return oldestFirst.prefix(formerPeers.count - Self.formerCountMax + 1).map(\.key)
    }

    /// Whether the cell of this key is unused, or already belongs to this key.
    private func isFree(_ key: PeerKey) -> Bool {
        let cell = Self.cell(Self.watchKind, key)
        return watches.keys.allSatisfy { $0 == key || Self.cell(Self.watchKind, $0) != cell }
    }

    /// The name; with a number after it if another watch already has it.
    private func freeName(_ name: String, for key: PeerKey) -> String {
        let taken = watches.values.filter { $0.key != key }.map(\.name)
        func isTaken(_ name: String) -> Bool { taken.contains { HiddenCharacter.looksAlike($0, name) } }
        guard isTaken(name) else { return name }
        // At most as many names are taken as there are watches, so one of these numbers is free.
        return (2...taken.count + 2).map { "\(name)-\($0)" }.first { !isTaken($0) } ?? name
    }

    private static func cell(_ kind: String, _ key: PeerKey) -> CellKey {
        let halves = stride(from: 0, to: 16, by: 8).map { start in
            key.bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return CellKey(kind: kind, record: RandomID(high: halves[0], low: halves[1]), group: group)
    }
}

extension Refusal {
    fileprivate static func void(_ text: String) -> Refusal {
        Refusal(code: .invitationVoid, text: text, retryAfterMilliseconds: 60_000)
    }
}

extension PairedWatch {
    fileprivate var json: String {
        let value = JSONValue.members([
            "key": .string(key.hexadecimal), "name": .string(name), "paired": .integer(pairedMilliseconds),
        ])
        return String(decoding: value.encoded, as: UTF8.self)
    }

    fileprivate init?(json: String) {
        // A cell that is not JSON, or that lacks a member, admits no device.
        guard let value = try? JSONValue(decoding: Array(json.utf8)),
            let key = value["key"]?.string.flatMap({ PeerKey(hexadecimal: $0) }),
            let name = value["name"]?.string, let paired = value["paired"]?.integer
        else { return nil }
        // An earlier version may have stored characters that cannot be seen.
        self.init(key: key, name: HiddenCharacter.replaced(in: name), pairedMilliseconds: paired)
    }
}

extension Invitation {
    /// When it expires, judged by the present wall clock.
    fileprivate func end(at moment: Moment) -> Instant {
        let (left, overflow) = expiresMilliseconds.subtractingReportingOverflow(moment.wallMilliseconds)
        return moment.monotonic.advanced(by: .milliseconds(overflow ? .max : left))
    }

    fileprivate var json: String {
        let value = JSONValue.members([
            "key": .string(key.hexadecimal), "name": name.map { .string($0) } ?? .null,
            "expires": .integer(expiresMilliseconds),
            "usedBy": usedBy.map { .string($0.hexadecimal) } ?? .null,
        ])
        return String(decoding: value.encoded, as: UTF8.self)
    }

    fileprivate init?(json: String) {
        // As for a watch, an unreadable cell admits no device.
        guard let value = try? JSONValue(decoding: Array(json.utf8)),
            let key = value["key"]?.string.flatMap({ PeerKey(hexadecimal: $0) }),
            let expires = value["expires"]?.integer
        else { return nil }
        self.init(
            key: key, name: value["name"]?.string, expiresMilliseconds: expires,
            usedBy: value["usedBy"]?.string.flatMap { PeerKey(hexadecimal: $0) })
    }
}
