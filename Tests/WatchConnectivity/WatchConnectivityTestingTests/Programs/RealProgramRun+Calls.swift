import Foundation

@testable import WatchConnectivity
@testable import WatchConnectivityTesting

/// The calls of the sessions.
extension RealProgramRun {
    /// Notes a request and carries it out, one at a time; nothing if the app has no life now.
    private func ask(
        _ actor: SessionProgram.Actor, _ kind: ProgramLog.Kind, _ content: SessionProgram.Content,
        wantsReply: Bool = false, isComplication: Bool = false, exists: Bool = true,
        _ call: (WCSession, Int) -> Void
    ) {
        sending.withLock {
            guard let life = locked({ lives[actor] }) else { return }
            let session = life.session
            let number = locked {
                lastNumber += 1
                return lastNumber
            }
            // The link may change between this look and the call, so only the rest of it counts.
            note(
                .asked(
                    ProgramLog.Request(
                        number: number, kind: kind, sender: actor, process: life.app.process, content: content,
                        wantsReply: wantsReply, isComplication: isComplication, exists: exists,
                        wasActivated: session.activationState == .activated, wasReachable: false,
                        hadCounterpart: session.isCompanionAppInstalled)))
            call(session, number)
        }
    }

    func sendMessage(
        _ actor: SessionProgram.Actor, isData: Bool, wantsReply: Bool, _ content: SessionProgram.Content
    ) {
        let content = isData && content == .unsupported ? .small : content
        ask(actor, .message, content, wantsReply: wantsReply) { session, number in
            let failed: @Sendable (any Error) -> Void = { [weak self] error in
                self?.handled(number, .failed(number, (error as? WCError)?.code ?? .genericError))
            }
            let replied: @Sendable () -> Void = { [weak self] in self?.handled(number, .replied(number)) }
            locked { numberInCall = (number, Thread.current) }
            if isData {
                let data = ProgramPayload.data(number, content)
                session.sendMessageData(
                    data, replyHandler: wantsReply ? { _ in replied() } : nil, errorHandler: failed)
            } else {
                let message = ProgramPayload.dictionary(number, content, .message)
                session.sendMessage(message, replyHandler: wantsReply ? { _ in replied() } : nil, errorHandler: failed)
            }
            locked { numberInCall = nil }
        }
    }

    private func handled(_ number: Int, _ entry: ProgramLog.Entry) {
        let isWithinCall = locked { numberInCall?.number == number && numberInCall?.thread === Thread.current }
        if isWithinCall { note(.handledTooEarly(number)) }
        note(entry)
    }

    func updateContext(_ actor: SessionProgram.Actor, _ content: SessionProgram.Content) {
        ask(actor, .context, content) { session, number in
            do {
                try session.updateApplicationContext(ProgramPayload.dictionary(number, content, .context))
                note(.contextAnswered(number, nil))
            } catch {
                note(.contextAnswered(number, (error as? WCError)?.code ?? .genericError))
            }
        }
    }

    func sendUserInfo(
        _ actor: SessionProgram.Actor, isComplication: Bool, _ content: SessionProgram.Content
    ) {
        ask(actor, .userInfo, content, isComplication: isComplication) { session, number in
            let payload = ProgramPayload.dictionary(number, content, .userInfo)
            if isComplication {
                session.transferCurrentComplicationUserInfo(payload)
            } else {
                session.transferUserInfo(payload)
            }
        }
    }

    func sendFile(_ actor: SessionProgram.Actor, byteCount: Int, hasMetadata: Bool, exists: Bool) {
        // Large enough to be copied beside the call.
        let byteCount = byteCount == 40_000 ? OriginalFiles.heldByteCountMin + 40_000 : UInt64(byteCount)
        ask(actor, .file, .small, exists: exists) { session, number in
            let url = root.appending(path: ProgramPayload.fileName(number, Int(byteCount)))
            if exists {
                let bytes = ProgramPayload.file(number, Int(byteCount))
                guard FileManager.default.createFile(atPath: url.path, contents: bytes) else {
                    preconditionFailure("the test's own folder takes no files")
                }
            }
            session.transferFile(url, metadata: hasMetadata ? ["n": number] : nil)
            // Rule R124: the path may mean something else when the call has returned.
            if exists, number % 2 == 0 { try? FileManager.default.removeItem(at: url) }
        }
    }

    func cancel(_ actor: SessionProgram.Actor, isFile: Bool, isOldest: Bool) {
        sending.withLock {
            guard let session = locked({ lives[actor]?.session }) else { return }
            if isFile {
                let transfers = session.outstandingFileTransfers
                guard let transfer = isOldest ? transfers.first : transfers.last,
                    let number = ProgramPayload.number(ofFile: transfer.file.fileURL)
                else { return }
                transfer.cancel()
                locked { cancelled.append(number) }
            } else {
                let transfers = session.outstandingUserInfoTransfers
                guard let transfer = isOldest ? transfers.first : transfers.last,
                    let number = ProgramPayload.number(of: transfer.userInfo)
                else { return }
                transfer.cancel()
                locked { cancelled.append(number) }
            }
        }
    }
}
