/// Why an exported configuration cannot be imported; nothing is changed.
@nonexhaustive
public enum ConfigurationExportError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no such file.
    case missing(path: String)
    /// It is a folder, a pipe or a device.
    case notAFile(path: String)
    /// The permission to read it is missing.
    case notReadable(path: String)
    /// It is another kind of file.
    case notOne(path: String)
    /// A newer version of the program wrote it.
    case newer(path: String, finding: String)
    /// It is damaged.
    case damaged(path: String, finding: String)
    /// The derivation of its key is not accepted.
    case underived(path: String, finding: String)
    /// The passphrase is wrong, or the file was manipulated.
    case notOpened(path: String)
    /// It was decrypted, but does not contain a configuration.
    case meaningless(path: String, finding: String)
    /// The file was replaced after the passphrase was requested.
    case replaced(path: String)

    /// The error, the file, and what to do about it.
    public var description: String {
        switch self {
        case .missing(let path): "there is no file \(path): name one that `poolsensors config export` wrote"
        case .notAFile(let path): "\(path) is not a regular file: name one that `poolsensors config export` wrote"
        case .notReadable(let path): "\(path) cannot be read: give this user the permission"
        case .notOne(let path):
            "\(path) is not an exported configuration: name a file that `poolsensors config export` wrote"
        case .newer(let path, let finding):
            "\(path) was written by a newer version of this program (\(finding)): use that version here, too, or export "
                + "it again with this one"
        case .damaged(let path, let finding):
            "\(path) is damaged (\(finding)): copy the file once more, byte by byte, or export it again"
        case .underived(let path, let finding):
            "\(path) asks for a key with \(finding): no version of this program writes that, so export it again"
        case .notOpened(let path):
            "\(path) does not open with this passphrase: give the one with which it was exported. If that is what you "
                + "gave, someone has changed the file: export it again"
        case .meaningless(let path, let finding):
            "\(path) was opened, but holds no configuration that can be read (\(finding)): export it again"
        case .replaced(let path): "\(path) was replaced while it was read: try again"
        }
    }
}
