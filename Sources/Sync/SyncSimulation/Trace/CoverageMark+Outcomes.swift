import SyncCore

/// Which mark an outcome of user info, of a message or of a conflict leaves.
extension CoverageMark {
    init(_ fault: ItemFault) {
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
