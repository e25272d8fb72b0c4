import Foundation
import WatchConnectivity

/// A phone or a watch as a process of its own, for the tests: it reads a command a line, and prints an event a line.
///
/// The environment says which device it is (`SessionSetup.init(environment:)`). It exits at the end of its input. With
/// the name of a client as its argument, and a file, it runs that client instead.
@main
enum SessionProcess {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if let client = arguments.first {
            // The client runs the main loop, the input is read beside it.
            Thread.detachNewThread {
                while readLine() != nil {}
                exit(0)
            }
            Output.print("ready")
            return run(client, URL(fileURLWithPath: arguments.last ?? ""))
        }
        let app = ScriptedApp(WCSession.default)
        Output.print("ready")
        while let line = readLine() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard let word = words.first else { continue }
            app.carryOut(word, words.count > 1 ? words[1] : "")
        }
        exit(0)
    }

    private static func run(_ client: String, _ file: URL) {
        switch client {
        case "keyed": KeyedClient.run(file: file)
        case "notifying": NotifyingClient.run(file: file)
        case "awaiting": AwaitingClient.run()
        default: fatalError("no client: \(client)")
        }
    }
}

/// Prints whole lines, from any thread.
enum Output {
    private static let lock = NSLock()

    static func print(_ words: String...) {
        lock.withLock {
            FileHandle.standardOutput.write(Data((words.joined(separator: " ") + "\n").utf8))
        }
    }
}
