import Foundation
import LinuxIO
import StrictJSON
import Synchronization
import TestSupport
import Testing

/// `grona-publish refresh` while somebody else publishes, on this host or another, and one that was
/// asleep: with the built programs, the rival's commands run from within the signer's call.
@Suite struct RefreshRivalTests {
    @Test(
        "Who switches an offer off between signature and swap wins: the old content never returns",
        arguments: [false, true])
    func winner(isDueAgain: Bool) throws {
        let fleet = try FleetSetting(["aa-shop"])
        try fleet.settle()
        let served = fleet.config("aa-shop")
        // The answer is held back until the rival has published.
        let signer = try fleet.script(
            "late",
            """
            read -r line
            answer=$(printf '%s\\n' "$line" | $SIGN "$@")
            if [ ! -e "$HOME/won" ]; then
                : >"$HOME/won"
                $SIGN renew '\(served)' --disable news --version 3 -o "$HOME/off.json" >&2
                \(fleet.publisher) push "$HOME/off.json" --to '\(fleet.store)' >&2 || exit 9
            fi
            printf '%s\\n' "$answer"
            cat | $SIGN "$@"
            """)
        // Where what won is due as well, it is renewed, and the number that lost is lost.
        let within = isDueAgain ? ["--within", "400d"] : []
        let answer = try fleet.refresh(["--signer", signer] + within)
        #expect(answer.exit == .exited(0), "\(answer.errors)")
        let payload = try fleet.served("aa-shop")
        #expect(payload["version"]?.integer == (isDueAgain ? 4 : 3))
        #expect(
            payload["campaigns"]?.elements.first { _ in true }?["enabled"]?.boolean == false)
        let result = isDueAgain ? "renewed" : "unchanged"
        #expect(try fleet.column(answer, "result") == ["aa-shop": result], "\(answer.errors)")
        #expect(FileManager.default.fileExists(atPath: fleet.path("won")))
    }

    @Test func `Two hosts at once renew each workspace, and waste one number at most`() throws {
        let names = (1...12).map { "shop-\(100 + $0)" }
        let fleet = try FleetSetting(names)
        try fleet.settle()
        let hosts = ["north", "south"]
        for host in hosts { try fleet.folder.folder(host, permissions: 0o700) }
        // One memory of what was signed, whoever asks; nobody gets an answer before both have looked
        // at everything and ask.
        let signer = try fleet.script(
            "signer",
            """
            : >"$GRONA_STATE/asks"
            for turn in $(seq 600); do
                [ -e \(fleet.path("north/asks")) ] && [ -e \(fleet.path("south/asks")) ] && break
                sleep 0.05
            done
            GRONA_STATE=\(fleet.path("state")) exec $SIGN "$@"
            """)
        let runs = hosts.map { host in
            (
                host,
                [fleet.publisher, "refresh", "--all", "--json", "--signer", signer],
                fleet.environment([
                    "GRONA_STATE": fleet.path(host), "GRONA_SIGNER_TIMEOUT": "60s",
                ])
            )
        }
        let answers = Mutex<[String: Program.Answer]>([:])
        DispatchQueue.concurrentPerform(iterations: runs.count) { index in
            let (host, words, environment) = runs[index]
            let answer = try? Program.run(words, environment: environment)
            answers.withLock { $0[host] = answer }
        }
        for host in hosts {
            let answer = try #require(answers.withLock { $0[host] })
            #expect(answer.exit == .exited(0), "\(answer.errors)")
            let results = try fleet.column(answer, "result").values
            #expect(results.allSatisfy { $0 == "renewed" || $0 == "unchanged" })
        }
        for name in names {
            let payload = try fleet.served(name)
            #expect((2...3).contains(try #require(payload["version"]?.integer)), "\(name)")
            #expect(try #require(payload["issued_at"]?.integer) >= fleet.start, "\(name)")
            #expect(try fleet.signatures(name) <= 2, "\(name)")
        }
    }

    @Test func `Stopped in the middle and continued after an end, a run does the rest`() throws {
        let names = (1...4).map { "shop-\($0)" }
        let fleet = try FleetSetting([])
        for name in names {
            // The last ends two seconds from now, and is asleep with the run.
            let ends = name == names.last ? 2 : 10 * FleetSetting.day
            let shop = FleetSetting.Shop(
                name: name, key: try TestKey("\(name)-1"),
                issued: fleet.start + ends - 30 * FleetSetting.day)
            try fleet.add(shop)
            try fleet.serve(shop)
        }
        try fleet.settle()
        let signer = try fleet.script(
            "signer",
            """
            RUN=$PPID
            while read -r line; do
                count=$((count + 1))
                if [ $count = 2 ]; then kill -STOP $RUN; sleep 4; kill -CONT $RUN; fi
                printf '%s\\n' "$line"
            done | $SIGN "$@"
            """)
        let answer = try fleet.refresh(["--jobs", "1", "--signer", signer])
        #expect([.exited(0), .exited(76)].contains(answer.exit), "\(answer.errors)")
        for name in names {
            let payload = try fleet.served(name)
            #expect(payload["version"]?.integer == 2, "\(name)")
            #expect(try #require(payload["issued_at"]?.integer) >= fleet.start, "\(name)")
        }
        #expect(try fleet.refresh().exit == .exited(0))
    }
}
