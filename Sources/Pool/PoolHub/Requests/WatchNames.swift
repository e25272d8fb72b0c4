import PoolControl
import PoolModel
import SyncCore

extension PairedWatch {
    /// The identity by which commands name the watch.
    var id: WatchID { WatchID(bytes: key.bytes) }
}

extension [PairedWatch] {
    /// The watch with an identity.
    ///
    /// - Throws: ``RequestProblem`` if it is not paired any more.
    func paired(_ id: WatchID) throws -> PairedWatch {
        guard let watch = first(where: { $0.id == id }) else {
            throw RequestProblem("the watch \(id.short) is not paired any more: list them with `poolsensors watches`")
        }
        return watch
    }
}
