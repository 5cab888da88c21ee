package import Libcrypto
package import StrictJSON

/// One line of a log.
package struct LogLine: Sendable {
    /// The digest that the first line names as the one before it.
    package static let start = SHA256Digest.zero

    /// Its place in the file, from 1.
    package let number: Int
    package let document: JSONDocument
    /// SHA-256 of the line without its newline.
    package let digest: SHA256Digest

    /// The line without its newline.
    package var bytes: [UInt8] { document.bytes }

    package var root: JSONElement { document.root }

    /// Whether the log itself wrote the line, when it removed a torn one.
    package var isRepair: Bool { root["event"]?.equals(LogRepair.event) ?? false }

    /// Its number in the chain, and the digest of the line before it.
    package var sequence: Int { header.sequence }
    package var previous: SHA256Digest { header.previous }

    let header: Header

    /// What chains a line.
    struct Header {
        let sequence: Int
        let previous: SHA256Digest
    }

    /// What is false about the line by itself is thrown as a fault.
    package init(_ bytes: [UInt8], number: Int) throws(LogFault) {
        let document: JSONDocument
        do {
            document = try JSONDocument.parse(bytes)
        } catch {
            throw LogFault(line: number, kind: .unreadable)
        }
        let root = document.root
        guard root.kind == .object, let format = root["format"]?.integer else {
            throw LogFault(line: number, kind: .unreadable)
        }
        guard format == 1 else { throw LogFault(line: number, kind: .unknownFormat) }
        guard let sequence = root["seq"]?.integer.flatMap({ Int(exactly: $0) }),
            let previous = root["prev"]?.string.flatMap({ SHA256Digest(hex: $0) })
        else { throw LogFault(line: number, kind: .unreadable) }
        self.number = number
        self.document = document
        digest = SHA256.digest(bytes)
        header = Header(sequence: sequence, previous: previous)
    }

    /// The bytes of a record as line `sequence` after the line with digest `previous`.
    package static func encode(
        _ record: JSONValue, sequence: Int, previous: SHA256Digest
    ) throws(LedgerError) -> [UInt8] {
        var members: [(String, JSONValue)]
        switch record {
        case .object(let given): members = given
        case .element(let element) where element.kind == .object:
            members = element.members.map { ($0.name, .element($0.value)) }
        default: throw .notAnObject
        }
        members.append(("format", .integer(1)))
        members.append(("seq", .integer(Int64(sequence))))
        members.append(("prev", .string(previous.hex)))
        return JSONValue.object(members).canonical()
    }
}
