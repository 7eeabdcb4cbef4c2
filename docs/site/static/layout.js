// Parts of every page that need scripts, and copies of other parts. The pages do not repeat them. The
// script runs before the script of the theme, which listens to these parts.
"use strict";

const MODES = { auto: "circle-half-stroke", light: "sun", dark: "moon" };

// The buttons that choose the colors.
for (const box of document.querySelectorAll(".theme-switch-container")) {
  for (const [mode, icon] of Object.entries(MODES)) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "theme-change-button";
    button.dataset.mode = mode;
    button.title = `Color mode: ${mode}`;
    button.innerHTML = `<i class="fa-solid fa-${icon}"></i>`;
    box.append(button, " ");
  }
}

// The dialog that the search buttons open.
document.getElementById("pst-search-dialog").innerHTML = `
<form class="bd-search d-flex align-items-center" method="get"
  action="${document.documentElement.dataset.content_root}search.html">
<i class="fa-solid fa-magnifying-glass"></i>
<input type="search" class="form-control" name="q" placeholder="Search the docs ..."
  aria-label="Search the docs ..." autocomplete="off" autocorrect="off" autocapitalize="off"
  spellcheck="false">
<span class="search-button__kbd-shortcut"><kbd class="kbd-shortcut__modifier">Ctrl</kbd>+<kbd>K</kbd></span>
</form>`;

// The sections and the buttons of the header, in the sidebar.
for (const part of ["center", "end"]) {
  const copy = document.createElement("div");
  copy.className = `sidebar-header-items__${part}`;
  const items = `.navbar-header-items__${part} > :not(.navbar-persistent--container)`;
  copy.append(...[...document.querySelectorAll(items)].map((each) => each.cloneNode(true)));
  document.querySelector(".sidebar-header-items").append(copy);
}
