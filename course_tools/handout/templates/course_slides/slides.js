// What is on a slide is drawn as large as fits under its heading: text in one size wherever it can, pictures in what is left.
const WIDTH = 1280, HEIGHT = 720;
const SCALES = [1.15, 1.05, 0.95, 0.85, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5], TALL = [400, 375, 350, 325, 300, 275, 250];

// Ways to draw a slide, the largest first; a picture counts for more than the text beside it.
const WAYS = SCALES.flatMap(scale => TALL.map(height => [scale, height])).sort((a, b) => size(b) - size(a));
function size([scale, height]) { return scale * (1 + height / 270); }

const inside = e => e.scrollWidth <= e.clientWidth + 1;

function narrow(cell, scale) {
  for (const smaller of SCALES.filter(s => s <= scale)) {
    cell.style.zoom = smaller;
    if ([...cell.querySelectorAll('.highlight, .jp-OutputArea-output')].every(inside)) return;
  }
}

// The largest scale, of those up to `most`, at which the slide is on the screen.
function fitOne(slide, most = SCALES[0]) {
  const layers = [slide.parentElement, slide];
  const before = layers.map(e => [e.style.display, e.hidden]);
  layers.forEach(e => { e.style.display = 'block'; e.hidden = false; });
  const cells = [...slide.querySelectorAll('.jp-Cell')].filter(e => !e.querySelector('h1, h2, h3'));
  const drawn = slide.querySelector('.jp-OutputArea img, .still svg');
  for (const [scale, height] of WAYS.filter(([scale, height]) => scale <= most && (drawn || height === TALL[0]))) {
    slide.style.setProperty('--tall', `${height}px`);
    cells.forEach(e => narrow(e, scale));
    const code = cells.filter(e => e.querySelector('.highlight')), least = Math.min(...code.map(e => e.style.zoom));
    code.forEach(e => e.style.zoom = least);  // code on a slide has one size
    slide.dataset.fits = slide.scrollHeight <= HEIGHT && inside(slide);
    if (slide.dataset.fits === 'true') break;
  }
  slide.dataset.scale = Math.min(...cells.map(e => e.style.zoom), SCALES[0]);
  layers.forEach((e, k) => { [e.style.display, e.hidden] = before[k]; });
}

const slides = () => document.querySelectorAll('.slides section:not(:has(> section))');
const fit = () => slides().forEach(slide => fitOne(slide));

// A later step may be taller: then its slide gets smaller, and stays so.
document.addEventListener('moved', event => {
  const slide = event.target.closest('.slides > section > section');
  if (slide && slide.scrollHeight > HEIGHT) fitOne(slide, +slide.dataset.scale);
});

Reveal.initialize({
  width: WIDTH, height: HEIGHT, margin: 0.06, center: false, hash: true, slideNumber: 'c/t', transition: 'none',
  controlsLayout: 'edges', navigationMode: 'linear',
  plugins: [RevealNotes],
}).then(() => {
  document.querySelector('.reveal').removeAttribute('role');  // it is a text to read, not an application
  document.readyState === 'complete' ? fit() : addEventListener('load', fit);
  Reveal.on('pdf-ready', fit);
  document.querySelectorAll('details').forEach(e => e.addEventListener('toggle', fit));
  Reveal.on('slidechanged', ({currentSlide}) => watchAll(currentSlide));  // hidden, a box has no size and scrolls nowhere
});
