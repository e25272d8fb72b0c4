#if Processes
    import Foundation
    import Synchronization

    /// Changes the state of the app by signals, in place of the system that decides about it.
    ///
    /// `SIGUSR1` changes between foreground and background; from suspended or not running it makes the app foreground.
    /// `SIGUSR2` suspends the app, or wakes a suspended one in the background. `SIGURG` makes the next watch the active
    /// one of a phone. A process has at most one of these objects at a time.
    ///
    /// The signal handler writes to a pipe, and a dedicated thread reads it. Dispatch sources for signals lose some of
    /// them on Linux; and if a thread of a dispatch queue started the process, all other threads may have these signals
    /// blocked.
    final class AppStateSignals: Sendable {
        private static let numbers = [SIGUSR1, SIGUSR2, SIGURG]

        private let writeEnd: Int32

        /// Handles the signals from now on, instead of what the process did with them; nil if the system has no pipe
        /// left.
        init?(of device: RealDevice) {
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else { return nil }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            _ = fcntl(ends[1], F_SETFL, fcntl(ends[1], F_GETFL) | O_NONBLOCK)
            let readEnd = ends[0]
            writeEnd = ends[1]
            signalEnd.store(writeEnd, ordering: .sequentiallyConsistent)
            for number in Self.numbers { _ = signal(number, noteSignal) }
            Thread.detachNewThread { [weak device] in
                Self.unblock()
                while let number = Self.next(from: readEnd) {
                    guard let device else { break }
                    if number == SIGURG {
                        device.switchWatch()
                    } else {
                        device.tell(.appState(Self.state(after: device.facts.appState, number)))
                    }
                }
                close(readEnd)
            }
        }

        deinit {
            signalEnd.store(-1, ordering: .sequentiallyConsistent)
            close(writeEnd)
        }

        /// The app's state after a signal.
        static func state(after state: PeerState.AppState, _ number: Int32) -> PeerState.AppState {
            switch number {
            case SIGUSR1: state == .foreground ? .background : .foreground
            default: state.isRunning ? .suspended : .background
            }
        }

        /// Unblocks the signals for this thread.
        private static func unblock() {
            var signals = sigset_t()
            // The set is local to this function.
            unsafe sigemptyset(&signals)
            for number in numbers { unsafe sigaddset(&signals, number) }
            unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        }

        /// Waits for the next signal; nil when there will be no more.
        private static func next(from readEnd: Int32) -> Int32? {
            var byte: UInt8 = 0
            while true {
                // The buffer has room for the byte.
                switch unsafe read(readEnd, &byte, 1) {
                case 1: return Int32(byte)
                case -1 where errno == EINTR: continue
                default: return nil
                }
            }
        }
    }

    /// The end of the pipe that the handler writes to.
    private let signalEnd = Atomic<Int32>(-1)

    private func noteSignal(_ number: Int32) {
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        // Only async-signal-safe calls are allowed in a handler. A full pipe holds more signals than are ever sent.
        _ = unsafe write(signalEnd.load(ordering: .relaxed), &byte, 1)
        errno = error
    }
#endif
