public import SyncCore

extension FileStore: FileStorage {
    /// Performs an output of a file exchange and returns the result as its input.
    ///
    /// It waits for the disk. Call it on the store's thread, in the order of the outputs.
    ///
    /// - Returns: The input with the result; nil if the output has no result or is not about files.
    public func carryOut(_ output: FileExchange.Output) -> FileExchange.Input? {
        switch output {
        case .read(let id, let file, let offset, let byteCount):
            return answer(id, FileExchange.Input.readFailed) { () throws(FileStoreError) in
                .read(id, offset: offset, try read(file, at: offset, byteCount: byteCount))
            }
        case .begin(let offer, let durable):
            return answer(offer.id, FileExchange.Input.storeFailed) { () throws(FileStoreError) in
                switch try begin(offer, durable: durable) {
                case .open(let byteCount): .began(offer.id, at: byteCount)
                case .finished: .finished(offer.id)
                }
            }
        case .write(let id, let offset, let bytes):
            return answer(id, FileExchange.Input.storeFailed) { () throws(FileStoreError) in
                try write(bytes, to: id, at: offset)
                return .written(id, upTo: offset + UInt64(bytes.count))
            }
        case .sync(let id):
            return answer(id, FileExchange.Input.storeFailed) { () throws(FileStoreError) in
                .synced(id, upTo: try sync(id))
            }
        case .finish(let offer):
            return answer(offer.id, FileExchange.Input.storeFailed) { () throws(FileStoreError) in
                try finish(offer)
                return .finished(offer.id)
            }
        case .discard(let id):
            discard(id)
            return .discarded(id)
        case .release(let file): release(file)
        case .remove(let offer): remove(offer)
        case .send, .persist, .answer, .event: break
        }
        return nil
    }

    private func answer(
        _ id: RandomID, _ failed: (RandomID, FileFailure) -> FileExchange.Input,
        _ work: () throws(FileStoreError) -> FileExchange.Input
    ) -> FileExchange.Input {
        do throws(FileStoreError) {
            return try work()
        } catch {
            return failed(id, error.failure)
        }
    }
}

extension FileStoreError {
    /// The error to report to the other device.
    ///
    /// It contains no paths of this machine.
    package var failure: FileFailure {
        switch self {
        case .noRoom(_, let byteCount, let free):
            FileFailure(.full, "\(byteCount) bytes are needed and \(free) are free")
        case .folder(.full): FileFailure(.full, "the disk is full")
        case .damaged: FileFailure(.damaged, "the bytes are not those that were offered")
        case .missing: FileFailure(.gone, "the file is gone")
        case .tooLarge(_, let byteCount, let byteCountMax):
            FileFailure(.tooLarge, "\(byteCount) bytes; at most \(byteCountMax) are taken")
        case .badName: FileFailure(.badName, "the name is not a single path component")
        case .notAPlainFile: FileFailure(.failed, "it is not a regular file")
        case .exists, .notReplaceable: FileFailure(.failed, "a file of this name is there")
        case .folder, .notAlone: FileFailure(.failed, "the store failed")
        }
    }
}
