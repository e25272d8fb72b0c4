public import SyncCore

/// Which of some journals cannot be fed, and why.
public struct JournalMergeError: Error, Equatable, Sendable {
    /// Its place among them, from 0; nil if they cannot be fed together.
    public var journal: Int?
    /// Why.
    public var fault: JournalError
}

extension JournalMergeError: CustomStringConvertible {
    /// Which journal, counted from 1, and what is wrong with it.
    public var description: String { journal.map { "journal \($0 + 1): \(fault)" } ?? "\(fault)" }
}

/// Feeds the journals of one run together, in the order of their time, and checks the promises.
///
/// The clock that orders them must be the same for all: that of one machine since its start.
public enum JournalMerge {
    /// Feeds journals.
    ///
    /// - Parameters:
    ///   - journals: The bytes of the files.
    ///   - applications: The applications whose journals they may be; all of them must be of the same one.
    ///   - mayBeRestored: Whether earlier copies of stores were restored in this run: then a store that lacks what was
    ///     durable breaks no promise.
    ///   - each: Called for each step with its device, its time and its text; nil saves making the text.
    /// - Returns: What was found.
    /// - Throws: ``JournalMergeError`` if one of them is no journal.
    public static func replay(
        _ journals: [[UInt8]], of applications: [JournalApplication] = [.scenarios], mayBeRestored: Bool = false,
        each: ((String, Moment, String) -> Void)? = nil
    ) throws(JournalMergeError) -> JournalReport {
        var replays: [JournalReplay] = []
        for (index, bytes) in journals.enumerated() {
            do throws(JournalError) {
                replays.append(try JournalReplay(bytes, of: applications))
            } catch {
                throw JournalMergeError(journal: index, fault: error)
            }
        }
        var judge = JournalChecker(
            devices: replays.map(\.device), of: try application(of: replays, applications), mayBeRestored: mayBeRestored
        )
        var due: [Instant?] = []
        for (index, replay) in replays.enumerated() {
            due.append(try naming(index) { () throws(CodecError) in try replay.nextMoment()?.monotonic })
        }
        while let index = due.indices.filter({ due[$0] != nil }).min(by: { earlier(due[$0], due[$1]) }) {
            guard let (moment, event) = try naming(index, { () throws(CodecError) in try replays[index].next() })
            else {
                due[index] = nil
                continue
            }
            if let device = replays[index].device, replays[index].difference == nil {
                judge.watch(index, event, of: device, at: moment)
            }
            if let each { each(replays[index].device?.name ?? "", moment, event.words) }
            due[index] = try naming(index) { () throws(CodecError) in try replays[index].nextMoment()?.monotonic }
        }
        judge.end()
        return JournalReport(
            journals: replays.map { replay in
                JournalReport.Journal(
                    device: replay.device, runCount: replay.runCount, stepCount: replay.stepCount,
                    tornByteCount: replay.tornByteCount, ends: replay.ends.map(\.words),
                    difference: replay.difference)
            }, violation: judge.violation, violator: judge.violator, notes: judge.notes)
    }

    /// Does something with one of the journals, and says which one it is if that fails.
    private static func naming<Result>(
        _ journal: Int, _ body: () throws(CodecError) -> Result
    ) throws(JournalMergeError) -> Result {
        do throws(CodecError) {
            return try body()
        } catch {
            throw JournalMergeError(journal: journal, fault: .malformed(error.description))
        }
    }

    /// The application that all journals name.
    private static func application(
        of replays: [JournalReplay], _ applications: [JournalApplication]
    ) throws(JournalMergeError) -> JournalApplication {
        let names = Set(replays.compactMap { $0.device?.application }).sorted()
        guard names.count <= 1 else {
            let reason = "these are journals of \(names.joined(separator: " and ")): replay each for itself"
            throw JournalMergeError(journal: nil, fault: .malformed(reason))
        }
        return applications.first { $0.name == names.first } ?? .scenarios
    }

    private static func earlier(_ left: Instant?, _ right: Instant?) -> Bool {
        guard let left, let right else { return left != nil }
        return left < right
    }
}

extension JournalReplay.Event {
    /// A short text.
    fileprivate var words: String {
        switch self {
        case .hubBegan(let state, _, _): "starts at revision \(state.version.revision)"
        case .watchBegan(let state, _): "starts at revision \(state.replica.snapshot?.version.revision ?? 0)"
        case .hub(.received(let parts, _, _), _): WatchEngine.Input.received(parts: parts).traceText
        case .hub(.unroutable, _): "unroutable"
        case .hub(let input, _): input.traceText
        case .watch(let input, _): input.traceText
        case .ended(let end): "is not recorded further: \(end.words)"
        }
    }
}
