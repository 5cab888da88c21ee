/// Rows of text in aligned columns.
///
/// Cells hold text from documents: they are escaped here. Widths are those of a terminal.
package struct Table: Sendable {
    package enum Alignment: Sendable {
        case left, right
    }

    package struct Cell: Sendable {
        package enum Look: Sendable {
            case plain, good, bad, caution, faint
        }

        package let text: String
        package let look: Look

        package init(_ text: String, _ look: Look = .plain) {
            self.text = text
            self.look = look
        }
    }

    private let titles: [String]
    private let alignments: [Alignment]
    private var rows: [[Cell]] = []

    /// - Parameters:
    ///   - titles: one a column; no line of titles when all are empty.
    ///   - right: columns, from 0, whose cells stand at the right.
    package init(_ titles: [String], right: Set<Int> = []) {
        self.titles = titles
        alignments = titles.indices.map { right.contains($0) ? .right : .left }
    }

    package var isEmpty: Bool { rows.isEmpty }

    package mutating func add(_ cells: [Cell]) {
        rows.append(cells)
    }

    package mutating func add(_ cells: [String]) {
        add(cells.map { Cell($0) })
    }

    /// The lines, each ended by a newline and without blanks at its end.
    package func text(style: TextStyle = TextStyle(isOn: false)) -> String {
        let titleRow = titles.allSatisfy(\.isEmpty) ? [] : [titles.map { Cell($0) }]
        let cells = (titleRow + rows).map { $0.map { Cell(DisplayText.escaped($0.text), $0.look) } }
        let widths = titles.indices.map { column in
            cells.map { $0.indices.contains(column) ? DisplayText.width($0[column].text) : 0 }
                .max() ?? 0
        }
        var text = ""
        for (index, row) in cells.enumerated() {
            var line = ""
            let last = row.lastIndex { !$0.text.isEmpty } ?? -1
            for (column, cell) in row.enumerated() where column <= last {
                let blanks = String(
                    repeating: " ", count: max(0, widths[column] - DisplayText.width(cell.text)))
                let isTitle = index == 0 && !titleRow.isEmpty
                let shown = isTitle ? style.bold(cell.text) : coloured(cell, style)
                if column > 0 { line += "  " }
                if alignments[column] == .right {
                    line += blanks + shown
                } else {
                    line += shown + (column == last ? "" : blanks)
                }
            }
            text += line + "\n"
        }
        return text
    }

    private func coloured(_ cell: Cell, _ style: TextStyle) -> String {
        switch cell.look {
        case .plain: cell.text
        case .good: style.green(cell.text)
        case .bad: style.red(cell.text)
        case .caution: style.yellow(cell.text)
        case .faint: style.faint(cell.text)
        }
    }
}
