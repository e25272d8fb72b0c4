import CommandSupport
import Foundation
import TestSupport
import Testing

@testable import poolsensors

/// A terminal for one program: what it writes is kept, what is sent is typed.
final class ScreenTerminal: Sendable {
    private let master: Int32
    private let slave: Int32
    private let written = Awaited("")
    /// The modes before anything ran.
    let modesBefore: [tcflag_t]

    /// Asks for the number of a terminal, and unlocks it; from the kernel's ioctls.h.
    private static let getNumber: UInt = 0x8004_5430
    private static let setLock: UInt = 0x4004_5431

    /// Opens a terminal.
    init(columns: Int, rows: Int) throws {
        let master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        self.master = master
        var (unlocked, number): (Int32, Int32) = (0, 0)
        // The numbers are read and written during the calls only.
        let isUnlocked = unsafe ioctl(master, Self.setLock, &unlocked) == 0
        guard isUnlocked, unsafe ioctl(master, Self.getNumber, &number) == 0 else { throw POSIXError(.ENXIO) }
        slave = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        // The structure is read during the call only.
        _ = unsafe ioctl(master, UInt(TIOCSWINSZ), &size)
        modesBefore = Self.modes(of: slave)
        Thread.detachNewThread { [weak self] in
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while true {
                // The array outlives the call.
                let count = unsafe read(master, &bytes, bytes.count)
                guard count > 0 else { return }
                self?.written.change { $0 += String(decoding: bytes.prefix(count), as: UTF8.self) }
            }
        }
    }

    deinit {
        close(slave)
        close(master)
    }

    /// Starts the program in this terminal.
    func start(_ arguments: [String], in folder: TemporaryFolder, build: Build = .present) throws -> ChildProcess {
        let variables = [
            "HOME": folder.url.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "TMPDIR": folder.url.path, "POOLSENSORS_STATE": folder.path("state"), "SWIFT_BACKTRACE": "interactive=no",
            "TERM": "xterm-256color", "COLORTERM": "truecolor",
        ]
        return try ChildProcess(build.program, arguments, environment: variables, files: (slave, slave, slave))
    }

    /// The modes now: input, output, control and local flags.
    var modes: [tcflag_t] { Self.modes(of: slave) }

    /// All that was written.
    var text: String { written.value }

    /// Types a text.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        // The array outlives the call.
        _ = unsafe write(master, bytes, bytes.count)
    }

    /// Waits until a text was written, as a whole or between other things.
    func wait(for wanted: String, sourceLocation: SourceLocation = #_sourceLocation) async {
        await written.wait(sourceLocation: sourceLocation) { $0.contains(wanted) }
    }

    private static func modes(of descriptor: Int32) -> [tcflag_t] {
        var modes = termios()
        // The modes are written during the call only.
        unsafe tcgetattr(descriptor, &modes)
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
    }
}
