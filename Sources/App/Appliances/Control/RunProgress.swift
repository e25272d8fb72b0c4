/// Where a scene stands, by its steps: refused with the first step that is, and confirmed when all are.
package struct RunProgress: Sendable {
    private var steps: [Command.ID: CommandStatus]
    private let order: [Command.ID]

    /// A scene whose steps have these ids.
    init(_ steps: [Command.ID]) {
        order = steps
        self.steps = Dictionary(steps.map { ($0, .idle) }) { $1 }
    }

    /// Notes a step; false if it does not belong to this run.
    mutating func note(_ id: Command.ID, _ status: CommandStatus) -> Bool {
        guard steps[id] != nil else { return false }
        steps[id] = status
        return true
    }

    /// Whether nothing more comes of it.
    ///
    /// - Parameter isUnderWay: Whether a word about a step is awaited.
    /// - Returns: True once each step ended, or one of them was refused.
    func isOver(_ isUnderWay: (Command.ID) -> Bool) -> Bool {
        switch status {
        case .refused, .expired: true
        case .idle, .asked, .sent, .confirmed, .unconfirmed, .unknown:
            steps.allSatisfy { $0.value != .idle && $0.value != .asked && !isUnderWay($0.key) }
        }
    }

    /// Where the whole stands.
    var status: CommandStatus {
        let all = order.compactMap { steps[$0] }
        for status in all {
            switch status {
            case .refused, .expired: return status
            case .idle, .asked, .sent, .confirmed, .unconfirmed, .unknown: continue
            }
        }
        let confirmed = all.compactMap { status -> Int64? in
            guard case .confirmed(let milliseconds) = status else { return nil }
            return milliseconds
        }
        if confirmed.count == all.count { return .confirmed(milliseconds: confirmed.max() ?? 0) }
        return all.contains(.unconfirmed) ? .unconfirmed : .sent
    }

    /// The id of a step: that of the whole with the number of the step mixed in, so that a repeat gives the same one.
    package static func id(of step: Int, in whole: Command.ID) -> Command.ID {
        let digits = whole.digits
        let last = (UInt64(digits.suffix(4), radix: 16) ?? 0) ^ (0x8000 | UInt64(step))
        let text = String(last, radix: 16)
        return Command.ID(digits.dropLast(4) + String(repeating: "0", count: 4 - text.count) + text) ?? whole
    }
}
