import Foundation
import Platform
import PoolControl
import PoolHub
import PoolModel
import Service
import TestSupport
import Testing

@testable import PoolScreens
@testable import TerminalUI
@testable import poolsensors

@Suite(.timeLimit(.minutes(20))) struct HubControllerTests {
    private func addServer(_ name: String) -> HubCommand {
        .edit(
            .addServer(ServerPatch(of: Server(id: ServerID(high: 0, low: 0), name: name, host: "127.0.0.1", port: 1))))
    }

    @Test func `a console elsewhere sees and does the same as one of the hub's own process`() async throws {
        let hub = try await ConsoleHub { folder, _ in RemoteHubConnection(path: folder.path("hub")) }
        // A hub that is still starting is not there yet for others.
        await hub.wait { $0.hub.endpoint != nil }
        await hub.must(addServer("Home"))
        let shown = await hub.wait { !$0.hub.servers.isEmpty }
        #expect(shown.hub.revision == 1)
        #expect(shown.hub.endpoint?.hasPrefix("tcp://127.0.0.1:") == true)
        #expect(shown.events.contains { $0.text == "settings changed" })
        try await hub.stop()
    }

    @Test func `what others change is seen`() async throws {
        let hub = try await ConsoleHub()
        var draft = ServerPatch()
        (draft.name, draft.host) = ("Other", "127.0.0.1")
        _ = try await hub.hub.perform(.edit(.addServer(draft)))
        #expect(await hub.wait { !$0.hub.servers.isEmpty }.hub.servers.first?.server.name == "Other")
        try await hub.stop()
    }

    @Test func `a line of the log is an event`() async throws {
        let hub = try await ConsoleHub()
        hub.hub.note(logLine: "it drips", isProblem: true)
        let event = await hub.wait { $0.events.contains { $0.text == "it drips" } }.events.first {
            $0.text == "it drips"
        }
        #expect(event?.topic == .hub)
        #expect(event?.status == .warning)
        try await hub.stop()
    }

    @Test func `a hub that is gone is said to be`() async throws {
        let hub = try await ConsoleHub { folder, hub in Vanishing(hub: hub) }
        await hub.wait { $0.notices.contains { $0.hasPrefix("the hub does not answer: no hub runs on /there") } }
        try await hub.stop()
    }

    @Test func `the screens begin with what is known, and q ends them at once`() async throws {
        let hub = try await ConsoleHub()
        await hub.must(addServer("Home broker"))
        var program = HubProgram(HubConsole(capabilities: Capabilities(depth: .truecolor)), controller: hub.controller)
        let view = TerminalView(size: Size(columns: 120, rows: 36))
        #expect(program.refresh(in: view) == .redraw)
        _ = program.draw(in: view)
        #expect(program.handle(.focus(true), in: view) == .unchanged)
        #expect(program.handle(.mouse(Mouse(.click, x: 3, y: 3)), in: view) == .redraw)
        hub.controller.stop()
        #expect(program.refresh(in: view) == .end)
        try await hub.stop()
    }

    @Test func `a chosen theme is remembered, and what is copied goes to the terminal`() async throws {
        let hub = try await ConsoleHub()
        await hub.must(addServer("Home broker"))
        await hub.wait { !$0.hub.servers.isEmpty }
        let chosen = Lock<[Theme.Appearance]>([])
        var program = HubProgram(HubConsole(capabilities: Capabilities(depth: .truecolor)), controller: hub.controller)
        { theme in
            chosen.withLock { $0.append(theme) }
        }
        let view = TerminalView(size: Size(columns: 120, rows: 36))
        #expect(program.refresh(in: view) == .redraw)
        for key in "tdt" { _ = program.handle(.key(.character(key)), in: view) }
        #expect(chosen.withLock(\.self) == [.light, .dark])
        _ = program.handle(.key(.escape), in: view)
        _ = program.handle(.key(.character("1")), in: view)
        #expect(program.handle(.key(.character("y")), in: view) == .copy("127.0.0.1:1"))
        try await hub.stop()
    }

    /// Answers once, then never again.
    private struct Vanishing: HubConnection {
        let hub: PoolHub
        let count = Counter()
        var isOwn: Bool { false }
        var changes: AsyncStream<Void> { hub.changes }

        func complete(invitation code: String, validForSeconds seconds: Int64) -> (code: String, notes: [String]) {
            (code, [])
        }

        func perform(_ request: HubCommand) async throws -> HubReply {
            guard case .look = request, await count.next() < 2 else {
                throw ServiceFailure.notRunning(HubFolder.service(path: "/there"))
            }
            return try await hub.perform(request)
        }
    }

    private actor Counter {
        private var count = 0
        func next() -> Int {
            count += 1
            return count
        }
    }
}

@Suite struct DayMemoryTests {
    @Test func `the history is asked once for each device, again after it was removed`() {
        var days = DayMemory()
        let device = Samples.device("Lagoon")
        #expect(days.take([device], at: Timestamp(milliseconds: 0)).count == Quantity.listed { _ in false }.count)
        #expect(days.take([device], at: Timestamp(milliseconds: 0)).isEmpty)
        #expect(days.take([], at: Timestamp(milliseconds: 0)).isEmpty)
        #expect(days.take([device], at: Timestamp(milliseconds: 0)).count == Quantity.listed { _ in false }.count)
    }

    @Test func `the history is asked again when a calibration changes the past`() {
        var days = DayMemory()
        var device = Samples.device("Lagoon")
        #expect(!days.take([device], at: Timestamp(milliseconds: 0)).isEmpty)
        let point = TimeSeries.Point(
            start: Timestamp(milliseconds: 0), least: 7, greatest: 7, mean: 7, rawMean: 7, count: 1, isAfterGap: false,
            isExact: true)
        days.take(TimeSeries(quantity: .ph, first: point.start, last: point.start, points: [point]), of: device.id)
        #expect(days[device.id] != nil)
        device.device.calibrations = [.ph: CalibrationSeries()]
        #expect(days.take([device], at: Timestamp(milliseconds: 0)).count == Quantity.listed { _ in false }.count)
        #expect(days[device.id] == nil)
        #expect(days.take([device], at: Timestamp(milliseconds: 0)).isEmpty)
    }
}
