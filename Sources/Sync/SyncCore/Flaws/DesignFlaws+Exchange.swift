extension DesignFlaws {
    /// An item is acknowledged before it is durable at the receiver.
    package static let itemsAcknowledgedEarly = DesignFlaws(rawValue: 1 << 32)
    /// A request is answered before its item is durable at the sender.
    package static let itemsAnsweredEarly = DesignFlaws(rawValue: 1 << 33)
    /// A receiver does not know an item again by its id.
    package static let itemsNotRecognised = DesignFlaws(rawValue: 1 << 34)
    /// Items get new ids with their new numbers.
    package static let itemsRenamed = DesignFlaws(rawValue: 1 << 35)
    /// A number alone, without the id of the item, says how far a receiver is.
    package static let itemsTrustNumbers = DesignFlaws(rawValue: 1 << 36)
    /// The numbering goes on whatever the receiver says.
    package static let itemsNeverRenumbered = DesignFlaws(rawValue: 1 << 37)
    /// Items that a restored receiver has lost are not reported.
    package static let itemsHideGaps = DesignFlaws(rawValue: 1 << 38)
    /// A receiver takes an item although one before it is missing.
    package static let itemsTakenOutOfOrder = DesignFlaws(rawValue: 1 << 39)
    /// A receiver delivers items that it stored without the position that belongs to them.
    package static let itemsMarkedApart = DesignFlaws(rawValue: 1 << 40)
    /// Items that the application had not consumed are not delivered again after a restart.
    package static let itemsForgetInbox = DesignFlaws(rawValue: 1 << 41)
    /// A receiver takes items although its inbox is full.
    package static let itemsOverfillInbox = DesignFlaws(rawValue: 1 << 42)
    /// An item that may have been sent can still be cancelled.
    package static let itemsCancelledLate = DesignFlaws(rawValue: 1 << 43)
    /// A wall clock that goes back refills the budget.
    package static let budgetRefilledBackwards = DesignFlaws(rawValue: 1 << 44)
    /// What was spent of the budget is forgotten with the process.
    package static let budgetNotStored = DesignFlaws(rawValue: 1 << 45)
    /// A message whose frame arrives twice reaches the application twice.
    package static let messagesTwice = DesignFlaws(rawValue: 1 << 46)
    /// A message that has failed by its deadline is answered once more by a late reply.
    package static let messagesTakeLateReplies = DesignFlaws(rawValue: 1 << 47)
    /// A message waits for its reply beyond the end of its session.
    package static let messagesOutliveSessions = DesignFlaws(rawValue: 1 << 31)
}
