/// A notice as a phone shows it.
package struct PhoneMessage: Equatable, Sendable {
    /// How much a message may disturb people.
    package enum Urgency: Sendable {
        /// It makes no sound: an alert is over.
        case quiet
        /// It makes a sound: a warning, a test.
        case normal
        /// It makes a sound even if the phone is to be quiet: critical values.
        case urgent
    }

    /// The first line: the device or server, and how bad it is.
    package var title: String
    /// The sentence of the notice.
    package var text: String
    /// How much it may disturb.
    package var urgency: Urgency
    /// When the notice was created.
    package var at: Timestamp

    /// The message of a notice, of any length.
    package init(_ notice: AlertNotice, in language: TextLanguage) {
        let isOver = notice.kind == .recovered || notice.until != nil
        let state =
            if notice.kind == .test {
                language.pick("test", "essai")
            } else if isOver {
                language.pick("over", "terminé")
            } else if notice.severity == .critical {
                language.pick("critical", "critique")
            } else {
                language.pick("warning", "avertissement")
            }
        let subject = notice.kind == .test ? "PoolSensors" : notice.name
        title = subject + language.pick(": ", " : ") + state
        text = notice.sentence(in: language)
        urgency = isOver ? .quiet : notice.severity == .critical ? .urgent : .normal
        at = notice.at
    }
}
