import ArgumentParser
import CommandSupport
import PoolModel

/// The root of all commands.
struct SyncLab: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "synclab",
        abstract: "The laboratory of the sync engine: it tries to break what hub and watches promise, and measures.",
        discussion: """
            In virtual time, from a seed:
              synclab simulate --seeds 0-999
              synclab search --seeds 0-999999
              synclab replay --seed 42 --verbose
              synclab shrink --seed 42 --output broken.json

            Stories, in virtual time or on real processes, and chaos on real ones:
              synclab scenario run Fixtures/scenarios/*.scenario
              synclab chaos --for 60s

            Apps that use WatchConnectivity, in virtual time or as processes:
              synclab connectivity Fixtures/scenarios/two-sessions.steps

            Beside the bare libraries:
              synclab bench sync

            What pools need is in `poolsensors`. Usage errors end with status 64, all
            others with 1 unless the help of the command says more.
            """,
        version: Release.version,
        subcommands: [
            SimulateCommand.self, SearchCommand.self, ReplayCommand.self, ShrinkCommand.self, ScenarioCommand.self,
            ChaosCommand.self, ConnectivityCommand.self, BenchCommand.self, NodeCommand.self,
            ConnectivityAppCommand.self,
            GuardCommand.self,
        ])
}
