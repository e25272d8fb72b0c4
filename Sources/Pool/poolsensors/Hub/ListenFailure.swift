import CommandSupport
import SyncTransport
import Text
import ZeroMQ

extension CommandFailure {
    /// The failure of a hub that cannot run; of an address where it cannot listen with the option that names another.
    init(running error: any Error) {
        guard case LinkError.endpoint(let text, let cause) = error else {
            self.init(error)
            return
        }
        let place = HostAndPort(text)
        let address = place.map { "\($0)" } ?? text
        switch cause {
        case .addressInUse:
            self.init(
                "another program listens at \(address) already, perhaps another hub or a demo: end that one, or choose "
                    + "another port with --listen HOST:PORT")
        case .addressNotAvailable:
            self.init(
                "\(address) is no address of this machine (`ip address` lists them): choose one with --listen, or all of "
                    + "them with --listen *:\(place?.port ?? "7654")")
        default: self.init(error)
        }
    }
}
