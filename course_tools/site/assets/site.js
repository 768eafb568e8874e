// The site's own: contents that show where one is (on a phone in one line that stays in sight, and how far one has read), and the search.
const wide = matchMedia('(min-width: 68.75rem)'), contents = document.querySelector('.contents details');
const unfold = () => contents?.toggleAttribute('open', wide.matches);
wide.addEventListener('change', unfold);
unfold();
contents?.addEventListener('click', event => { if (event.target.closest('a')) unfold(); });

const places = new Map([...document.querySelectorAll('.contents a')].map(link => [document.getElementById(decodeURIComponent(link.hash.slice(1))) ?? document.getElementById(link.hash.slice(1)), link]));
const where = contents?.querySelector('.at'), nowhere = where?.innerHTML;
function whereabouts() {
  const here = [...places.keys()].filter(each => each?.getBoundingClientRect().top < innerHeight / 3).at(-1);
  for (const [place, link] of places) link.classList.toggle('here', place === here);
  contents.style.setProperty('--read', scrollY / (root.scrollHeight - innerHeight));
  if (!wide.matches) where.innerHTML = here ? `${[...contents.querySelectorAll('.level-2 a')].indexOf(places.get(here)) + 1 || ''} ${places.get(here).innerHTML}` : nowhere;
}
if (places.size) addEventListener('scroll', () => requestAnimationFrame(whereabouts), {passive: true});

const form = document.querySelector('.search'), field = form.querySelector('input'), list = form.querySelector('.found');
let engine;

// As search.py cuts words; of a query's Chinese the pairs alone, or a single character.
function cut(text) {
  return (text.toLowerCase().match(/[a-z0-9_]+|[\u4e00-\u9fff]+/g) ?? []).flatMap(run =>
    run < '\u4e00' || run.length < 2 ? [run] : [...run].slice(1).map((letter, k) => run[k] + letter));
}

const load = file => new Promise((done, failed) => document.head.append(make('script', {src: file, onload: done, onerror: failed})));

// The index is asked for when somebody is about to search: as a script, for a page opened as a file may not fetch.
function ready() {
  return engine ??= (async () => {
    await Promise.all([load('assets/minisearch.js'), load('assets/index.js')]);
    return MiniSearch.loadJS(COURSE_INDEX, {fields: ['title', 'text'], storeFields: ['language', 'address', 'page', 'title', 'text'], tokenize: cut});
  })();
}

async function find() {
  const words = cut(field.value);
  list.hidden = !words.length;
  if (!words.length) return;
  const languages = root.dataset.lang === 'both' ? ['zh', 'en'] : [root.dataset.lang];
  const hits = (await ready()).search(field.value, {
    combineWith: 'AND', boost: {title: 3}, prefix: term => /^[a-z0-9_]{2,}/.test(term), filter: hit => languages.includes(hit.language),
  }).slice(0, 20);
  list.replaceChildren(hits.length ? make('ol', {}, ...hits.map(hit => shown(hit, words))) : make('p', {}, ...both(['没有找到。', 'Nothing found.'])));
  keep();
}

function shown(hit, words) {
  const text = hit.text, low = text.toLowerCase(), excerpt = make('small');
  const whole = at => { while (at > 0 && /[^\s\u3000-\u9fff\uff00-\uffef]{2}/.test(text.slice(at - 1, at + 1))) at--; return at; };  // to where its word begins
  const found = words.map(word => low.indexOf(word)).filter(at => at >= 0), first = whole(Math.max(0, (found.length ? Math.min(...found) : 0) - 30));
  const end = first + 120 < text.length ? whole(first + 120) : text.length;
  const part = `${first ? '… ' : ''}${text.slice(first, end)}${end < text.length ? ' …' : ''}`;
  const pattern = new RegExp(`(${words.join('|')})`, 'i');
  for (const piece of part.split(pattern)) excerpt.append(pattern.test(piece) ? make('mark', {}, piece) : piece);
  return make('li', {lang: hit.language}, make('a', {href: hit.address}, hit.title), make('small', {}, hit.title === hit.page ? '' : hit.page), excerpt);
}

field.addEventListener('focus', ready, {once: true});
field.addEventListener('input', find);
form.addEventListener('submit', event => { event.preventDefault(); list.querySelector('a')?.focus(); });
form.addEventListener('keydown', event => {
  if (event.key === 'Escape') { list.hidden = true; field.focus(); }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const stops = [field, ...list.querySelectorAll('a')], at = stops.indexOf(document.activeElement);
  stops[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
  event.preventDefault();
});
list.addEventListener('click', event => { if (event.target.closest('a')) list.hidden = true; });
document.addEventListener('click', event => { if (!form.contains(event.target)) list.hidden = true; });
root.addEventListener('language', () => { if (!list.hidden) find(); });

if (location.protocol === 'file:') document.querySelector('.take')?.remove();  // the pages are here already
