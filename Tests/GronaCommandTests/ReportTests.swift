import CommandLineKit
import DeviceModel
import GronaCommand
import GronaFormats
import GronaVerification
import StrictJSON
import Testing

@Suite("Reports")
struct ReportTests {
    static let checks = [
        NamedCheck(name: "size", result: .passed),
        NamedCheck(
            name: "version",
            result: .failed(RuleViolation(.payloadRollback, .text(found: "a\u{1B}", needed: "b")))),
        NamedCheck(name: "expired", result: .skipped),
    ]

    @Test("The table of checks: a row each, aligned, nothing that steers the terminal")
    func table() {
        #expect(
            CheckReport.table(Self.checks).text() == """
                check    result   code              detail
                size     ok
                version  FAILED   payload.rollback  "a\\u{1b}", where "b" is needed
                expired  skipped

                """)
    }

    @Test("The checks as JSON")
    func json() {
        #expect(
            String(decoding: CheckReport.json(Self.checks).canonical(), as: UTF8.self) == """
                [{"check":"size","ok":true},{"check":"version","code":"payload.rollback",\
                "detail":"\\"a\\u001b\\", where \\"b\\" is needed","ok":false},\
                {"check":"expired","ok":"skipped"}]
                """)
    }

    private func difference(_ old: String, _ new: String) throws -> ConfigDifference {
        ConfigDifference(
            from: try JSONDocument.parse(Array(old.utf8)).root,
            to: try JSONDocument.parse(Array(new.utf8)).root)
    }

    static let old = """
        {"version":1,"expires_at":1793264400,"workspace":"w","campaigns":[
        {"id":"offer","kind":"offer","enabled":true,"treatment":{"type":"percent_off","value":10000}},
        {"id":"gone","kind":"banner","enabled":true}]}
        """
    static let new = """
        {"version":2,"expires_at":1793264401,"workspace":"w","campaigns":[
        {"id":"offer","kind":"offer","enabled":false,"treatment":{"type":"percent_off","value":12500}},
        {"id":"new\\u001b","kind":"banner","enabled":true}]}
        """

    @Test("The difference says what it means, then value by value")
    func differenceText() throws {
        let text = DifferenceReport.text(
            try difference(Self.old, Self.new), style: TextStyle(isOn: false))
        #expect(
            text == """
                ~ /expires_at: 1793264400 (2026-10-29T09:00:00Z) -> 1793264401 (2026-10-29T09:00:01Z)
                ~ /version: 1 -> 2
                - campaign gone
                  ! it is switched off
                + campaign new\\u{1b}
                  ! it is switched on
                ~ campaign offer
                  ! the offer is switched off
                  ! the treatment's value goes from 10 to 12.500; grants of the old value no longer match
                  ~ /enabled: true -> false
                  ~ /treatment/value: 10000 -> 12500

                """)
    }

    @Test("Nothing, and nothing but a stamp")
    func same() throws {
        #expect(
            DifferenceReport.text(try difference(Self.old, Self.old), style: TextStyle(isOn: false))
                == "no difference\n")
        let stamped = Self.old.replacing("\"version\":1", with: "\"version\":2")
        #expect(
            DifferenceReport.text(try difference(Self.old, stamped), style: TextStyle(isOn: false))
                == "~ /version: 1 -> 2\nthe same campaigns and settings\n")
    }

    @Test("The difference as JSON")
    func differenceJSON() throws {
        let json = DifferenceReport.json(try difference(Self.old, Self.new)).canonical()
        let read = try JSONDocument.parse(json).root
        #expect(read["campaigns"]?.count == 3)
        #expect(read["members"]?.count == 2)
        #expect(read["order"]?.kind == .null)
        let changes = read["campaigns"]?.elements.compactMap { $0["change"]?.string }
        #expect(changes == ["removed", "added", "changed"])
    }
}
