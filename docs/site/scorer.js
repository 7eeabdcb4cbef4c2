// The order of search results: pages before classes of the atlas, and these before code.
var Scorer = (() => {
  "use strict";

  // Words that readers type, and the pages that answer them, best page first.
  const TOPICS = {
    audit: ["docs/privacy", "mechanisms"],
    budget: ["docs/privacy", "docs/tables"],
    certificate: ["docs/certificates", "docs/proved"],
    csv: ["docs/tables", "docs/files"],
    dimension: ["docs/dimensions", "docs/compute-a-dimension"],
    example: ["index", "docs/tutorial", "docs/cheat-sheet"],
    exercise: ["docs/exercises", "docs/lecture-exercises"],
    family: ["docs/families", "catalog"],
    install: ["index", "README", "docs/tutorial"],
    installation: ["index", "README", "docs/tutorial"],
    ldim: ["docs/dimensions", "docs/compute-a-dimension", "docs/search"],
    learner: ["learners/index", "docs/which-learner"],
    ledger: ["docs/privacy"],
    glossary: ["docs/glossary"],
    littlestone: ["docs/dimensions", "docs/compute-a-dimension", "docs/search"],
    privacy: ["docs/privacy"],
    missing: ["docs/tables"],
    model: ["docs/tables", "docs/rules"],
    private: ["docs/privacy", "docs/which-learner", "docs/tables"],
    schema: ["docs/tables"],
    tree: ["docs/draw-a-tree", "docs/dimensions"],
    vc: ["docs/dimensions", "docs/compute-a-dimension"],
  };

  const CODE = 0, LISTED = 1000, PAGE = 2000;
  // Names such as threshold_dim, C.ldim and MWEMSanitizer are names of code.
  const NAME = /[_.(]|[a-z][A-Z]|[A-Z]{2}[a-z]/;

  const query = new URLSearchParams(window.location.search).get("q") ?? "";
  const words = query.toLowerCase().split(/\W+/).filter((word) => word);

  const group = (page, kind) => {
    if (kind === "object" || page.startsWith("reference/") || page.startsWith("gallery/")) {
      return NAME.test(query) ? PAGE + 500 : CODE;
    }
    return page.startsWith("atlas/") || page === "CHANGELOG" ? LISTED : PAGE;
  };

  return {
    score: ([page, title, anchor, , score, , kind]) => {
      let total = group(page, kind) + score;
      const places = words.map((word) => (TOPICS[word] ?? []).indexOf(page)).filter((at) => at >= 0);
      // The top of the page comes first, then its headings.
      if (places.length) total += 100 - 10 * Math.min(...places) - (anchor ? 60 : 0);
      return total + (title.toLowerCase().includes(query.toLowerCase()) ? 5 : 0);
    },
    objNameMatch: 11,
    objPartialMatch: 6,
    objPrio: { 0: 15, 1: 5, 2: -5 },
    objPrioDefault: 0,
    title: 15,
    partialTitle: 7,
    term: 5,
    partialTerm: 2,
  };
})();
