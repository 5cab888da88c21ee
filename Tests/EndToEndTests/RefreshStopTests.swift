import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// `grona-publish refresh` that is asked to end, as a unit's time-out or a person at a terminal does.
@Suite struct RefreshStopTests {
    private let names = (1...6).map { "shop-\($0)" }

    /// A signer that sends a signal to the run that started it, with the second question.
    private func signer(_ fleet: FleetSetting, _ signal: String) throws -> String {
        try fleet.script(
            "signer",
            """
            RUN=$PPID
            while read -r line; do
                count=$((count + 1))
                if [ $count = 2 ]; then \(signal); fi
                printf '%s\\n' "$line"
            done | $SIGN "$@"
            """)
    }

    @Test(
        "The first signal lets what was begun be done, begins nothing more, and leaves metrics",
        arguments: ["TERM", "INT", "HUP"])
    func stopped(signal: String) throws {
        let fleet = try FleetSetting(names)
        try fleet.settle()
        let metrics = fleet.path("refresh.prom")
        let signer = try signer(fleet, "kill -\(signal) $RUN")
        let answer = try fleet.refresh(
            ["--jobs", "1", "--metrics", metrics, "--signer", signer])
        #expect(answer.exit == .exited(75), "\(answer.errors)")
        let results = try fleet.column(answer, "result").values
        #expect(results.count { $0 == "renewed" } == 2)
        #expect(results.count { $0 == "skipped" } == 4)
        #expect(
            try fleet.column(answer, "code").values.count { $0 == "refresh.stopped" } == 4)
        let text = try String(contentsOfFile: metrics, encoding: .utf8)
        for line in [
            "stopped{code=\"refresh.stopped\"} 1", "renewed 2", "last_exit_code 75",
            "failed{code=\"refresh.stopped\"} 4", "last_success_timestamp_seconds 0",
        ] {
            #expect(text.contains("grona_refresh_\(line)\n"), "\(line)")
        }
        #expect(answer.errors.split(separator: "\n").count { $0.contains("refresh.stopped") } == 1)
        let next = try fleet.refresh(["--metrics", metrics])
        #expect(next.exit == .exited(0), "\(next.errors)")
        #expect(try fleet.column(next, "result").values.count { $0 == "renewed" } == 4)
        #expect(try !String(contentsOfFile: metrics, encoding: .utf8).contains("refresh_stopped"))
    }

    @Test func `The second signal ends the run and its signer at once; the next run does the rest`()
        throws
    {
        let fleet = try FleetSetting(names)
        try fleet.settle()
        let signer = try signer(
            fleet, "while kill -TERM $RUN 2>/dev/null; do sleep 0.05; done; sleep 300")
        let start = SystemClock.monotonicNanoseconds()
        let answer = try fleet.refresh(["--jobs", "1", "--signer", signer])
        #expect(answer.exit == .signalled(15), "\(answer.errors)")
        #expect(SystemClock.monotonicNanoseconds() - start < 60_000_000_000)
        let next = try fleet.refresh()
        #expect(next.exit == .exited(0), "\(next.errors)")
        #expect(try fleet.column(next, "result").values.count { $0 == "renewed" } == 5)
    }

    @Test func `A signal that is ignored, as under nohup, stops nothing`() throws {
        let fleet = try FleetSetting(names)
        try fleet.settle()
        let signer = try signer(fleet, "kill -HUP $RUN")
        let answer = try Program.run(
            [
                "sh", "-c", "trap '' HUP; exec \"$@\"", "sh", fleet.publisher, "refresh", "--all",
                "--json", "--jobs", "1", "--signer", signer,
            ], environment: fleet.environment())
        #expect(answer.exit == .exited(0), "\(answer.errors)")
        #expect(try fleet.column(answer, "result").values.count { $0 == "renewed" } == 6)
    }
}
