// What stores load when a process starts.

extension LedgerState: RecordCodable {
    package static func code(_ value: LedgerState?, _ coder: inout RecordCoder) throws(CodecError) -> LedgerState {
        LedgerState(
            version: try coder(value?.version), chain: try coder(value?.chain), lineage: try coder(value?.lineage),
            cells: try coder(value?.cells), conflicts: try coder(value?.conflicts),
            bringers: try coder(value?.bringers), uploads: try coder(value?.uploads),
            written: RecentIDs(try coder(value?.written.ids)), lastStamp: try coder.optional(value?.lastStamp))
    }
}

extension EpochFence: RecordCodable {
    package static func code(_ value: EpochFence?, _ coder: inout RecordCoder) throws(CodecError) -> EpochFence {
        EpochFence(current: try coder.optional(value?.current), abandoned: try coder(value?.abandoned))
    }
}

extension ReplicaState: RecordCodable {
    package static func code(_ value: ReplicaState?, _ coder: inout RecordCoder) throws(CodecError) -> ReplicaState {
        ReplicaState(
            snapshot: try coder.optional(value?.snapshot), fence: try coder(value?.fence),
            incarnation: try coder(value?.incarnation), nextSequence: try coder(value?.nextSequence),
            pending: try coder(value?.pending), journal: try coder(value?.journal),
            deletions: try coder(value?.deletions))
    }
}

extension Register: RecordCodable {
    package static func code(_ value: Register?, _ coder: inout RecordCoder) throws(CodecError) -> Register {
        Register(key: try coder(value?.key), order: try coder(value?.order), value: try coder.bytes(value?.value))
    }
}

extension HeldRegister: RecordCodable {
    package static func code(_ value: HeldRegister?, _ coder: inout RecordCoder) throws(CodecError) -> HeldRegister {
        HeldRegister(register: try coder(value?.register), epoch: try coder(value?.epoch))
    }
}

extension WatchEngine.State: RecordCodable {
    package static func code(
        _ value: WatchEngine.State?, _ coder: inout RecordCoder
    ) throws(CodecError) -> WatchEngine.State {
        WatchEngine.State(
            replica: try coder(value?.replica), registers: try coder(value?.registers),
            transfers: try coder(value?.transfers))
    }
}

extension Item: RecordCodable {
    package static func code(_ value: Item?, _ coder: inout RecordCoder) throws(CodecError) -> Item {
        Item(
            ordinal: try coder(value?.ordinal), id: try coder(value?.id), payload: try coder.bytes(value?.payload),
            isCurrent: try coder(value?.isCurrent))
    }
}

extension ReceivedItem: RecordCodable {
    package static func code(_ value: ReceivedItem?, _ coder: inout RecordCoder) throws(CodecError) -> ReceivedItem {
        ReceivedItem(
            id: try coder(value?.id), payload: try coder.bytes(value?.payload), isUrgent: try coder(value?.isUrgent))
    }
}

extension ItemPosition: RecordCodable {
    package static func code(_ value: ItemPosition?, _ coder: inout RecordCoder) throws(CodecError) -> ItemPosition {
        ItemPosition(
            stream: try coder(value?.stream), highest: try coder(value?.highest), lastID: try coder(value?.lastID))
    }
}

extension ItemOutbox: RecordCodable {
    package static func code(_ value: ItemOutbox?, _ coder: inout RecordCoder) throws(CodecError) -> ItemOutbox {
        ItemOutbox(
            stream: try coder.optional(value?.stream), base: try coder(value?.base),
            origin: try coder.optional(value?.origin), acknowledged: try coder(value?.acknowledged),
            acknowledgedID: try coder.optional(value?.acknowledgedID), released: try coder(value?.released),
            items: try coder(value?.items))
    }
}

extension ItemInbox: RecordCodable {
    package static func code(_ value: ItemInbox?, _ coder: inout RecordCoder) throws(CodecError) -> ItemInbox {
        let positions = ItemPositions(
            urgent: try coder.optional(value?.positions.urgent),
            ordinary: try coder.optional(value?.positions.ordinary))
        return ItemInbox(positions: positions, recent: try coder(value?.recent), items: try coder(value?.items))
    }
}

extension UrgentBudget: RecordCodable {
    package static func code(_ value: UrgentBudget?, _ coder: inout RecordCoder) throws(CodecError) -> UrgentBudget {
        let day = try coder.optional(value?.day)
        return UrgentBudget(day: day, spent: Int(try coder(value.map { Int64($0.spent) })))
    }
}

extension Exchange.State: RecordCodable {
    package static func code(_ value: Exchange.State?, _ coder: inout RecordCoder) throws(CodecError) -> Exchange.State
    {
        Exchange.State(
            outboxes: PerTrack(
                urgent: try coder(value?.outboxes.urgent), ordinary: try coder(value?.outboxes.ordinary)),
            inbox: try coder(value?.inbox), budget: try coder(value?.budget))
    }
}

extension FileOffer: RecordCodable {
    package static func code(_ value: FileOffer?, _ coder: inout RecordCoder) throws(CodecError) -> FileOffer {
        FileOffer(
            id: try coder(value?.id), name: try coder(value?.name), byteCount: try coder(value?.byteCount),
            digest: try coder(value?.digest), metadata: try coder.bytes(value?.metadata))
    }
}

extension FileDigest: RecordCodable {
    package static func code(_ value: FileDigest?, _ coder: inout RecordCoder) throws(CodecError) -> FileDigest {
        guard let digest = FileDigest(bytes: try coder.bytes(value?.bytes)) else {
            throw CodecError("a digest has not 32 bytes")
        }
        return digest
    }
}

extension FileFailure: RecordCodable {
    package static func code(_ value: FileFailure?, _ coder: inout RecordCoder) throws(CodecError) -> FileFailure {
        let code = try coder(value?.cause.code)
        return FileFailure(FileFailure.Cause(code: code), try coder(value?.words))
    }
}

extension OutgoingFile: RecordCodable {
    package static func code(_ value: OutgoingFile?, _ coder: inout RecordCoder) throws(CodecError) -> OutgoingFile {
        OutgoingFile(number: try coder(value?.number), file: try coder(value?.file), offer: try coder(value?.offer))
    }
}

extension IncomingFile: RecordCodable {
    package static func code(_ value: IncomingFile?, _ coder: inout RecordCoder) throws(CodecError) -> IncomingFile {
        IncomingFile(offer: try coder(value?.offer), durable: try coder(value?.durable))
    }
}

extension FileResult: RecordCodable {
    package static func code(_ value: FileResult?, _ coder: inout RecordCoder) throws(CodecError) -> FileResult {
        FileResult(id: try coder(value?.id), failure: try coder.optional(value?.failure))
    }
}

extension FileExchange.State: RecordCodable {
    package static func code(
        _ value: FileExchange.State?, _ coder: inout RecordCoder
    ) throws(CodecError) -> FileExchange.State {
        var state = FileExchange.State()
        state.lastNumber = try coder(value?.lastNumber)
        state.queue = try coder(value?.queue)
        state.results = try coder(value?.results)
        state.incoming = try coder.optional(value?.incoming)
        state.received = try coder(value?.received)
        state.finished = try coder(value?.finished)
        return state
    }
}

extension TransferState: RecordCodable {
    package static func code(_ value: TransferState?, _ coder: inout RecordCoder) throws(CodecError) -> TransferState {
        TransferState(exchange: try coder(value?.exchange), files: try coder(value?.files))
    }
}
