internal import Platform

/// An open file or folder whose errors are those of a state folder.
typealias OpenFile = Platform.OpenFile<FolderError>
