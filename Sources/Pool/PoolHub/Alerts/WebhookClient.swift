import Crypto
import Foundation
import Platform
import PoolModel

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends notices to web addresses by HTTP POST, signed.
///
/// A redirection is not followed: the body and its signature go only to the configured address. An attempt takes 20 s at
/// most. Only the status of the answer counts; after 64 KiB the rest is not read.
final class WebhookClient: Sendable {
    /// The header with the time of sending, in whole seconds since 1970.
    static let timeHeader = "X-PoolSensors-Timestamp"
    /// The header with `sha256=` and the signature in hexadecimal digits.
    static let signatureHeader = "X-PoolSensors-Signature"
    /// The header with the id of the notice.
    static let noticeHeader = "X-PoolSensors-Notice"

    /// The maximum number of bytes of an answer that are read.
    fileprivate static let answerByteCountMax = 65_536
    private let session = Lock<URLSession?>(nil)
    private let answers = WebhookAnswers()

    /// Ends the session, and cancels its requests.
    deinit { session.withLock { $0?.invalidateAndCancel() } }

    /// Posts a notice.
    ///
    /// - Parameters:
    ///   - notice: The notice.
    ///   - address: The address; `http` or `https`.
    ///   - secret: The secret that signs it; nil for unsigned.
    ///   - moment: The time of sending.
    /// - Returns: The result; a status of 200…299 is a success.
    func post(_ notice: AlertNotice, to address: String, secret: String?, sentAt moment: Timestamp) async
        -> AlertOutcome
    {
        guard let url = URL(string: address) else { return .failed("\(address) is not an address") }
        let body = notice.body
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 10)
        request.httpMethod = "POST"
        request.httpBody = Data(body)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("PoolSensors/\(Release.version)", forHTTPHeaderField: "User-Agent")
        request.setValue(notice.id, forHTTPHeaderField: Self.noticeHeader)
        let seconds = moment.milliseconds.flooredSeconds
        request.setValue("\(seconds)", forHTTPHeaderField: Self.timeHeader)
        if let secret {
            request.setValue(
                Self.signature(of: body, secret: secret, sentAt: moment), forHTTPHeaderField: Self.signatureHeader)
        }
        return await answers.outcome(of: openSession().dataTask(with: request))
    }

    /// The value of the signature's header.
    static func signature(of body: [UInt8], secret: String, sentAt moment: Timestamp) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: WebhookBody.signatureInput(sentAt: moment, body: body),
            using: SymmetricKey(data: Array(secret.utf8)))
        return "sha256=" + Hexadecimal.text(code)
    }

    /// The session; it is created with the first notice, so that a hub without web addresses has none.
    private func openSession() -> URLSession {
        session.withLock { session in
            if let session { return session }
            let configuration = URLSessionConfiguration.ephemeral
            configuration.timeoutIntervalForRequest = 10
            configuration.timeoutIntervalForResource = 20
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.urlCache = nil
            let made = URLSession(configuration: configuration, delegate: answers, delegateQueue: nil)
            session = made
            return made
        }
    }
}

extension Int64 {
    /// The whole seconds of milliseconds, rounded down.
    fileprivate var flooredSeconds: Int64 { self / 1000 - (self % 1000 < 0 ? 1 : 0) }
}

/// The answers to pending requests; called on the session's own queue.
private final class WebhookAnswers: NSObject, URLSessionDataDelegate, Sendable {
    private struct Waiting {
        var byteCount = 0
        let continuation: CheckedContinuation<AlertOutcome, Never>
    }

    private let waiting = Lock<[Int: Waiting]>([:])

    /// Starts a request and waits for its end; cancelling the caller cancels it.
    func outcome(of task: URLSessionDataTask) async -> AlertOutcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiting.withLock { $0[task.taskIdentifier] = Waiting(continuation: continuation) }
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = waiting.withLock { waiting in
            waiting[dataTask.taskIdentifier]?.byteCount += data.count
            return (waiting[dataTask.taskIdentifier]?.byteCount ?? 0) > WebhookClient.answerByteCountMax
        }
        if isTooLong { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let answered = waiting.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        answered?.continuation.resume(returning: outcome(task.response as? HTTPURLResponse, error))
    }

    private func outcome(_ response: HTTPURLResponse?, _ error: (any Error)?) -> AlertOutcome {
        // The status arrived first, so it counts even if the rest of the answer is incomplete.
        if let status = response?.statusCode {
            return (200...299).contains(status)
                ? .delivered : .failed("the receiver answered with status \(status)")
        }
        return .failed(error.map { "\($0.localizedDescription)" } ?? "no answer")
    }
}
