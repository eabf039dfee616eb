#include "report/page_style.h"

namespace vyre::report {
namespace {

constexpr std::string_view kPageStyle = R"(:root{color-scheme:light dark;
--ink:#1f2328;--dim:#59636e;--page:#ffffff;--soft:#f6f8fa;--edge:#d1d9e0;--link:#0969da}
@media (prefers-color-scheme:dark){:root{
--ink:#e6edf3;--dim:#9aa4af;--page:#0d1117;--soft:#161b22;--edge:#3d444d;--link:#58a6ff}}
*{box-sizing:border-box}
body{margin:0 auto;padding:12px 12px 48px;max-width:1240px;background:var(--page);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.2;margin:.6em 0 .2em}
h2{font-size:1.3rem;line-height:1.25;margin:2em 0 .3em;padding-top:.6em;border-top:3px solid var(--edge)}
h3{font-size:1.05rem;margin:1.8em 0 .3em}
p{margin:.4em 0;max-width:75ch}
.lead{font-size:1.1rem}
.quiet,figcaption,caption{color:var(--dim);font-size:.875rem}
a{color:var(--link)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
nav ul{padding-left:1.2em;margin:.4em 0}
dl{margin:.6em 0;border-top:1px solid var(--edge)}
dl div{display:grid;grid-template-columns:minmax(5em,12%) 1fr;gap:.8em;padding:.28em 0;border-bottom:1px solid var(--edge)}
dt{color:var(--dim)}
dd{margin:0}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:8px 20px}
figure{margin:.8em 0;min-width:0}
figcaption strong{color:var(--ink)}
figure svg{display:block;max-width:100%;height:auto}
.box{overflow-x:auto;margin:.8em 0;border:1px solid var(--edge);border-radius:6px}
table{border-collapse:collapse;width:100%;font-size:.875rem;overflow-wrap:normal}
caption{text-align:left;padding:.5em .7em}
th,td{padding:.3em .7em;text-align:left;vertical-align:top;border-top:1px solid var(--edge);max-width:26em}
tbody th{font-weight:400}
thead th{background:var(--soft)}
.sortable thead th{white-space:nowrap}
tbody tr:hover{background:var(--soft)}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
th button{font:inherit;color:var(--link);background:none;border:0;padding:.2em 0;margin:0;cursor:pointer;min-height:24px}
th button::after{content:" \2195";color:var(--dim)}
th[aria-sort=ascending] button::after{content:" \2191"}
th[aria-sort=descending] button::after{content:" \2193"}
summary{cursor:pointer;color:var(--link);padding:.4em 0}
@media print{.box{overflow:visible}}
)";

constexpr std::string_view kPageScript = R"(
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const keyed = [...body.rows].map((row) => {
        const cell = row.cells[column];
        return [cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v), row];
      });
      const sign = up ? 1 : -1;
      keyed.sort(([a], [b]) => {
        if (a === "" || b === "") return (a === "" ? 1 : 0) - (b === "" ? 1 : 0);
        if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
        return sign * (typeof a === "number" ? a - b : a.localeCompare(b));
      });
      body.append(...keyed.map(([, row]) => row));
    });
  });
}
)";

}  // namespace

std::string_view page_style() { return kPageStyle; }
std::string_view page_script() { return kPageScript; }
std::string_view page_script_hash() { return "S5z7XNBgw/5gkiS2ZenV+ucynTQ7OAg1g7j7F7+sRoE="; }

}  // namespace vyre::report
