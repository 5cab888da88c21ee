package import GronaFormats

/// A stretch of life as one line of characters.
package struct TimeBar {
    package struct Glyphs: Sendable {
        package let fresh, due, expiring, empty, now: Character

        /// For a terminal that shows UTF-8.
        package static let unicode = Glyphs(
            fresh: "━", due: "═", expiring: "╍", empty: "·", now: "┃")
        /// For everything else.
        package static let plain = Glyphs(fresh: "=", due: "-", expiring: "!", empty: ".", now: "|")

        subscript(mark: Mark) -> Character {
            switch mark {
            case .empty: empty
            case .part(.fresh): fresh
            case .part(.due): due
            case .part(.expiring), .part(.expired): expiring
            case .now: now
            }
        }
    }

    package enum Mark: Sendable, Hashable {
        case empty
        case part(ConfigLife.Phase)
        case now
    }

    /// From left to right.
    package let marks: [Mark]

    /// - Parameter parts: later ones cover earlier ones; each takes at least one column.
    package init(
        _ parts: [(phase: ConfigLife.Phase, from: UnixTime, to: UnixTime)], on axis: TimeAxis,
        now: UnixTime, columns: Int
    ) {
        func column(_ time: UnixTime) -> Int {
            min(columns - 1, Int(axis.position(of: time)) * columns / Int(TimeAxis.length))
        }
        var marks = [Mark](repeating: .empty, count: max(0, columns))
        guard columns > 0 else {
            self.marks = []
            return
        }
        for part in parts where part.to >= axis.from && part.from <= axis.to {
            let first = column(part.from)
            for index in first..<max(first + 1, column(part.to)) {
                marks[index] = .part(part.phase)
            }
        }
        marks[column(now)] = .now
        self.marks = marks
    }
}
