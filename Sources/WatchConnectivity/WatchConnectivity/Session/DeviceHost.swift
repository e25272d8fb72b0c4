/// Runs the peers of a registry: a real device, or a simulated one.
package protocol DeviceHost: AnyObject, Sendable {
    /// Passes a fact about the whole device to all of its peers, present and future: the state, the installation, the
    /// complication or the lock of its app, or that the app is for the watch only.
    func tell(_ input: PeerState.Input)
}
