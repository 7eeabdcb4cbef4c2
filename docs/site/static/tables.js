// Tables of the site: a click on a column's name sorts, filters hide rows, a row opens below itself.
// Headings and definitions get links to themselves.
"use strict";

for (const each of document.querySelectorAll(
  "dt.sig[id], section[id] > :is(h1, h2, h3, h4, h5, h6)",
)) {
  const link = document.createElement("a");
  link.className = "headerlink";
  link.href = "#" + (each.id || each.parentElement.id);
  link.textContent = "#";
  link.ariaLabel = "Link to this place";
  each.append(link);
}

for (const box of document.querySelectorAll(".live-table")) {
  const table = box.querySelector("table");
  const rows = [...table.tBodies];

  const value = (row, column) => {
    const cell = row.rows[0].cells[column];
    const text = cell.dataset.order ?? cell.textContent.trim();
    const number = Number(text.replace("%", ""));
    return text === "" ? null : Number.isNaN(number) ? text : number;
  };
  const compare = (a, b) => {
    if (a === null || b === null) return (a === null) - (b === null);
    return typeof a === "number" && typeof b === "number"
      ? a - b
      : String(a).localeCompare(String(b), undefined, { numeric: true });
  };
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const each of table.tHead.rows[0].cells) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const known = rows.filter((row) => value(row, column) !== null);
      const blank = rows.filter((row) => value(row, column) === null);
      known.sort((a, b) => compare(value(a, column), value(b, column)) * (down ? -1 : 1));
      table.append(...known, ...blank);
    });
  });

  rows.forEach((row) => {
    const below = row.rows[1];
    if (!below) return;
    const first = row.rows[0].cells[0];
    const button = document.createElement("button");
    button.type = "button";
    button.className = "opens";
    button.append(...first.childNodes);
    first.append(button);
    const open = (opened) => {
      below.hidden = !opened;
      button.setAttribute("aria-expanded", String(opened));
    };
    button.addEventListener("click", () => open(below.hidden));
    open(false);
    const follow = () => {
      if (row.id && location.hash === "#" + row.id) {
        open(true);
        row.scrollIntoView();
      }
    };
    window.addEventListener("hashchange", follow);
    follow();
  });

  const form = box.querySelector("form.filters");
  if (!form) continue;
  const told = form.querySelector("output");
  const filter = () => {
    const words = form.querySelector("[data-text]").value.toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const fits =
        [...form.querySelectorAll("select")].every(
          (each) => !each.value || row.dataset[each.dataset.key] === each.value,
        ) && row.textContent.toLowerCase().includes(words);
      row.hidden = !fits;
      shown += fits;
    }
    told.textContent = `${shown} of ${rows.length}`;
  };
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const event of ["input", "change"]) form.addEventListener(event, filter);
  filter();
}
