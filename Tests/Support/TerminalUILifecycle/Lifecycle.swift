import Foundation
import Platform
import PoolModel
import TerminalUI

/// A program for the tests of the terminal's life: started in a pseudo-terminal, it is stopped, resized,
/// continued and brought down in every way, while the tests look at what it leaves behind.
///
/// The first argument says what it does:
/// - `face`: shows a face whose device is named after the process; `r` does what the second argument says. With
///   `rest` there the terminal counts as unattended after 5 s; with `--no-mouse` at the end it leaves the mouse alone.
/// - `events`: writes a line for each event; `w` wakes itself from another thread, `e` prints an error message
///   and `f` many, `o` opens a second session, `k` sends itself a signal.
@main
enum Lifecycle {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let capabilities = Capabilities(
            environment: ProcessInfo.processInfo.environment, isTerminal: TerminalSession.isAvailable())
        if capabilities.needsPlainText {
            print(glance.plainLines().joined(separator: "\n"))
        } else if arguments.first == "events" {
            try showEvents()
        } else {
            try showFace(capabilities, onRetry: arguments.dropFirst().first ?? "nothing")
        }
    }

    private static func showFace(_ capabilities: Capabilities, onRetry deed: String) throws {
        var session = try TerminalSession(usesMouse: CommandLine.arguments.last != "--no-mouse")
        var number = 0
        let program = WatchProgram(
            WatchScreen(theme: Theme(), capabilities: capabilities),
            facts: { _ in
                var shown = glance
                if deed == "change" { change(&shown, number) }
                return WatchFacts(glance: shown, now: .now, configuration: WatchConfiguration(), shownDeviceID: nil)
            },
            perform: { outcome in
                guard outcome == .refresh else { return }
                number += 1
                fail(deed)
            })
        var loop = TerminalLoop(
            program, depth: capabilities.depth, erasesWithColor: capabilities.erasesWithColor,
            unattendedAfter: .seconds(deed == "rest" ? 5 : 120))
        let end = try loop.run(in: &session)
        session.close()
        print("ended with \(end)")
        exit(end.exitStatus)
    }

    private static func showEvents() throws {
        var session = try TerminalSession()
        try session.write(Array("ready\r\n".utf8))
        while true {
            let event = try session.nextEvent()
            // Without the module's name a line has room on the screen.
            let words = "\(event)".split(separator: "Terminal.").joined()
            try session.write(Array("\(words)\r\n".utf8))
            switch event {
            case .input(.key(.character("w"))): Thread.detachNewThread { TerminalWaker().wake() }
            case .input(.key(.character("e"))): FileHandle.standardError.write(Data("a message on the side\n".utf8))
            case .input(.key(.character("f"))): flood()
            case .input(.key(.character("k"))): raise(SIGTERM)
            case .input(.key(.character("o"))): try reportSecondSession(to: session)
            case .input(.key(.character("q"))), .inputClosed: return
            default: break
            }
        }
    }

    /// More messages than are kept.
    private static func flood() {
        for number in 1...20_000 {
            FileHandle.standardError.write(Data("message \(number)\n".utf8))
        }
    }

    private static func reportSecondSession(to session: borrowing TerminalSession) throws {
        do throws(TerminalError) {
            _ = try TerminalSession()
        } catch {
            try session.write(Array("\(error)\r\n".utf8))
        }
    }

    /// Another state for each number.
    private static func change(_ glance: inout Glance, _ number: Int) {
        let value = 27.3 + 1.7 * Double(number)
        let isLive = number % 4 != 3
        let (status, deviation) = glance.gauges[0].limits.judge(value)
        glance.gauges[0].value = value
        glance.gauges[0].status = isLive ? status : .offline
        glance.gauges[0].deviation = deviation
        glance.gauges[0].freshness = isLive ? .live : .stale
        glance.freshness = glance.gauges[0].freshness
        glance.pendingEdits = Array(repeating: "an edit", count: number % 3)
        glance.clock = "10:\(10 + number)"
    }

    private static func fail(_ deed: String) {
        switch deed {
        case "fatalError": fatalError("a deliberate failure")
        // An address that nothing can be mapped to.
        case "fault": unsafe UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
        case "overflow": print(depth(1))
        case "exit": exit(7)
        case "hang":
            FileHandle.standardOutput.write(Data("hanging".utf8))
            while true { pause() }
        case "error": FileHandle.standardError.write(Data("a message on the side\n".utf8))
        default: break
        }
    }

    /// Calls itself until the stack is used up.
    private static func depth(_ number: Int) -> Int {
        number > 0 ? depth(number + 1) + 1 : 0
    }

    private static var glance: Glance {
        let limits = Quantity.temperature.facts.limits
        let gauge = Glance.Gauge(
            quantity: .temperature, value: 27.3, status: .normal, deviation: nil, freshness: .live, ageSeconds: 4,
            limits: limits, trend: .steady, history: [])
        return Glance(
            deviceName: "pool \(getpid())", gauges: [gauge], freshness: .live, ageSeconds: 4, link: .linked,
            revision: 1, clock: "10:09")
    }
}
