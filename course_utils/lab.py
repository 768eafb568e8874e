"""What JupyterLab needs to show the course as it is meant: style rules and a script that come with the language switch."""

# A part of a lesson opens with a heading, or where an exercise is told. What waits for an answer waits no further: here, on pages
# (course_tools/look/predict.js) and on paper (course_tools/handout/paper.py).
HEADING = ".jp-RenderedMarkdown :is(h1, h2, h3)"
TOLD, EXERCISE = ".jp-RenderedMarkdown p:first-child > strong:first-child", "^(练习|Exercise)"
OPENS = f"const opens = cell => !!cell.querySelector('{HEADING}') || /{EXERCISE}/.test(cell.querySelector('{TOLD}')?.textContent);"

# A line that can be read, and pictures hardly wider; a stepper's slider as wide as the cell; no result's first line beside its fold;
# arrows and pictures that can be seen on dark paper; what gives an answer away, until somebody has chosen one (`veil` below).
RULES = """
.jp-RenderedMarkdown > div[lang] { font-size: 16px; line-height: 1.65; }
.jp-RenderedMarkdown > div[lang] > :is(p, ul, ol, blockquote, details) { max-width: 680px; }
.jp-RenderedMarkdown > :is(h1, h2, h3):has([lang]) { font-weight: 700; }
.jp-RenderedMarkdown > h2:has([lang]) { margin-top: 1.6em; }
.jp-RenderedMarkdown.jp-RenderedHTMLCommon table { margin-left: 0; }
.jp-RenderedMarkdown details:has(pre) { padding: 6px 12px; border: 1px solid var(--jp-border-color2); border-radius: 6px; }
.jp-RenderedMarkdown:has(> div[lang]) > div[lang] > details:has(pre) { max-width: 960px; }
.jp-Cell .jp-RenderedHTMLCommon .course-picture { width: min(100%, 720px); }
.jp-Cell .widget-html .widget-html-content > [lang] > svg { width: min(100%, 720px); height: auto; }
.course-cards:has(> :nth-child(3):last-child) { grid-template-columns: repeat(auto-fit, minmax(min(260px, 100%), 1fr)); }
.jp-Cell .widget-box:has(> .widget-box + .widget-html .course-step) .widget-hslider { flex: 1; width: auto !important; }
.jp-OutputPlaceholder .jp-PlaceholderText { display: none; }
.jp-OutputPlaceholder .jp-Placeholder-contentContainer::before { content: "看结果 · See the result"; }
:root[data-course-language="zh"] .jp-OutputPlaceholder .jp-Placeholder-contentContainer::before { content: "看结果"; }
:root[data-course-language="en"] .jp-OutputPlaceholder .jp-Placeholder-contentContainer::before { content: "See the result"; }
[data-jp-theme-light="false"] .jp-RenderedMarkdown img { color-scheme: dark; }
[data-jp-theme-light="false"] .jp-OutputArea { --jp-widgets-dropdown-arrow: url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 18 18'%3E%3Cpath fill='%23ddd' d='M5.2 5.9 9 9.7l3.8-3.8L14 7.1l-5 5-5-5z'/%3E%3C/svg%3E"); }
.jp-Cell.course-behind { display: none; }
"""

