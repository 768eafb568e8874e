// A slide is set in the larger of two sizes of type that leaves its picture room; what plays, and the picture, fill what is left.
// Its number stands below it. Little text is set in a size of its own.
const WIDTH = 1280, HEIGHT = 720, END = 680, ROOM = {grand: 0, large: 520, code: 520, small: 0}, ZOOMS = [1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1.05, 1, .95, .9, .85, .8, .75, .7, .65, .6];

const inside = e => e.scrollWidth <= e.clientWidth + 1;
const fits = slide => slide.scrollHeight <= END && [slide, ...slide.querySelectorAll('.highlight, .jp-OutputArea-output, .vars .wide, .tensor')].every(inside);

function shape(picture) {  // its height, of its width
  const {width, height} = picture.viewBox?.baseVal || {width: picture.naturalWidth, height: picture.naturalHeight};
  return height / width;
}

// Draws `cells` as large as the slide lets them be, from `most` down; how large that is.
function fill(slide, cells, most) {
  const zoom = ZOOMS.find(zoom => zoom <= most && (cells.forEach(e => e.style.zoom = zoom), fits(slide)));
  return zoom || 0;
}

function fitOne(slide, most = ZOOMS[0]) {
  const layers = [slide.parentElement, slide];
  const before = layers.map(e => [e.style.display, e.hidden]);
  layers.forEach(e => { e.style.display = 'block'; e.hidden = false; });
  const all = [...slide.querySelectorAll('.jp-Cell')], [, ...cells] = all;
  const steps = cells.filter(e => e.querySelector('.course-step'));
  const pictures = [...slide.querySelectorAll('.jp-OutputArea img, .jp-MarkdownOutput img, .still svg')].filter(e => e.checkVisibility());
  const upright = pictures.length === 1 && !steps.length && shape(pictures[0]) > .75;  // it stands beside the text, as tall as the slide
  const column = upright ? pictures[0].closest('.jp-Cell') : slide;
  slide.classList.toggle('upright', upright);
  all.forEach(e => { e.style.zoom = 1; e.style.marginTop = 0; });
  const few = !pictures.length && !steps.length;
  for (const size of [...few ? ['grand'] : [], 'large', 'code', 'small']) {
    slide.dataset.size = size;
    slide.style.setProperty('--tall', '0px');
    const left = END - column.scrollHeight, whole = pictures.reduce((sum, e) => sum + WIDTH * shape(e), 0);
    slide.style.setProperty('--tall', `${Math.max(left / pictures.length, 150)}px`);
    if (steps.length ? fill(slide, steps, most) >= (size === 'small' ? .7 : 1.2) : fits(slide) && left >= Math.min(whole, ROOM[size])) break;
  }
  if (few && cells[0] && slide.dataset.size === 'grand') cells[0].style.marginTop = `${Math.min(90, .3 * (END - slide.scrollHeight))}px`;
  slide.dataset.scale = fits(slide) ? steps[0]?.style.zoom || 1 : fill(slide, cells, 1);
  slide.dataset.fits = fits(slide);
  layers.forEach((e, k) => { [e.style.display, e.hidden] = before[k]; });
}

const slides = () => document.querySelectorAll('.slides section:not(:has(> section))');
const fit = () => slides().forEach(slide => fitOne(slide));

// A later step may be taller: then its slide gets smaller, and stays so.
document.addEventListener('moved', event => {
  const slide = event.target.closest('.slides > section > section');
  if (slide && slide.scrollHeight > END) fitOne(slide, +slide.dataset.scale);
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
