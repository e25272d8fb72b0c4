extension DesignFlaws {
    /// The receiver of a file says done as soon as the last byte arrived, before the digest is checked.
    package static let fileDoneBeforeVerified = DesignFlaws(rawValue: 1 << 48)
    /// The receiver of a file says done before the store knows that the file is there.
    package static let fileDoneBeforeDurable = DesignFlaws(rawValue: 1 << 49)
    /// The receiver of a file records what it wrote as durable without waiting for the disk.
    package static let fileResumesAtWritten = DesignFlaws(rawValue: 1 << 50)
    /// The receiver does not remember which files it has finished.
    package static let fileForgetsFinished = DesignFlaws(rawValue: 1 << 51)
    /// The receiver of a file appends each chunk, wherever it belongs.
    package static let fileTakesAnyOffset = DesignFlaws(rawValue: 1 << 52)
    /// The receiver gives the file under way the metadata of whichever offer came last.
    package static let fileMixesMetadata = DesignFlaws(rawValue: 1 << 53)
    /// The sender forgets a file when its last byte has left.
    package static let fileForgottenWhenSent = DesignFlaws(rawValue: 1 << 54)
    /// The sender accepts a file before the store knows it.
    package static let fileAcceptedBeforeDurable = DesignFlaws(rawValue: 1 << 55)
    /// The receiver of a file asks for more than its credit.
    package static let fileIgnoresCredit = DesignFlaws(rawValue: 1 << 56)
    /// The receiver removes a consumed file before the store knows that the application took it.
    package static let fileRemovedBeforeConsumed = DesignFlaws(rawValue: 1 << 57)
}
