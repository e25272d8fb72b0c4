import SyncCore

/// Which occasion an outcome of user info or of a message is.
extension World {
    static func occasion(of fault: ItemFault) -> CoverageMark {
        switch fault {
        case .payloadTooLarge: .itemTooLarge
        case .queueFull: .itemQueueFull
        case .notStored: .itemNotStored
        case .knownItem, .unknownItem: .itemUnknown
        case .underWay, .beingCancelled: .itemUnderWay
        }
    }

    static func occasion(of answer: Exchange.Answer) -> CoverageMark {
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

    static func occasion(of drop: Exchange.Drop) -> CoverageMark {
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
}
