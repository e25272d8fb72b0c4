/// What runs the companions of a board: a real device, or one of a simulation.
package protocol DeviceHost: AnyObject, Sendable {
    /// Tells all companions of the device something that is true of the whole device, and those that come later:
    /// the state, the installation, the complication, the lock of its app, or that it is for the watch only.
    func tell(_ input: PeerState.Input)
}
