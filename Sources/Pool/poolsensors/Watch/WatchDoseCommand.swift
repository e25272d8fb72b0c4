import ArgumentParser
import CommandSupport
import Platform
import PoolModel
import PoolWatch

/// Logs a dose on a watch.
struct WatchDoseCommand: Configured {
    static let configuration = CommandConfiguration(
        commandName: "dose", abstract: "Logs what was added to a pool, here and then at the hub.",
        discussion: """
            Works while the watch runs and at rest, with the hub and without: the dose is
            on this machine's disk at once, and the hub gets it once, with this watch as its
            author. The command brings it to the hub if that answers within 5 s, else it
            says what it waits for: a watch that runs sends it then.

            Example:
              poolsensors watch dose Garden sodium-hypochlorite 400mL
            """)

    @OptionGroup var dose: DoseOptions

    @OptionGroup var options: WatchOptions

    @OptionGroup(title: "Common Options") var common: CommonOptions

    var flags: [String: String?] { [Catalog.watchName.key: options.name] }

    func run(in context: CommandContext) async throws {
        let report = try await context.watchReport()
        guard report.revision != nil else { throw CommandFailure(WatchReport.noConfiguration) }
        let pool = try context.meant { try report.configuration.pool(matching: dose.pool) }
        // The hub knows the author by the link; what a watch says of it does not count.
        let logged = try dose.dose(in: pool.id, by: "", at: .now)
        guard case .queuedDose(let queued, let name) = try await context.askWatch(.dose(logged)) else {
            throw CommandFailure("the watch gave another answer than to a dose; is it of another version?")
        }
        let record = await context.delivered(queued, pool: name)
        if options.json.isOn { return try options.json.write(record) }
        for line in record.lines(watch: try context.watchName) { Output.standard.line(PlainText.oneLine(line)) }
    }
}

extension CommandContext {
    /// Waits a short time until the hub has a dose.
    fileprivate func delivered(_ dose: Dose, pool: String) async -> WatchDoseRecord {
        var record = WatchDoseRecord(
            id: dose.id, pool: pool, text: "\(dose.amountText) \(dose.product.name) in \(pool)")
        do {
            (record.waitsFor, record.isRunning) = try await WatchClient.deliver(
                dose: dose.id, path: try folders.watch(watchName),
                options: .init(endpoint: try settings.value(of: Catalog.watchHub), logger: logger),
                patience: Self.deliveryPatience)
        } catch {
            // The dose is durable; only whether the hub has it is not known.
            record.waitsFor = "\(error)"
        }
        return record
    }
}

/// What became of a dose that was logged on a watch.
struct WatchDoseRecord: Encodable {
    var id: DoseID
    var pool: String
    var text: String
    /// What the dose waits for; nil if the hub has it.
    var waitsFor: String?
    /// Whether a process that runs the watch sends it to the hub.
    var isRunning = false

    init(id: DoseID, pool: String, text: String) {
        self.id = id
        self.pool = pool
        self.text = text
    }

    /// The record for a person.
    ///
    /// - Parameter watch: The name of the watch on this machine.
    /// - Returns: The lines.
    func lines(watch: String) -> [String] {
        guard let waitsFor else { return ["logged here and at the hub: \(text)"] }
        let way =
            isRunning
            ? "The watch that runs here sends it then."
            : "Nothing sends it while this watch is at rest: start "
                + "`poolsensors watch\(PairingAdvice.option(name: watch))` when the hub can be reached."
        return ["logged here, not yet at the hub: \(text)", "It waits for \(waitsFor). \(way)"]
    }
}
