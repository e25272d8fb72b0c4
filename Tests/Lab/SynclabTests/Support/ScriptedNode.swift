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
    static func make(_ script: String, in folder: TemporaryFolder) throws -> String {
        // Anybody who writes to a script that has ended shall be told, and not die.
        signal(SIGPIPE, SIG_IGN)
        let path = folder.path("node")
        // A child that is started meanwhile would hold the file open for writing, and such a file cannot be run.
        try Spawning.withoutSpawning { try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path)) }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }
}
