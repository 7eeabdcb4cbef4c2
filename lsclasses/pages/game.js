// Walks the positions of a game that were computed before; see lsclasses/pages/play_page.py.
"use strict";

const { mode, points, columns, concepts, positions, rounds = [] } = JSON.parse(
  document.getElementById("data").textContent,
);
const NOWHERE = -1;
const at = (id) => document.getElementById(id);
const most = positions[0].ldim;
const turns = []; // { at, point, prediction, label, after }
let asked = null; // the point that the adversary has named
let shown = 0; // in a replay, how many rounds were shown

const here = () => (turns.length ? turns[turns.length - 1].after : 0);
const times = (count) => `${count} mistake${count === 1 ? "" : "s"}`;
const forced = (number) => (number === NOWHERE ? NOWHERE : positions[number].ldim);

function element(tag, text = "", attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function button(text, act, attributes = {}) {
  const made = element("button", text, { type: "button", ...attributes });
  made.addEventListener("click", act);
  return made;
}

function take(point, prediction, label) {
  const after = positions[here()].moves[point][label];
  turns.push({ point: points[point], prediction, label, after });
  asked = null;
  draw(true);
}

const RULES = {
  learner:
    "Predict the label of each point. The adversary then says what is true, and contradicts you; " +
    `some concept has all labels that it says. It can force ${times(most)}, and the ` +
    "Standard Optimal Algorithm (SOA) makes no more.",
  adversary:
    "Name a point, see what the Standard Optimal Algorithm (SOA) predicts, and say the true label. " +
    `Some concept must have all labels that you say. At best you force ${times(most)}.`,
  replay:
    "A stream of examples, through the Standard Optimal Algorithm (SOA). On a stream that some " +
    `concept fits it makes at most ${times(most)}.`,
};

function made() {
  return turns.filter((turn) => turn.prediction !== turn.label).length;
}

function standing() {
  const number = here();
  if (number === NOWHERE) return "No concept agrees with all labels; no bound holds any more.";
  const { size, ldim } = positions[number];
  const left = `${size} ${size === "1" ? "concept" : "concepts"} left`;
  return `${left}; ${ldim ? `${ldim} more mistake${ldim === 1 ? "" : "s"}` : "no more mistakes"} can be forced.`;
}

function over() {
  return mode !== "replay" && forced(here()) === 0;
}

function ended() {
  const count = made();
  if (!most) return "Nothing can be forced in this class, and there is nothing to play.";
  const who = mode === "learner" ? "You made" : "The SOA made";
  const bound = count === most ? `: the bound, Ldim = ${most}, is met.` : `; the bound is Ldim = ${most}.`;
  return `The game is over. ${who} ${times(count)}${bound}`;
}

function told() {
  const last = turns[turns.length - 1];
  const what = last
    ? `The label of ${last.point} is ${last.label}: ${last.prediction === last.label ? "predicted right" : "a mistake"}. `
    : "";
  return what + standing() + (over() ? ` ${ended()}` : "");
}

function choices() {
  const box = at("choices");
  box.replaceChildren();
  if (mode === "replay") {
    const go = (to) => () => {
      turns.length = 0;
      shown = Math.max(0, Math.min(rounds.length, to));
      for (const [point, prediction, label, after] of rounds.slice(0, shown))
        turns.push({ point, prediction, label, after });
      draw(false);
    };
    const ahead = { "|◀": ["First", 0], "◀": ["Back", shown - 1], "▶": ["Next", shown + 1], "▶|": ["Last", rounds.length] };
    for (const [sign, [name, to]] of Object.entries(ahead)) {
      const made = button(`${sign} ${name}`, () => {
        go(to)();
        [...box.children].find((each) => each.textContent.endsWith(name)).focus();
      });
      made.setAttribute("aria-disabled", String(to < 0 || to > rounds.length || to === shown));
      box.append(made);
    }
    box.append(element("span", `round ${shown} of ${rounds.length}`));
    return;
  }
  if (over()) return;
  const { ask, moves } = positions[here()];
  if (mode === "learner") {
    box.append(element("span", `Round ${turns.length + 1}, point ${points[ask]}: your prediction?`));
    for (const label of [0, 1]) box.append(button(String(label), () => take(ask, label, 1 - label)));
  } else if (asked === null) {
    const label = element("label", `Round ${turns.length + 1}: which point? `);
    const select = element("select");
    for (const point of Object.keys(moves)) select.append(element("option", points[point], { value: point }));
    label.append(select);
    box.append(label, button("Ask", () => { asked = Number(select.value); draw(true); }));
  } else {
    const [zero, one, prediction] = moves[asked];
    box.append(element("span", `The SOA predicts ${prediction} at ${points[asked]}. The true label?`));
    for (const [label, after] of [zero, one].entries()) {
      const choice = button(String(label), () => take(asked, prediction, label));
      choice.disabled = after === NOWHERE;
      if (choice.disabled) choice.title = "No concept that is left has this label.";
      box.append(choice);
    }
  }
}

function hint() {
  const { ask, moves } = positions[here()];
  if (over() || ask === NOWHERE) return "Nothing can be forced any more.";
  const point = asked ?? ask;
  const [zero, one, prediction] = moves[point];
  if (mode === "adversary" && asked === null)
    return `Ask ${points[ask]}: whatever the SOA predicts there, the other label makes it err and costs you nothing.`;
  const after = [zero, one].map((number, label) =>
    number === NOWHERE
      ? `no concept has the label ${label}`
      : `after the label ${label}, ${times(forced(number))} can be forced`,
  );
  return `At the point ${points[point]}: ${after.join("; ")}. The SOA predicts ${prediction}.`;
}

function drawRounds() {
  const body = at("rounds").tBodies[0];
  body.replaceChildren(
    ...turns.map((turn, number) => {
      const row = element("tr");
      const mark = turn.prediction === turn.label ? "" : "mistake";
      for (const cell of [number + 1, turn.point, turn.prediction, turn.label, mark])
        row.append(element("td", String(cell)));
      return row;
    }),
  );
}

function drawLeft() {
  const box = at("left");
  const number = here();
  const left = number === NOWHERE ? [] : positions[number].left;
  if (!concepts.length || left === undefined) {
    box.replaceChildren(element("p", number === NOWHERE ? "None." : `${positions[number].size} concepts, too many to be listed.`));
    return;
  }
  const table = element("table", "", { class: "labels" });
  const head = element("tr");
  for (const name of points.slice(0, columns)) head.append(element("th", name, { scope: "col" }));
  table.append(element("thead"));
  table.tHead.append(head);
  const body = element("tbody");
  for (const each of left) {
    const row = element("tr");
    for (const label of concepts[each]) row.append(element("td", label, { class: `label-${label}` }));
    body.append(row);
  }
  table.append(body);
  box.replaceChildren(table);
}

function branch(number, level) {
  const { ask, moves, ldim, size } = positions[number];
  if (ask === NOWHERE || !(ask in moves)) return element("span", size === "1" ? "one concept" : `${size} concepts`);
  const made = element("details");
  made.open = level < 1;
  made.append(element("summary", `${points[ask]} (${times(ldim)})`));
  const list = element("ul");
  const fill = () => {
    if (list.children.length) return;
    for (const label of [0, 1]) {
      const item = element("li", `${label} `, { class: `edge-${label}` });
      item.append(branch(moves[ask][label], level + 1));
      list.append(item);
    }
  };
  if (made.open) fill();
  made.addEventListener("toggle", fill);
  made.append(list);
  return made;
}

function draw(move) {
  at("state").textContent = told();
  at("hinted").textContent = "";
  at("undo").disabled = !turns.length && asked === null;
  at("restart").disabled = at("undo").disabled;
  at("hint").disabled = over();
  choices();
  drawRounds();
  drawLeft();
  const number = here();
  at("tree").replaceChildren(number === NOWHERE ? element("p", "Nothing.") : branch(number, 0));
  if (move) at("choices").querySelector("button:not([disabled]), select")?.focus();
}

at("rules").textContent = RULES[mode];
if (mode === "replay") for (const id of ["hint", "undo", "restart"]) at(id).hidden = true;
at("hint").addEventListener("click", () => { at("hinted").textContent = hint(); });
at("undo").addEventListener("click", () => {
  if (asked === null) turns.pop();
  asked = null;
  draw(true);
});
at("restart").addEventListener("click", () => {
  turns.length = 0;
  asked = null;
  draw(true);
});
draw(false);
