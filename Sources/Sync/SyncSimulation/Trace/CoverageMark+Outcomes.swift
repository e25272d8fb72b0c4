import SyncCore

/// The mark for an outcome of user info, of a message or of a conflict.
extension CoverageMark {
    init(_ fault: ItemError) {
        self =
            switch fault {
            case .payloadTooLarge: .itemTooLarge
            case .queueFull: .itemQueueFull
            case .notStored: .itemNotStored
            case .knownItem, .unknownItem: .itemUnknown
            case .underWay, .beingCancelled: .itemUnderWay
            }
    }

    init(_ answer: Exchange.Answer) {
        self =
            switch answer {
            case .replied: .messageReplied
            case .delivered: .messageDelivered
            case .failed(.notReachable): .messageNotReachable
            case .failed(.payloadTooLarge): .messageTooLarge
            case .failed(.tooManyMessages): .messageTooMany
            case .failed(.replyTimedOut): .messageTimedOut
            case .failed(.replyFailed): .messageReplyFailed
            case .failed(.deliveryFailed): .messageDeliveryFailed
            case .failed(.sessionReset): .messageSessionReset
            case .failed(.unknownMessage): .messageUnknown
            case .accepted, .cancelled, .declined, .replySent: .replySent
            }
    }

    init(_ drop: Exchange.Drop) {
        self =
            switch drop {
            case .fault, .foreignSession, .foreignKind: .exchangeDroppedFrame
            case .old: .exchangeDroppedOld
            case .itemAhead: .itemAhead
            case .inboxFull: .inboxFull
            case .tooManyMessages: .messageTooMany
            case .lateReply: .lateReply
            case .contradiction: .itemsContradicted
            }
    }

    init(_ rule: Conflict.Rule) {
        self =
            switch rule {
            case .newest: .conflictNewest
            case .owner: .conflictOwner
            case .deleted: .conflictDeleted
            case .unseen: .conflictUnseen
            case .together: .conflictTogether
            case .readOnly: .conflictReadOnly
            // All watches of a run read the same records, and no run fills the configuration.
            case .invalid, .schema, .tooLarge, .logFull, .shareFull: .conflictInvalid
            case .lostInRestore: .conflictLostInRestore
            case .deletionLostInRestore: .conflictDeletionLostInRestore
            }
    }
}

/// The mark for an event of the hub, nil if there is none.
extension CoverageMark {
    init?(_ event: HubEngine.Event) {
        let mark: CoverageMark? =
            switch event {
            case .linked: .sessionLinked
            case .unlinked(_, _, let reason): CoverageMark(reason)
            case .acknowledged: .acknowledged
            case .paired: .watchPaired
            case .refused(_, let refusal): CoverageMark(refusal.code)
            case .committed: .committed
            case .forked: .forked
            case .dropped(_, .foreignSession): .hubDroppedForeignSession
            case .dropped(_, .tooManyGreetings): .hubDroppedGreeting
            case .dropped(_, .notHeard): .hubHeardNothing
            case .cutOff: .watchCutOff
            case .uploadsTaken: .uploadsTaken
            case .uploadsContradicted: .uploadsContradicted
            case .clockSuspect: .clockSuspect
            // No run has two devices with one key, or 256 open conflicts; the disk counts its own failures.
            case .duplicateWatch, .dropped(_, .fault), .dropped(_, .wrongDirection), .registerRefused, .conflicted,
                .notStored, .conflictsFull:
                nil
            }
        guard let mark else { return nil }
        self = mark
    }

    private init(_ reason: HubEngine.EndReason) {
        self =
            switch reason {
            case .silent: .sessionSilent
            case .unroutable: .sessionUnroutable
            case .farewell: .sessionFarewell
            case .takenOver: .sessionTakenOver
            case .unpaired: .sessionUnpaired
            case .contradicted: .sessionContradicted
            case .cutOff: .sessionCutOff
            }
    }

    private init?(_ code: Refusal.Code) {
        switch code {
        case .notPaired: self = .refusedNotPaired
        case .invitationVoid: self = .refusedInvitationVoid
        case .takenOver: self = .refusedTakenOver
        case .invitationOnly, .otherApp, .upgradeHub, .upgradeWatch, .full, .failed: return nil
        }
    }

    /// The mark of an answer to a request, which may have changed nothing.
    init?(_ answer: HubEngine.Answer, wasNothing: Bool) {
        switch answer {
        case .done: self = wasNothing ? .requestChangedNothing : .requestDone
        case .refused(.versionMoved): self = .requestVersionMoved
        case .refused(.reservedKind): self = .requestReservedKind
        case .refused(.notStored): self = .requestNotStored
        case .refused(.unknownWatch): self = .requestUnknownWatch
        case .refused(.unknownConflict): self = .settlingUnknown
        case .refused: return nil
        }
    }
}
