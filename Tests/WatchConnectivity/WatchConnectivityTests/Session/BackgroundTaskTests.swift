import Foundation
import Testing

@testable import WatchConnectivity

@Suite(.serialized) @MainActor struct BackgroundTaskTests {
    private final class AppDelegate: NSObject, WKApplicationDelegate {
        let ring: AsyncStream<Int>.Continuation
        private(set) var tasks: [WKRefreshBackgroundTask] = []
        init(_ ring: AsyncStream<Int>.Continuation) { self.ring = ring }
        func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
            tasks += backgroundTasks
            ring.yield(tasks.count)
        }
    }

    /// As a new watch app in Xcode: it completes each kind of task in its own way.
    private final class TemplateDelegate: NSObject, WKExtensionDelegate {
        func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
            for task in backgroundTasks {
                switch task {
                case let backgroundTask as WKApplicationRefreshBackgroundTask:
                    backgroundTask.setTaskCompletedWithSnapshot(false)
                case let snapshotTask as WKSnapshotRefreshBackgroundTask:
                    snapshotTask.setTaskCompleted(
                        restoredDefaultState: true, estimatedSnapshotExpiration: Date.distantFuture, userInfo: nil)
                case let connectivityTask as WKWatchConnectivityRefreshBackgroundTask:
                    connectivityTask.setTaskCompletedWithSnapshot(false)
                case let urlSessionTask as WKURLSessionRefreshBackgroundTask:
                    urlSessionTask.setTaskCompletedWithSnapshot(false)
                case let relevantShortcutTask as WKRelevantShortcutRefreshBackgroundTask:
                    relevantShortcutTask.setTaskCompletedWithSnapshot(false)
                case let intentDidRunTask as WKIntentDidRunRefreshBackgroundTask:
                    intentDidRunTask.setTaskCompletedWithSnapshot(false)
                default: task.setTaskCompletedWithSnapshot(false)
                }
            }
        }
    }

    private func client() -> (PeerClient, WCSession, EventRecorder) {
        let (session, recorder) = (FakeDevice(.watch).session(), EventRecorder())
        session.delegate = recorder
        guard let client = session.backing.client else { preconditionFailure("the session has a companion") }
        client.give(to: session)
        return (client, session, recorder)
    }

    @Test func `content that woke the app comes with a task for its delegate`() async throws {
        // R134
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let delegate = AppDelegate(continuation)
        WKApplication.shared().delegate = delegate
        let (client, session, recorder) = client()

        #expect(client.take(.backgroundTask, path: nil) == .handled)

        var rings = stream.makeAsyncIterator()
        #expect(await rings.next() == 1)
        let task = try #require(delegate.tasks.first)
        #expect(task is WKWatchConnectivityRefreshBackgroundTask)
        #expect(task.userInfo == nil)
        #expect(!task.isCompleted)
        task.setTaskCompletedWithSnapshot(false)
        #expect(task.isCompleted)
        withExtendedLifetime((delegate, session, recorder)) {}
    }

    @Test func `each kind of task is completed in its own way`() {
        let tasks = [
            WKApplicationRefreshBackgroundTask(), WKSnapshotRefreshBackgroundTask(),
            WKWatchConnectivityRefreshBackgroundTask(), WKURLSessionRefreshBackgroundTask(),
            WKRelevantShortcutRefreshBackgroundTask(), WKIntentDidRunRefreshBackgroundTask(),
        ]
        TemplateDelegate().handle(Set(tasks))
        #expect(tasks.allSatisfy { $0.isCompleted })
    }

    @Test func `a session's own handler comes first`() {
        let (client, session, recorder) = client()
        var count = 0
        session.backgroundTaskHandler = { count += $0.count }
        #expect(client.take(.backgroundTask, path: nil) == .handled)
        #expect(count == 1)
        withExtendedLifetime(recorder) {}
    }
}
