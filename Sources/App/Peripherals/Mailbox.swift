/// Answers of a device, for one reader that waits for each of them.
package actor Mailbox<Element: Sendable> {
    private var elements: [Element] = []
    private var waiter: CheckedContinuation<Element?, Never>?
    /// How often it was waited, so that no alarm ends a later wait.
    private var waitCount = 0

    /// An empty one.
    package init() {}

    /// Puts in an answer.
    package func put(_ element: Element) {
        if let waiter {
            self.waiter = nil
            waiter.resume(returning: element)
        } else {
            elements.append(element)
        }
    }

    /// The next answer; nil if none comes in time.
    package func next(within patience: Duration) async -> Element? {
        if !elements.isEmpty { return elements.removeFirst() }
        waitCount += 1
        let alarm = Task { [waitCount] in
            try await Task.sleep(for: patience)
            giveUp(waitCount)
        }
        defer { alarm.cancel() }
        return await withCheckedContinuation { waiter = $0 }
    }

    private func giveUp(_ number: Int) {
        guard number == waitCount else { return }
        waiter?.resume(returning: nil)
        waiter = nil
    }
}
