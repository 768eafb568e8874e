// What every page of the course does: one language at a time, links that keep it, boxes that say that they scroll.
const root = document.documentElement;
const CJK = '\u3000-\u303f\u4e00-\u9fff\uff00-\uffef';
const TWO = new RegExp(`^([^]*?[${CJK}][^]*?) · ([^${CJK}]*)$`);

// "掩码 · The mask" in the language shown; any other text as it is.
function said(text, language = root.dataset.lang) {
  const two = language === 'both' ? null : TWO.exec(text);
  return two ? two[language === 'zh' ? 1 : 2] : text;
}

const SPOKEN = ['alt', 'aria-label', 'title', 'placeholder'], whole = new WeakMap();

// Alternatives, labels and tips below an element, in the language shown.
function speak(scope) {
  for (const element of scope.querySelectorAll(SPOKEN.map(name => `[${name}]`).join())) {
    if (!whole.has(element)) whole.set(element, Object.fromEntries(SPOKEN.map(name => [name, element.getAttribute(name)])));
    for (const [name, text] of Object.entries(whole.get(element))) if (text) element.setAttribute(name, said(text));
  }
}

const title = document.title;

function choose(language) {
  const headings = [...document.querySelectorAll('main :is(h1, h2, h3)')];
  const here = headings.findLast(each => each.getBoundingClientRect().top < 120), top = here?.getBoundingClientRect().top;
  root.dataset.lang = language;
  root.lang = language === 'en' ? 'en' : 'zh';
  document.title = said(title);
  speak(document.body);
  root.dispatchEvent(new Event('language'));
  for (const button of document.querySelectorAll('[data-choose]')) button.setAttribute('aria-pressed', button.dataset.choose === language);
  keep();
  if (here && scrollY > 0) scrollBy({top: here.getBoundingClientRect().top - top, behavior: 'instant'});
}

function paint(theme) {
  root.dataset.theme = theme;
  root.dispatchEvent(new Event('theme'));
  keep();
}

// Links within the course, and the address itself, carry the choice.
function keep() {
  const chosen = new URLSearchParams({lang: root.dataset.lang, ...(root.dataset.theme && {theme: root.dataset.theme})});
  for (const link of document.querySelectorAll('a[href]')) link.setAttribute('href', carried(link.getAttribute('href'), chosen));
  const here = new URLSearchParams({...Object.fromEntries(new URLSearchParams(location.search)), ...Object.fromEntries(chosen)});  // slides are printed by ?print-pdf
  try { history.replaceState(null, '', `?${here}${location.hash}`); } catch { /* some browsers refuse this to files */ }
}

function carried(address, chosen) {
  const [, file, hash] = /^([^?#]*)[^#]*(.*)$/.exec(address);
  return /^[\w./%-]+\.html$/.test(file) ? `${file}?${chosen}${hash}` : address;
}

// A box that scrolls can be reached by the keyboard, has a name, and shows on which side it goes on.
const BOXES = '.highlight, .editor, .jp-OutputArea-output, .wide, .jp-RenderedText, math[display="block"], .course-step .src, .course-step .vars, .course-step .tensor, .frame';

function watch(box) {
  const wide = box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX !== 'visible';
  const tall = box.matches('.highlight, .src') && box.scrollHeight > box.clientHeight + 2;  // a long kernel on a slide, a stepper's on a phone
  if (!wide && !tall) {
    if (!box.dataset.more) return;
    for (const name of ['data-more', 'tabindex', 'role', 'aria-label']) box.removeAttribute(name);
    return;
  }
  const before = box.scrollLeft > 1, after = box.scrollLeft + box.clientWidth < box.scrollWidth - 1;
  if (!box.dataset.more) {
    box.tabIndex = 0;
    box.addEventListener('scroll', () => watch(box), {passive: true});
    if (box.localName !== 'math') {
      box.setAttribute('role', 'group');
      box.setAttribute('aria-label', said(wide ? '可以左右滚动 · scrolls sideways' : '可以上下滚动 · scrolls down'));
    }
  }
  box.dataset.more = !wide ? 'down' : before && after ? 'both' : before ? 'left' : 'right';
}

// Code may go on below before a method, and not between a minus and its number.
const parted = html => html.replace(/-(?=\w)(?![^<]*>)/g, '-\u2060').replace(/\)(?=\.)/g, ')\u200b');

// A line of a stepper's code goes on further in than it began.
function hang(scope) {
  for (const number of scope.querySelectorAll('.course-step .src .no')) {
    const row = number.parentElement, {textContent: text} = row, {length} = number.textContent;
    row.style.setProperty('--in', `${length + /^ */.exec(text.slice(length))[0].length + 4}ch`);
    if (/-\w|\)\./.test(text)) row.innerHTML = parted(row.innerHTML);
  }
}

function watchAll(scope = document) {
  hang(scope);
  for (const box of scope.querySelectorAll(BOXES)) watch(box);
}

// A Chinese title breaks between its phrases, and no line begins with the mark that follows a formula.
for (const name of document.querySelectorAll('h1 > [lang="zh"]')) name.innerHTML = name.innerHTML.replace(/[^，：]+[，：]?/g, '<span class="phrase">$&</span>');
for (const formula of document.querySelectorAll('math:not([display="block"])')) {
  const after = formula.nextSibling, [mark] = /^[，。、；：？！）,.;:?!)]*/.exec(after?.data ?? '');
  if (!mark) continue;
  const phrase = Object.assign(document.createElement('span'), {className: 'phrase'});
  formula.replaceWith(phrase);
  phrase.append(formula, mark);
  after.data = after.data.slice(mark.length);
}

for (const button of document.querySelectorAll('[data-choose]')) button.addEventListener('click', () => choose(button.dataset.choose));
for (const button of document.querySelectorAll('[data-paint]'))
  button.addEventListener('click', () => paint(root.dataset.jpThemeLight === 'true' ? 'dark' : 'light'));
choose(root.dataset.lang);
new ResizeObserver(() => watchAll()).observe(document.body);
root.addEventListener('language', () => watchAll());
