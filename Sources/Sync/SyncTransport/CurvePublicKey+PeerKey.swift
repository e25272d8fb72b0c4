public import SyncCore
public import ZeroMQ

extension CurvePublicKey {
    /// The identity of the device that has the secret half.
    public var peerKey: PeerKey {
        guard let key = PeerKey(bytes: bytes) else {
            preconditionFailure("a CURVE key has 32 bytes, not \(bytes.count)")
        }
        return key
    }
}
