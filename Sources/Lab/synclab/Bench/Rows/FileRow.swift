import CommandSupport

/// A file from the hub to a watch.
///
/// Both sides send chunks of the same size under the same credit through the same sockets. Neither has the file on a
/// disk, and neither computes its digest: only the transfer is measured. On the engine's side, transports run at both
/// ends.
struct FileRow: BenchRow {
    static let name = "file"
    static let summary = "a file from the hub to a watch, from memory to memory"

    func measure(_ bench: Bench) async throws -> [BenchResult] {
        let byteCount = (bench.isQuick ? 8 : 128) * 1_048_576
        let rates = try await bench.alternating([Workload.Side.engine, .raw]) { side in
            let hub = try await bench.run(Workload(side: side, watchCount: 1, work: .file(byteCount: byteCount))).hub
            return Double(byteCount) / 1_048_576 / hub.seconds
        }
        return [
            BenchResult(
                "one file", unit: "MiB/s", engine: rates[0], raw: rates[1], rawName: "credit transfer",
                goal: .atLeast(0.85))
        ]
    }
}
