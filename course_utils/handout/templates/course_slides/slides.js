// What is on a slide is drawn as large as fits under its heading.
const WIDTH = 1280, HEIGHT = 720;
const SCALES = [1.3, 1.2, 1.1, 1, 0.9, 0.8, 0.7, 0.6, 0.5];

function fits(slide) {
  const inside = e => e.scrollWidth <= e.clientWidth + 1;
  return slide.scrollHeight <= HEIGHT && [slide, ...slide.querySelectorAll('.highlight, .jp-OutputArea-output')].every(inside);
}

function fit() {
  for (const slide of document.querySelectorAll('.slides > section > section')) {
    const layers = [slide.parentElement, slide];
    const before = layers.map(e => [e.style.display, e.hidden]);
    layers.forEach(e => { e.style.display = 'block'; e.hidden = false; });
    const cells = [...slide.querySelectorAll('.jp-Cell')].filter(e => !e.querySelector('h1, h2'));
    for (const scale of SCALES) {
      cells.forEach(e => { e.style.zoom = e.matches('.jp-MarkdownCell') ? Math.max(scale, 0.8) : scale; });
      slide.dataset.scale = scale;
      if (fits(slide)) break;
    }
    slide.dataset.fits = fits(slide);
    layers.forEach((e, k) => { [e.style.display, e.hidden] = before[k]; });
  }
}

Reveal.initialize({
  width: WIDTH, height: HEIGHT, margin: 0.06, center: false, hash: true, slideNumber: 'c/t', transition: 'none',
  plugins: [RevealNotes],
}).then(() => {
  document.readyState === 'complete' ? fit() : addEventListener('load', fit);
  document.querySelectorAll('details').forEach(e => e.addEventListener('toggle', fit));
});
