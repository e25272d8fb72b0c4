#if os(Linux)
    import TerminalFixture
    import Foundation
    import Glibc
    import TerminalUI

    /// A program in a separate terminal, controlled by a test; its output is shown on a ``MiniTerminal``.
    ///
    /// A test never sleeps: it waits for the expected output, for at most a minute.
    final class PseudoTerminal {
        /// How a program ended.
        enum Exit: Equatable {
            case exited(Int32)
            case killed(Int32)
        }

        /// The condition for which a test waited in vain, and the actual screen.
        struct Timeout: Error, CustomStringConvertible {
            var description: String
        }

        private(set) var screen: MiniTerminal
        let process: pid_t
        /// The modes before the program started.
        let initialModes: [tcflag_t]
        private var master: Int32
        /// Kept open, so that the modes can be read after the program has ended.
        private var slave: Int32
        private var hasEnded = false
        /// A time limit, which is only reached if the program hangs.
        private let deadline = ContinuousClock.now + .seconds(1200)

        init(
            _ command: [String], environment: [String: String] = [:], size: Size = Size(columns: 80, rows: 24),
            controlsProcess: Bool = true
        ) throws {
            screen = MiniTerminal(size)
            // Each descriptor is close-on-exec from the start. Otherwise a program that another test starts at the same
            // time would keep the terminal open.
            master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (unlocked, number): (Int32, Int32) = (0, 0)
            // The numbers are read and written during the calls only.
            let isUnlocked = unsafe ioctl(master, Self.setLock, &unlocked) == 0
            guard isUnlocked, unsafe ioctl(master, Self.getNumber, &number) == 0 else { throw POSIXError(.ENXIO) }
            let path = "/dev/pts/\(number)"
            slave = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
            Self.setSize(size, of: master)
            initialModes = Self.modes(of: slave)
            process = try Self.spawn(
                command, on: path, environment: environment, isSessionLeader: controlsProcess)
        }

        deinit {
            if !hasEnded {
                kill(process, SIGKILL)
                waitpid(process, nil, 0)
            }
            hangUp()
        }

        /// The modes of the terminal: input, output, control and local flags.
        var modes: [tcflag_t] { Self.modes(of: slave) }

        private static func modes(of descriptor: Int32) -> [tcflag_t] {
            var modes = termios()
            // The modes are written during the call only.
            unsafe tcgetattr(descriptor, &modes)
            return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
        }

        func send(_ text: String) {
            let bytes = Array(text.utf8)
            // The array outlives the call.
            let count = unsafe write(master, bytes, bytes.count)
            precondition(count == bytes.count, "the terminal took \(count) of \(bytes.count) bytes")
        }

        func signal(_ number: Int32) {
            kill(process, number)
        }

        func resize(_ size: Size) {
            screen.resize(size)
            Self.setSize(size, of: master)
        }

        /// Reads the program's output until the screen satisfies a condition.
        func wait(for what: String, until isThere: (MiniTerminal) -> Bool) throws {
            while !isThere(screen) {
                guard ContinuousClock.now < deadline else { throw timeout(what) }
                _ = read()
            }
        }

        func wait(for text: String) throws {
            try wait(for: text) { $0.text.contains(text) }
        }

        /// Reads the output until the program has ended; meanwhile sends a signal repeatedly.
        func waitForExit(sending number: Int32? = nil) throws -> Exit {
            var status: Int32 = 0
            // The status is written during the call only.
            while unsafe waitpid(process, &status, WNOHANG) == 0 {
                guard ContinuousClock.now < deadline else { throw timeout("the end") }
                if let number { signal(number) }
                _ = read()
            }
            hasEnded = true
            while read() {}
            let number = status & 0x7F
            return number == 0 ? .exited(status >> 8 & 0xFF) : .killed(number)
        }

        /// Closes the terminal, as when a window is closed or a connection breaks.
        func hangUp() {
            for descriptor in [slave, master] where descriptor >= 0 { close(descriptor) }
            (slave, master) = (-1, -1)
        }

        // MARK: Descriptors

        /// TIOCSPTLCK and TIOCGPTN of the kernel's tty_ioctl(4), which the module does not export.
        private static let setLock: UInt = 0x4004_5431
        private static let getNumber: UInt = 0x8004_5430

        /// Reads available output, waiting a moment.
        ///
        /// Returns whether there was any.
        private func read() -> Bool {
            var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            // The descriptor outlives the call.
            guard unsafe poll(&descriptor, 1, 20) > 0 else { return false }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            // The array outlives the call, which writes at most as many bytes as it has.
            let count = unsafe Glibc.read(master, &bytes, bytes.count)
            guard count > 0 else { return false }
            screen.feed(bytes.prefix(count))
            return true
        }

        private func timeout(_ what: String) -> Timeout {
            Timeout(description: "waited for \(what), but there is\n\(screen.text)")
        }

        private static func setSize(_ size: Size, of descriptor: Int32) {
            var window = winsize(
                ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
            // The size is only read.
            _ = unsafe ioctl(descriptor, UInt(TIOCSWINSZ), &window)
        }

        /// Starts a program in the terminal at a path, as the leader of a session, with or without a controlling
        /// terminal.
        private static func spawn(
            _ command: [String], on path: String, environment: [String: String], isSessionLeader: Bool
        ) throws -> pid_t {
            var actions = unsafe posix_spawn_file_actions_t()
            unsafe posix_spawn_file_actions_init(&actions)
            defer { unsafe posix_spawn_file_actions_destroy(&actions) }
            // The first terminal that a session leader opens becomes its controlling terminal.
            unsafe posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR | (isSessionLeader ? 0 : O_NOCTTY), 0)
            unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
            unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
            var attributes = posix_spawnattr_t()
            unsafe posix_spawnattr_init(&attributes)
            defer { unsafe posix_spawnattr_destroy(&attributes) }
            // Signals have their default handling, regardless of what the test process has blocked or ignored.
            var every = sigset_t()
            var none = sigset_t()
            unsafe sigfillset(&every)
            unsafe sigemptyset(&none)
            unsafe posix_spawnattr_setsigdefault(&attributes, &every)
            unsafe posix_spawnattr_setsigmask(&attributes, &none)
            // POSIX_SPAWN_SETSID, which the module does not export.
            let newSession: Int32 = isSessionLeader ? 0x80 : 0
            let flags = newSession | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
            unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

            let variables = environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { given, _ in given }
            var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
            var pairs = unsafe variables.map { unsafe strdup("\($0)=\($1)") } + [nil]
            defer {
                for index in unsafe arguments.indices { unsafe free(arguments[index]) }
                for index in unsafe pairs.indices { unsafe free(pairs[index]) }
            }
            var process: pid_t = 0
            // All memory that the pointers refer to is valid until the end of this function.
            let error = unsafe posix_spawn(&process, command[0], &actions, &attributes, &arguments, &pairs)
            guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO) }
            return process
        }
    }
#endif
