import Foundation
import Platform
import PoolModel

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Posts to web addresses.
///
/// A redirection is not followed: a body and what authenticates it go only to the configured address. An attempt takes
/// 20 s at most. After 64 KiB the rest of an answer is not read.
final class HTTPPoster: Sendable {
    /// What became of a request.
    enum Outcome: Sendable {
        /// A status arrived.
        case answer(Answer)
        /// None arrived, for this reason.
        case none(String)
    }

    /// An answer.
    struct Answer: Sendable {
        /// The status.
        var status: Int
        /// The header `Retry-After`; nil if there is none.
        var retryAfter: String?
        /// What was read of the body.
        var body: [UInt8]
    }

    /// The maximum number of bytes of an answer that are read.
    fileprivate static let answerByteCountMax = 65_536
    private let session = Lock<URLSession?>(nil)
    private let answers = PendingAnswers()

    /// Ends the session, and cancels its requests.
    deinit { session.withLock { $0?.invalidateAndCancel() } }

    /// Posts a body, and waits for the answer; cancelling the caller cancels the request.
    func post(_ body: [UInt8], to url: URL, headers: [String: String]) async -> Outcome {
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 10)
        request.httpMethod = "POST"
        request.httpBody = Data(body)
        request.setValue("PoolSensors/\(Release.version)", forHTTPHeaderField: "User-Agent")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return await answers.outcome(of: openSession().dataTask(with: request))
    }

    /// The session; it is created with the first request, so that a hub without web addresses has none.
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

/// The answers to pending requests; called on the session's own queue.
private final class PendingAnswers: NSObject, URLSessionDataDelegate, Sendable {
    private struct Waiting {
        var body: [UInt8] = []
        let continuation: CheckedContinuation<HTTPPoster.Outcome, Never>
    }

    private let waiting = Lock<[Int: Waiting]>([:])

    /// Starts a request and waits for its end; cancelling the caller cancels it.
    func outcome(of task: URLSessionDataTask) async -> HTTPPoster.Outcome {
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
            guard var answer = waiting.removeValue(forKey: dataTask.taskIdentifier) else { return false }
            let room = HTTPPoster.answerByteCountMax - answer.body.count
            answer.body += data.prefix(room)
            waiting[dataTask.taskIdentifier] = answer
            return data.count > room
        }
        if isTooLong { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let answered = waiting.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        // The status arrived first, so it counts even if the rest of the answer is incomplete.
        if let response = task.response as? HTTPURLResponse {
            let answer = HTTPPoster.Answer(
                status: response.statusCode, retryAfter: response.value(forHTTPHeaderField: "Retry-After"),
                body: answered.body)
            return answered.continuation.resume(returning: .answer(answer))
        }
        answered.continuation.resume(returning: .none(error.map { "\($0.localizedDescription)" } ?? "no answer"))
    }
}