# `asked` is COURSE_LANG's choice and wins; then what this page shows already, what the browser kept, its own language. The rules go
# to the head as well: there they hold for notebooks that have not been run, too.
SCRIPT = """
<script>
(() => {
  OPENS
  const asked = "ASKED", name = "course-language", root = document.documentElement;
  const kept = () => { try { return localStorage.getItem(name); } catch { return null; } };
  const panels = () => [...document.querySelectorAll(".jp-WindowedPanel-outer")].filter(panel => panel.offsetParent);
  const choose = value => {
    root.dataset.courseLanguage = value;
    document.querySelectorAll(`input[name="${name}"]`).forEach(button => { button.checked = button.value === value; });
  };
  // What both languages share (code, headings) stays where it is on the screen.
  const chooseHere = value => {
    const places = panels().map(panel => {
      const top = panel.getBoundingClientRect().top, at = cell => cell.getBoundingClientRect().top - top;
      const cells = [...panel.querySelectorAll(".jp-Cell")].filter(cell => cell.offsetParent && !cell.querySelector("div[lang]:first-child"));
      const cell = cells.filter(each => at(each) <= 40).at(-1) ?? cells[0];
      return cell && panel.scrollTop > 0 ? [panel, cell, at(cell), at] : null;
    });
    choose(value);
    const back = () => places.filter(Boolean).forEach(([panel, cell, was, at]) => { panel.scrollTop += at(cell) - was; });
    back();
    requestAnimationFrame(() => { back(); requestAnimationFrame(back); });
  };
  const rules = document.querySelector("body .course-language-rules");
  document.head.querySelectorAll(".course-language-rules").forEach(old => old.remove());
  if (rules) document.head.append(rules.cloneNode(true));
  choose(asked || root.dataset.courseLanguage || kept() || (/^zh/i.test(navigator.language) ? "zh" : "en"));
  // Run All goes to the last cell; whoever starts reading is taken back to the first.
  for (const panel of panels()) {
    const cells = panel.querySelectorAll(".jp-Cell");
    if (cells.length && cells[cells.length - 1].matches(".jp-mod-active")) {
      panel.scrollTop = 0;
      setTimeout(() => { panel.scrollTop = 0; }, 300);
    }
  }
  if (window.courseLanguage) return;
  window.courseLanguage = chooseHere;
  document.addEventListener("click", ({target}) => {
    if (target.name !== name) return;
    try { localStorage.setItem(name, target.value); } catch { }
    chooseHere(target.value);
  });
  window.addEventListener("storage", event => { if (event.key === name && event.newValue) chooseHere(event.newValue); });

  // "掩码 · The mask", in a heading, on a button, on a fold: each language in an element of its own, for the rules.
  const chinese = /[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]/;
  const element = (tag, attributes, ...inside) => {
    const made = Object.assign(document.createElement(tag), attributes);
    made.append(...inside);
    return made;
  };
  const speak = place => {
    if (place.querySelector("[lang]")) return;
    const nodes = [...place.childNodes].filter(node => !node.classList?.contains("jp-InternalAnchorLink"));
    const text = part => part.map(node => node.textContent).join("");
    for (const [k, node] of nodes.entries()) {
      const at = node.nodeType === 3 ? node.data.indexOf(" · ") : -1;
      if (at < 0 || !chinese.test(text(nodes.slice(0, k)) + node.data.slice(0, at))) continue;
      if (chinese.test(node.data.slice(at) + text(nodes.slice(k + 1)))) continue;
      const after = node.splitText(at + 3);
      node.data = node.data.slice(0, at);
      const zh = element("span", {lang: "zh"}, ...nodes.slice(0, k + 1)), en = element("span", {lang: "en"}, after, ...nodes.slice(k + 1));
      place.prepend(zh, element("span", {className: "course-both"}, " · "), en);
      return;
    }
  };

  // Below a question that nobody has answered everything waits, as far as the next part.
  const veil = notebook => {
    let waits = false;
    for (const cell of notebook.querySelectorAll(".jp-Cell")) {
      if (opens(cell)) waits = false;
      cell.classList.toggle("course-behind", waits);
      waits ||= !!cell.querySelector(".course-question.course-open");
    }
  };
  let asleep = 0;
  const look = () => {
    asleep = 0;
    document.querySelectorAll(".jp-RenderedMarkdown :is(h1, h2, h3, h4, summary), .jp-OutputArea .widget-button").forEach(speak);
    document.querySelectorAll(".jp-Notebook").forEach(veil);
  };
  new MutationObserver(() => { asleep ||= setTimeout(look, 60); }).observe(document.body, {childList: true, subtree: true, attributes: true, attributeFilter: ["class"]});
  look();
})();
</script>
""".replace("OPENS", OPENS)
