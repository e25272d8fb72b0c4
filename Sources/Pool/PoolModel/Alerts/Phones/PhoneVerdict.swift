/// What became of a request to a service.
package enum PhoneVerdict: Equatable, Sendable {
    /// The service accepted the message; the sentence says so.
    case accepted(String)
    /// It did not, and it may do so later, not before these seconds; nil if it names no time.
    case failed(String, retryAfterSeconds: Int?)
    /// It did not, and it will not before somebody changes something; the sentence says what.
    case refused(String)
}

extension PhoneService {
    /// The statuses from 400 to 499 that a later attempt may change.
    private static let passingStatuses: Set<Int> = [408, 425, 429]

    /// Reads an answer of the service.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - retryAfter: The header `Retry-After`; nil if there is none.
    ///   - body: The body, which may be anything.
    ///   - settings: The settings of the request.
    ///   - now: The time.
    /// - Returns: The verdict, in words for a person.
    package func verdict(
        status: Int, retryAfter: String?, body: [UInt8], _ settings: PhoneSettings, at now: Timestamp
    ) -> PhoneVerdict {
        let answer = try? JSONScanner.scan(body, depthMax: 8)
        let place = "\(name) at \(address(in: settings))"
        if (200...299).contains(status) {
            if let answer, isAccepted(answer) { return .accepted("\(place) accepted the notice") }
            if answer.flatMap(complaint) == nil {
                return .failed(
                    "\(place) answered with status \(status), but not as \(name) does: check the address",
                    retryAfterSeconds: nil)
            }
        }
        let said = answer.flatMap(complaint)
        let small = said?.lowercased() ?? ""
        let remedy = remedies.first {
            ($0.status ?? status) == status && ($0.words.isEmpty || small.contains($0.words))
        }
        let sentence =
            "\(place) answered with status \(status)"
            + (said.map { ", \(Excerpt($0, scalarCountMax: 160))" } ?? "")
            + (remedy.map { ": \($0.remedy)" } ?? (status >= 500 ? ": the service has trouble, wait" : ""))
        let mayPass = status >= 500 || Self.passingStatuses.contains(status) || (300...399).contains(status)
        guard mayPass else { return .refused(sentence) }
        let seconds = answer.flatMap(wait) ?? retryAfter.flatMap { RetryAfter.seconds($0, at: now) }
        return .failed(sentence, retryAfterSeconds: seconds.map { max(0, $0) })
    }
}

/// The header `Retry-After`: seconds, or a date as HTTP writes it.
enum RetryAfter {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The seconds from now; nil if the text is neither.
    static func seconds(_ text: String, at now: Timestamp) -> Int? {
        if let seconds = Int(text) { return seconds }
        // Such as: Sun, 06 Nov 1994 08:49:37 GMT
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: parts[2]),
            let day = Int(parts[1]), let year = Int(parts[3])
        else { return nil }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        guard let moment = Timestamp(iso8601: "\(year)-\(two(month + 1))-\(two(day))T\(parts[4])Z") else { return nil }
        return Int(clamping: moment.milliseconds(since: now) / 1000)
    }
}
