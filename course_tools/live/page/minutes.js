// "The first three minutes": what the row sums to, large; 0.0 and -inf to tap; the line to step to; the bytes.
const first = document.querySelector('.minutes');
if (first) {
  const cell = cells[0], at = name => first.querySelectorAll(`[data-minutes="${name}"]`);
  const OTHER = /other=(0\.0|-float\("inf"\))/, TAPS = {zero: '0.0', inf: '-float("inf")'};
  const tell = (name, text) => { for (const place of at(name)) place.textContent = text; };
  const show = () => {
    const now = OTHER.exec(cell.text)?.[1];
    for (const [name, value] of Object.entries(TAPS)) for (const tap of at(name)) tap.setAttribute('aria-pressed', value === now);
  };
  for (const [name, value] of Object.entries(TAPS)) for (const tap of at(name)) tap.addEventListener('click', () => {
    cell.text = cell.text.replace(OTHER, () => `other=${value}`);
    cell.do('run');
  });
  cell.box.addEventListener('live', ({detail: {kind, answer}}) => {
    show();
    if (kind !== 'run') return;
    const y = answer?.tensors[0], moved = answer?.tensors.reduce((sum, {bytes}) => sum + (bytes.load + bytes.store) / 4, 0);  // float32
    const sum = y ? [...y.data].reduce((a, b) => a + b, 0).toFixed(6) : '–';
    tell('sum', sum);
    for (const place of at('sum')) place.classList.toggle('right', sum === '1.000000');
    tell('bytes', answer ? String(moved) : '–');
  });
  for (const button of at('step')) button.addEventListener('click', async () => {
    await cell.stepTo('tl.load');
    cell.box.scrollIntoView({block: 'start'});
  });
  for (const button of at('share')) button.addEventListener('click', () => {
    carry('minutes', cell.text);
    copyLink(cell);
  });
  const sent = carried('minutes');
  if (sent) { cell.text = sent; cell.do('run'); }
  show();
}
