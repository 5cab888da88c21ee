package import CommandLineKit

/// The tables of the handbook's page of codes, which is a part of the programs.
///
/// A row is `| codes | meaning | what to do |`, and `| status | codes |` in the list of exit
/// statuses. A code that ends with a full stop stands for all that begin with it.
package struct CodeTable: Sendable {
    package struct Row: Sendable {
        package let codes: [String]
        package let meaning: String
        package let action: String
    }

    package static let topics = Topics(
        names: { CodeTable().rows.flatMap(\.codes).filter { $0.utf8.last != full } },
        text: { CodeTable().text($0) })

    private static let full = UInt8(ascii: ".")
    private static let tick = UInt8(ascii: "`")

    package let rows: [Row]
    private let exits: [(status: String, codes: [String])]

    /// The page that was built in.
    package init() {
        self.init(PackageResources.Codes_md)
    }

    package init(_ page: [UInt8]) {
        var rows: [Row] = []
        var exits: [(status: String, codes: [String])] = []
        for line in page.split(separator: UInt8(ascii: "\n")) where line.first == UInt8(ascii: "|")
        {
            let cells = line.dropFirst().split(
                separator: UInt8(ascii: "|"), omittingEmptySubsequences: false
            ).map(Self.trimmed)
            if cells.count == 4 {
                let codes = Self.codes(cells[0])
                guard !codes.isEmpty else { continue }
                rows.append(
                    Row(codes: codes, meaning: Self.words(cells[1]), action: Self.words(cells[2]))
                )
            } else if cells.count == 3, cells[0].first.map({ (0x30...0x39).contains($0) }) == true {
                exits.append((String(decoding: cells[0], as: UTF8.self), Self.codes(cells[1])))
            }
        }
        self.rows = rows
        self.exits = exits
    }

    /// The codes, and beginnings of codes, for which a status is told.
    package var listedCodes: [String] { exits.flatMap(\.codes) }

    /// The row of a code, else the one for all that begin so.
    package func row(_ code: String) -> Row? {
        rows.first { row in row.codes.contains { $0.utf8.elementsEqual(code.utf8) } }
            ?? rows.first { row in
                row.codes.contains { $0.utf8.last == Self.full && code.utf8.starts(with: $0.utf8) }
            }
    }

    /// The statuses with which a program ends for it; 65 where none is listed.
    package func statuses(_ code: String) -> [String] {
        let exact = exits.filter { $0.codes.contains { $0.utf8.elementsEqual(code.utf8) } }
        let found =
            exact.isEmpty
            ? exits.filter {
                $0.codes.contains {
                    $0.utf8.last == Self.full && code.utf8.starts(with: $0.utf8)
                }
            } : exact
        return found.isEmpty ? ["65"] : found.map(\.status)
    }

    private func text(_ code: String) -> [String]? {
        guard code.utf8.last != Self.full, let row = row(code) else { return nil }
        let others = row.codes.filter { !$0.utf8.elementsEqual(code.utf8) }
        var text = [DisplayText.capitalized(row.meaning) + "."]
        if !row.action.isEmpty { text.append("What to do: " + row.action + ".") }
        let statuses = statuses(code)
        text.append(
            statuses == ["0"]
                ? "Exit status: none of its own; with --strict a warning ends the command."
                : "Exit status: " + statuses.joined(separator: " or ") + ".")
        if !others.isEmpty {
            text.append("The same is said of " + others.joined(separator: ", ") + ".")
        }
        return text
    }

    // MARK: Cells

    private static func trimmed(_ cell: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let blank = UInt8(ascii: " ")
        guard let first = cell.firstIndex(where: { $0 != blank }),
            let last = cell.lastIndex(where: { $0 != blank })
        else { return [] }
        return cell[first...last]
    }

    /// What stands in back ticks.
    private static func codes(_ cell: ArraySlice<UInt8>) -> [String] {
        cell.split(separator: tick, omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }
            .map { String(decoding: $0.element, as: UTF8.self) }
    }

    /// Markdown as plain text: quotes for back ticks, and names for links to pages.
    private static func words(_ cell: ArraySlice<UInt8>) -> String {
        var text: [UInt8] = []
        var rest = cell
        let link = Array("<doc:".utf8)
        while let byte = rest.first {
            if rest.starts(with: link), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
                text += Array("the handbook's page ".utf8)
                text += rest[(rest.startIndex + link.count)..<end]
                rest = rest[(end + 1)...]
            } else {
                text.append(byte == tick ? UInt8(ascii: "'") : byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
