#if Processes
    // Pairing by codes, which Apple's systems do without the app. Not part of Apple's API.
    extension WCSession {
        /// Creates a code with which one watch can pair with this phone.
        ///
        /// Keep it secret: anybody who has it can pair within two hours.
        ///
        /// It waits until the phone listens.
        ///
        /// - Throws: ``SessionPairingError``.
        public static func invitation() async throws -> String {
            try await SessionPairingError.device { try await $0.invite() }
        }

        /// Pairs this watch with the phone of a code; pairing with another phone removes everything of the one before.
        ///
        /// - Parameters:
        ///   - code: The result of ``invitation()`` on the phone, or the contents of the phone's invitation file.
        ///   - patience: The time limit.
        /// - Throws: ``SessionPairingError``.
        public static func pair(with code: String, patience: Duration = .seconds(30)) async throws {
            try await SessionPairingError.device { try await $0.pair(with: code, patience: patience) }
        }

        /// Removes a counterpart and what is queued for it; each side does this for itself.
        ///
        /// - Throws: ``SessionPairingError``.
        public static func unpair(_ watch: SessionWatch) async throws {
            try await SessionPairingError.device { device in
                guard let counterpart = device.counterparts.first(where: { "\($0.number)" == watch.id }) else {
                    throw SessionPairingError.failed("there is no counterpart \"\(watch.id)\"")
                }
                try await device.unpair(counterpart)
            }
        }
    }

    /// Why devices could not be paired or unpaired.
    @nonexhaustive
    public enum SessionPairingError: Error, Equatable, Sendable {
        /// The process was not set up as a device, or its device could not be started.
        case noDevice
        /// The other device refused or did not answer, the code is not a pairing code, or the disk failed.
        case failed(String)

        /// Calls a function with the process's device.
        fileprivate static func device<Result: Sendable>(
            _ work: (RealDevice) async throws -> Result
        ) async throws(SessionPairingError) -> Result {
            _ = WCSession.default
            guard let device = SessionRegistry.current.host as? RealDevice else { throw .noDevice }
            do {
                return try await work(device)
            } catch let error as SessionPairingError {
                throw error
            } catch {
                throw .failed("\(error)")
            }
        }
    }

    extension SessionPairingError: CustomStringConvertible {
        /// The error, and what to do about it.
        public var description: String {
            switch self {
            case .noDevice:
                "This process is not set up as a device: call WCSession.setUp(_:), or set the environment variables."
            case .failed(let reason): "The devices were not paired or unpaired: \(reason)."
            }
        }
    }
#endif
