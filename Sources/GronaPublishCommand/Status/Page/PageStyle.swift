/// The page's style sheet: light and dark, narrow and wide, screen and paper.
enum PageStyle {
    static let sheet: StaticString = """
        :root{color-scheme:light dark;--bg:#f4f6f9;--card:#fff;--ink:#1a2230;--soft:#525d70;\
        --line:#d9dee7;--track:#e8ecf2;--bad:#a8121c;--badbg:#fdeaea;--due:#7a4a00;--duebg:#fdf1d8;\
        --good:#17603a;--goodbg:#e2f4e9;--plain:#3d4759;--plainbg:#e9edf3;--link:#1a4f9c;\
        --f:#25874f;--d:#b07800;--q:#cf3a3a;--u:#5b7fb5;--now:#1a2230;--code:#eef1f6}
        @media(prefers-color-scheme:dark){:root{--bg:#0f131a;--card:#181e28;--ink:#e7ebf2;\
        --soft:#a5b0c2;--line:#2c3545;--track:#2a3240;--bad:#ff9d9d;--badbg:#3d1a1e;--due:#f5c56a;\
        --duebg:#38290d;--good:#86dba6;--goodbg:#12321f;--plain:#c0c9d8;--plainbg:#2a3240;\
        --link:#8fbcff;--f:#3fae6c;--d:#d9a521;--q:#e86464;--u:#7fa3d8;--now:#fff;--code:#222a37}}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%}
        body{margin:0 auto;max-width:68rem;padding:1.25rem 1rem 3rem;background:var(--bg);\
        color:var(--ink);font:1rem/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",\
        "DejaVu Sans",sans-serif;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
        h1{font-size:1.6rem;line-height:1.2;margin:0 0 .25rem}
        h2{font-size:1.15rem;margin:2rem 0 .6rem}
        h3{font-size:1.05rem;margin:0;display:flex;flex-wrap:wrap;gap:.3rem .6rem;align-items:center}
        h4{font-size:.8rem;margin:1.1rem 0 .3rem;color:var(--soft);text-transform:uppercase;\
        letter-spacing:.04em}
        p{margin:.3rem 0}
        ul,ol{list-style:none;margin:0;padding:0}
        a{color:var(--link);text-underline-offset:.15em}
        a:focus-visible{outline:2px solid var(--link);outline-offset:2px}
        code{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",monospace}
        .soft,.where{color:var(--soft)}
        .tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(7.5rem,1fr));gap:.6rem;\
        margin-top:1rem}
        .tile{padding:.6rem .9rem;border-radius:.6rem;font-size:.9rem}
        .tile b{display:block;font-size:1.7rem;line-height:1.15}
        .bad{color:var(--bad);background:var(--badbg)}
        .due{color:var(--due);background:var(--duebg)}
        .good{color:var(--good);background:var(--goodbg)}
        .plain{color:var(--plain);background:var(--plainbg)}
        .badge{font-size:.78rem;font-weight:600;padding:.1rem .55rem;border-radius:1rem;\
        white-space:nowrap;overflow-wrap:normal;justify-self:start}
        .none{padding:.7rem 1rem;border-radius:.6rem}
        .card{background:var(--card);border:1px solid var(--line);border-radius:.7rem;\
        padding:1rem 1.1rem;margin-bottom:.8rem}
        .hand{border-left:.35rem solid var(--q)}
        .hand li{margin-top:.7rem}
        .cmd{margin-top:.4rem}
        .cmd code{display:block;background:var(--code);border-radius:.4rem;padding:.3rem .6rem;\
        margin-top:.25rem;white-space:pre-wrap}
        .key code{color:var(--bad);font-weight:600}
        .rows{background:var(--card);border:1px solid var(--line);border-radius:.7rem}
        .row{display:grid;grid-template-columns:minmax(8rem,1.4fr) 8rem 4.5rem minmax(6rem,1fr) 8rem;\
        gap:.2rem .8rem;align-items:center;padding:.4rem 1.1rem;border-top:1px solid var(--line)}
        .row:first-child{border-top:0}
        .row>:last-child{text-align:right;color:var(--soft);font-size:.9rem}
        svg{display:block;width:100%}
        .m{height:.6rem;background:var(--track);border-radius:.3rem;overflow:hidden}
        .m rect{height:100%}
        .f{fill:var(--f)}.d{fill:var(--d)}.q{fill:var(--q)}.u{fill:var(--u)}
        .n{fill:var(--now);width:2px;transform:translateX(-1px)}
        .tl{margin:.9rem 0 .2rem}
        .lane{display:grid;grid-template-columns:8.5rem 1fr;align-items:center}
        .lane>span{font-size:.85rem;padding-right:.6rem}
        .b{height:1.7rem}
        .b rect{y:.5rem;height:.75rem;rx:.2rem}
        .b .t{fill:var(--track);width:100%}
        .b .n{y:0;height:100%;rx:0}
        .x{height:1.15rem;overflow:visible}
        .x text{fill:var(--soft);font-size:.72rem;text-anchor:middle}
        .x .s{text-anchor:start}.x .e{text-anchor:end}
        .x .w{fill:var(--ink);font-weight:600}
        .facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:.5rem 1rem;\
        margin:.8rem 0 0}
        .facts dt{font-size:.78rem;color:var(--soft)}
        .facts dd{margin:0;font-size:.94rem}
        .list li{display:grid;grid-template-columns:7rem minmax(7rem,auto) 1fr;gap:.1rem .8rem;\
        padding:.25rem 0;border-top:1px solid var(--line);align-items:baseline}
        .list.keys li{grid-template-columns:minmax(11rem,16rem) minmax(7rem,auto) 1fr}
        .list .badge{white-space:normal}
        .list li>:last-child{color:var(--soft);font-size:.9rem}
        .legend{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;margin-bottom:.8rem;font-size:.85rem;\
        color:var(--soft)}
        .legend svg{display:inline-block;width:1.4rem;height:.6rem;margin-right:.4rem}
        .legend rect{height:100%}
        .up{font-size:.85rem;margin-left:auto;font-weight:400}
        :target{outline:2px solid var(--link);outline-offset:2px}
        footer{margin-top:2rem;color:var(--soft);font-size:.85rem}
        @media(max-width:40rem){
        .row{grid-template-columns:1fr auto;padding:.5rem .8rem}
        .row>a{font-weight:600}.row>.badge{justify-self:end}
        .row>.m{grid-column:1/-1;order:9}
        .lane{grid-template-columns:1fr}.lane>span{padding-top:.25rem}
        .lane>span:empty{display:none}
        .b{height:1.4rem}.b rect{y:.3rem}
        .card{padding:.8rem .9rem}
        .facts{grid-template-columns:1fr 1fr}
        .list li,.list.keys li{grid-template-columns:1fr auto}
        .list li>:last-child{grid-column:1/-1}
        .list .badge{justify-self:end}
        }
        @media print{:root{color-scheme:light;--bg:#fff;--card:#fff;--ink:#000;--soft:#444;\
        --line:#bbb;--track:#e8ecf2;--bad:#a8121c;--badbg:#fdeaea;--due:#7a4a00;--duebg:#fdf1d8;\
        --good:#17603a;--goodbg:#e2f4e9;--plain:#3d4759;--plainbg:#e9edf3;--link:#000;--f:#25874f;\
        --d:#b07800;--q:#cf3a3a;--u:#5b7fb5;--now:#000;--code:#f1f1f1}
        *{print-color-adjust:exact;-webkit-print-color-adjust:exact}
        body{max-width:none;padding:0;font-size:10pt}.up{display:none}
        .card,.row,.lane,.list li{break-inside:avoid}h2,h3,h4{break-after:avoid}}

        """
}
