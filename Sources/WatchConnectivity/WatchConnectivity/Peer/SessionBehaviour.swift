import Foundation

/// How a session behaves where Apple's limits are undocumented or its behaviour is disputed.
///
/// The defaults are what most sources agree on; the alternatives let a test meet what shipped apps have met.
public struct SessionBehaviour: Hashable, Sendable {
    /// The bytes of a live message or a reply at most, 0…262,144; 65,536 (rule R147).
    public var messageByteCountMax = 65_536
    /// The bytes of user info at most, complication user info too, 0…262,144; 65,536 (rules R147, R150).
    public var userInfoByteCountMax = 65_536
    /// The bytes of an application context at most, 0…524,224; 262,144 (rule R147).
    public var contextByteCountMax = 262_144
    /// The bytes of a file at most; 1 GiB (rule R127).
    public var fileByteCountMax: UInt64 = 1_073_741_824
    /// The time that a message waits for its reply, 1 ms…1 h; 10 s, as Apple documents none (rule R62).
    public var replyTimeout = Duration.seconds(10)
    /// The time in which the app must complete a background task, 1 ms or more: after that its `expirationHandler` is
    /// called, and a task that is open then ends the app's process in a test pair (rule R135); elsewhere there is a
    /// warning in the trace.
    ///
    /// Nil, as Apple documents none: tasks may stay open.
    public var backgroundTaskTime: Duration?
    /// The complication transfers a day that go with priority; 50 (rule R112).
    public var complicationTransfersPerDay = 50
    /// The seconds that local time is ahead of UTC, −50,400…50,400: a day of the budget begins at local midnight
    /// (rule R115).
    public var secondsFromUTC = 0

    /// Whether the error handler of a message is called twice, as a flapping link was seen to do (rule R54).
    public var callsErrorHandlerTwice = false
    /// Whether a message that got no answer in time fails with code 23 of `com.apple.identityservices.error`, "Timed
    /// out", as was seen, instead of 7012 or 7017 of WatchConnectivity's own domain (rule R153).
    public var failsWithForeignErrors = false
    /// Whether a context that was delivered already is delivered again when the app wakes (rule R86).
    public var replaysContexts = false
    /// Whether the context that waited for the app's launch is delivered twice (rule R79).
    public var deliversLaunchContextTwice = false
    /// Whether what waited for the activation is delivered in a random order of its kinds, drawn from this seed; nil for
    /// context, user info, files, results (rule R140).
    public var drainOrderSeed: UInt64?
    /// Whether the session says that it is reachable while its device is linked, whatever the counterpart's app does
    /// (rule R45).
    public var claimsReachability = false
    /// How long each live message is held back before it is delivered; zero (rule R64).
    public var messageDelay = Duration.zero
    /// Whether a complication transfer fails at once while the complication is not enabled, instead of going as
    /// ordinary user info (rule R113).
    public var refusesComplicationWithoutFace = false
    /// Whether `didFinish` is called after a cancel, too (rules R98 and R131).
    public var reportsCancelledTransfers = false

    /// Creates the default behaviour.
    public init() {}
}
