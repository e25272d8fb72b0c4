import Foundation
import SyncCore

extension PeerClient {
    /// The user info on its way, as the app's objects (rules R91, R95 and R96).
    var outstandingUserInfo: [WCSessionUserInfoTransfer] { shell.outstandingUserInfo.map(object) }

    /// The files on their way, as the app's objects.
    var outstandingFiles: [WCSessionFileTransfer] { shell.outstandingFiles.map(object) }

    /// The same object as the app was given, or a new one after a relaunch.
    private func object(of outstanding: PeerState.OutstandingUserInfo) -> WCSessionUserInfoTransfer {
        transfers.userInfo(outstanding.id) {
            WCSessionUserInfoTransfer(outstanding.id, AppDictionary(bytes: outstanding.payload), on: self)
        }
    }

    private func object(of outstanding: PeerState.OutstandingFile) -> WCSessionFileTransfer {
        transfers.file(outstanding.id) {
            let file = WCSessionFile(
                url: URL(sessionPath: outstanding.path), metadata: outstanding.metadata.map { AppDictionary(bytes: $0) }
            )
            let transfer = WCSessionFileTransfer(outstanding.id, file, byteCount: outstanding.byteCount, on: self)
            if outstanding.sentByteCount > 0, let whole = outstanding.byteCount {
                transfer.steps.update(outstanding.sentByteCount, of: whole)
            }
            return transfer
        }
    }

    func finish(
        _ ended: PeerState.OutstandingUserInfo, _ code: WCError.Code?, _ session: WCSession,
        _ delegate: any WCSessionDelegate
    ) {
        let transfer = object(of: ended)
        transfer.end(isCurrent: ended.isCurrentComplicationInfo)
        transfer.observations.reread()
        transfer.identity.beginning?.wait(session.seat.board?.endingHold ?? .zero)
        delegate.session(
            session, didFinish: transfer, error: code.map { WCError($0, culprit: transfer.identity.culprit) })
        transfers.forget(ended.id)
    }

    func finish(
        _ ended: PeerState.OutstandingFile, _ code: WCError.Code?, _ session: WCSession,
        _ delegate: any WCSessionDelegate
    ) {
        let transfer = object(of: ended)
        if code == nil { transfer.steps.complete() }
        transfer.observations.reread()
        transfer.identity.beginning?.wait(session.seat.board?.endingHold ?? .zero)
        delegate.session(
            session, didFinish: transfer, error: code.map { WCError($0, culprit: transfer.identity.culprit) })
        transfers.forget(ended.id)
    }
}
