import CommandLineKit
import GronaCommand
import GronaFormats
import Ledger
import Libcrypto
import StrictJSON

/// The audit log for people, and the report on its chain as JSON.
enum AuditTable {
    static func text(_ lines: [JSONElement], style: TextStyle) -> String {
        var table = Table(["time", "user", "what", "version", "key", "digest", "why"], right: [3])
        for line in lines {
            let time = line["at"]?.integer ?? line["time"]?.integer
            table.add([
                time.map { TimeWording.text($0) } ?? "", line["user"]?.string ?? "", what(line),
                line["version"]?.integer.map { String($0) } ?? "", line["kid"]?.string ?? "",
                String((line["digest"] ?? line["after"])?.string?.prefix(16) ?? ""),
                line["reason"]?.string ?? "",
            ])
        }
        return table.text(style: style)
    }

    private static func what(_ line: JSONElement) -> String {
        let act = line["act"]?.string ?? line["event"]?.string ?? ""
        let detail = (line["role"] ?? line["change"])?.string
        let rehearsal = line["rehearsal"]?.boolean == true ? " (rehearsal)" : ""
        return act + (detail.map { " \($0)" } ?? "") + rehearsal
    }

    static func json(_ report: LogReport) -> JSONValue {
        var members: [(String, JSONValue)] = [
            ("ok", .boolean(report.fault == nil)), ("lines", .integer(Int64(report.tip.lines))),
            ("head", .string(report.tip.head.hex)),
            ("head_line", report.headLine.map { .integer(Int64($0)) } ?? .null),
            ("torn_bytes", .integer(Int64(report.tornBytes))),
            ("repairs", .integer(Int64(report.repairs))),
        ]
        if let fault = report.fault {
            members += [
                ("code", .string(LedgerWording.code(fault.kind))),
                ("line", .integer(Int64(fault.line))),
                ("message", .string(LedgerWording.message(fault.kind))),
            ]
        }
        return .object(members)
    }
}
