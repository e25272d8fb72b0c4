import CommandSupport
import Foundation
import TestSupport

@testable import synclab

/// A program that plays a node: a script of the shell, to which NodeProcess gives what it gives a node.
enum ScriptedNode {
    /// Words of the shell that say that the node is ready, as a node does.
    static let ready = "echo '{\"ready\":\"here\"}'"

    /// Words of the shell that make the state folder and the journal, take so many orders, and answer each.
    static func answering(orderCount: Int) -> String {
        """
        mkdir -p "$4"
        : >> "$6"
        \(ready)
        left=\(orderCount)
        while [ $left -gt 0 ] && read -r order; do
            id=${order#*\\"id\\":}
            echo "{\\"id\\":${id%%[!0-9]*}}"
            left=$((left - 1))
        done
        """
    }

    /// Writes the program; gives its path.
    static func make(_ script: String, in folder: TemporaryFolder) async throws -> String {
        // Anybody who writes to a script that has ended shall be told, and not die.
        signal(SIGPIPE, SIG_IGN)
        let path = folder.path("node")
        let text = folder.path("node.sh")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: text))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: text)
        // A child copies it: what this process writes to, a child that it starts meanwhile holds open, and a file that
        // is open for writing cannot be run.
        let copying = try ChildProcess(
            "/bin/cp", ["--preserve=mode", text, path], environment: [:], files: (nil, nil, nil))
        guard await copying.ended() == .exited(0) else { throw CommandFailure("no program at \(path)") }
        return path
    }
}
