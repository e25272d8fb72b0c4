import Foundation
import Primitives

extension ForgetfulDisk {
    /// How much of what was not synced a cut leaves.
    enum Luck: CaseIterable {
        case nothing, names, contents, everything
    }

    /// What is on the disk for good, and what its files hold now.
    struct State {
        var acknowledged: UInt64 = 0
        private(set) var cuts: [Remains] = []
        private let root: UInt64
        private let path: String
        private let cutCount: Int
        private let chance: UInt64
        private var draws: SplitMix64
        /// The files that were seen, open: so their numbers are not given to others, and their bytes can be read.
        private var files: [UInt64: Int32] = [:]
        /// The bytes that were synced, by the number of the file.
        private var bytes: [UInt64: [UInt8]] = [:]
        /// The names that were synced, by the number of the folder.
        private var names: [UInt64: [String: UInt64]] = [:]

        /// The bytes that a disk writes together.
        private static let blockByteCount = 512

        init(path: String, seed: UInt64, cutCount: Int, chance: UInt64) {
            self.path = path
            self.cutCount = cutCount
            self.chance = chance
            draws = SplitMix64(seed: seed)
            root = 0
            names[root] = [:]
        }

        mutating func letGo() {
            for file in files.values { close(file) }
            files = [:]
        }

        // MARK: - What happens

        /// A file or a folder is synced.
        mutating func sync(_ descriptor: Int32, at place: String) {
            guard let facts = Facts(descriptor) else { return }
            if facts.isFolder {
                names[place == path ? root : facts.number] = list(place)
            } else {
                hold(facts.number, "/proc/self/fd/\(descriptor)")
                bytes[facts.number] = content(facts.number)
            }
        }

        /// Draws whether the power is cut at this moment, and what that leaves.
        mutating func drawCut() {
            guard cuts.count < cutCount, draws.next() % chance == 0 else { return }
            let all = Luck.allCases
            cuts.append(remains(all[Int(draws.next() % UInt64(all.count))]))
        }

        // MARK: - What is left

        mutating func remains(_ luck: Luck) -> Remains {
            Remains(acknowledged: acknowledged, words: "\(luck)", root: folder(root, at: path, luck))
        }

        /// What is left of a folder; `place` is where it lies now, nil if it is gone.
        private mutating func folder(_ number: UInt64, at place: String?, _ luck: Luck) -> [String: Remains.Node] {
            let present = place.map { list($0) } ?? [:]
            let kept = luck == .names || luck == .everything ? present : names[number] ?? [:]
            var nodes: [String: Remains.Node] = [:]
            // In an order, so that the draws are the same each time.
            for (name, number) in kept.sorted(by: { $0.key < $1.key }) {
                let inner = place.flatMap { present[name] == number ? "\($0)/\(name)" : nil }
                nodes[name] = node(number, at: inner, luck)
            }
            return nodes
        }

        private mutating func node(_ number: UInt64, at place: String?, _ luck: Luck) -> Remains.Node? {
            guard let file = files[number], let facts = Facts(file) else { return nil }
            guard !facts.isFolder else { return .folder(folder(number, at: place, luck), mode: facts.mode) }
            let (synced, present) = (bytes[number] ?? [], content(number))
            switch luck {
            case .nothing, .names: return .file(synced, mode: facts.mode)
            case .everything: return .file(present, mode: facts.mode)
            case .contents: return .file(mixed(synced, present), mode: facts.mode)
            }
        }

        /// The synced bytes, with some of the blocks that were written since, and the one size or the other.
        private mutating func mixed(_ synced: [UInt8], _ present: [UInt8]) -> [UInt8] {
            guard synced != present else { return synced }
            let byteCount = draws.next() % 2 == 0 ? synced.count : present.count
            var mixed = Array(synced.prefix(byteCount))
            mixed += [UInt8](repeating: 0, count: byteCount - mixed.count)
            for start in stride(from: 0, to: min(byteCount, present.count), by: Self.blockByteCount)
            where draws.next() % 2 == 0 {
                let block = start..<min(start + Self.blockByteCount, byteCount, present.count)
                mixed.replaceSubrange(block, with: present[block])
            }
            return mixed
        }

        // MARK: - The file system

        /// The names in a folder, with the numbers of what has them; all of that is held from now on.
        private mutating func list(_ place: String) -> [String: UInt64] {
            var found: [String: UInt64] = [:]
            // A folder that is gone has no names.
            for name in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [] {
                var status = stat()
                // The structure is written during the call only.
                guard unsafe lstat("\(place)/\(name)", &status) == 0 else { continue }
                // A socket is nothing on a disk.
                guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { continue }
                hold(UInt64(status.st_ino), "\(place)/\(name)")
                found[name] = UInt64(status.st_ino)
            }
            return found
        }

        private mutating func hold(_ number: UInt64, _ place: String) {
            guard files[number] == nil else { return }
            let file = unsafe open(place, O_RDONLY | O_CLOEXEC)
            if file >= 0 { files[number] = file }
        }

        private func content(_ number: UInt64) -> [UInt8] {
            guard let file = files[number], let facts = Facts(file), facts.byteCount > 0 else { return [] }
            var bytes = [UInt8](repeating: 0, count: facts.byteCount)
            // The buffer has room for what is asked, and the call does not keep it.
            let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(file, $0.baseAddress, $0.count, 0) }
            return Array(bytes.prefix(max(0, count)))
        }
    }

    /// What the system says of an open file.
    private struct Facts {
        let number: UInt64
        let isFolder: Bool
        let mode: Int
        let byteCount: Int

        init?(_ descriptor: Int32) {
            var status = stat()
            // The structure is written during the call only.
            guard unsafe fstat(descriptor, &status) == 0 else { return nil }
            number = UInt64(status.st_ino)
            isFolder = status.st_mode & S_IFMT == S_IFDIR
            mode = Int(status.st_mode & 0o7777)
            byteCount = Int(status.st_size)
        }
    }
}
