// "Your own kernel": a signature and inputs; what was written stays in the address, which carries it to others, and in storage.
const HEAD = '@triton.jit\ndef kernel(y_ptr, x_ptr, n_cols, y_stride, x_stride, BLOCK_SIZE: tl.constexpr):\n';
const STARTS = {
  empty: `${HEAD}    row = tl.program_id(0)\n    \n`,
  broken: HEAD + [
    'row = tl.program_id(0)',
    'cols = tl.arange(0, BLOCK_SIZE)',
    'mask = cols < n_cols',
    'x = tl.load(x_ptr + row * x_stride + cols, mask=mask, other=0.0)',
    'e = tl.exp(x - tl.max(x, axis=0))',
    'tl.store(y_ptr + row * y_stride + cols, e / tl.sum(e, axis=0), mask=mask)',
  ].map(line => `    ${line}\n`).join(''),
  race: '@triton.jit\ndef kernel(total_ptr, x_ptr, n_cols, x_stride, BLOCK_SIZE: tl.constexpr):\n' + [
    'row = tl.program_id(0)',
    'cols = tl.arange(0, BLOCK_SIZE)',
    'x = tl.load(x_ptr + row * x_stride + cols, mask=cols < n_cols, other=0.0)',
    'so_far = tl.load(total_ptr)',
    'tl.store(total_ptr, so_far + tl.sum(x, axis=0))',
  ].map(line => `    ${line}\n`).join(''),
};
const WHOLE = {rows: 64, columns: 4096, seed: 999};  // the most of each
const FIRST = {text: STARTS.broken, kind: 'low', dtype: 'float32', rows: 4, columns: 5, seed: 1};

// What a link carries.
const packed = text => btoa(String.fromCharCode(...new TextEncoder().encode(text))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
const unpacked = text => new TextDecoder().decode(Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), letter => letter.charCodeAt()));

function carried(name) {
  const found = new RegExp(`^#${name}=([\\w-]+)$`).exec(location.hash)?.[1];
  try { return found && JSON.parse(unpacked(found)); } catch { return null; }  // a link cut short
}

function carry(name, state) {
  const hash = `${name}=${packed(JSON.stringify(state))}`;
  try { history.replaceState(null, '', `${location.search}#${hash}`); } catch { location.hash = hash; }
}

async function copyLink(cell) {
  try { await navigator.clipboard.writeText(location.href); cell.say('done', two('链接已复制。', 'The link is copied.')); } catch { cell.say('done', two('链接在地址栏里。', 'The link is in the address bar.')); }
}

class Own extends Cell {
  constructor(box, controls, state) {
    super(box, {text: state.text, setting: {}, does: ['run', 'step', 'together', 'races'], program: 0});
    this.fields = controls;
    for (const [name, field] of Object.entries(controls)) {
      if (state[name] !== undefined) field.value = state[name];
      field.addEventListener('change', () => { this.setting(); this.changed(); });
    }
    this.back.remove();
    this.button('share', ['复制链接', 'Copy the link'], '', () => { carry('own', this.state); copyLink(this); });
    this.setting();
    this.untouched = JSON.stringify(this.state);
    this.do('run');
  }

  get state() { return {text: this.text, ...this.task.setting}; }

  setting() {
    const {kind, dtype} = this.fields, chosen = {kind: kind.value, dtype: dtype.value};
    for (const [name, most] of Object.entries(WHOLE)) chosen[name] = this.fields[name].value = Math.min(Math.max(Math.floor(+this.fields[name].value) || 1, 1), most);
    Object.assign(this.task, {setting: chosen, grid: [chosen.rows]});
    this.grid();
  }

  remember() {
    clearTimeout(this.later);
    if (!this.fields || JSON.stringify(this.state) === this.untouched) return;
    this.untouched = null;
    kept.set('own', this.state);
    carry('own', this.state);
  }
}

// An option holds no element, so it shows one language by being written again.
function speakOptions(scope) {
  const options = [...scope.querySelectorAll('option')].map(option => [option, option.textContent]);
  const speak = () => { for (const [option, text] of options) option.textContent = said(text); };
  root.addEventListener('language', speak);
  speak();
}

const place = document.querySelector('[data-own="cell"]');
if (place) {
  const scope = place.closest('.own'), field = name => scope.querySelector(`[data-own="${name}"]`);
  const controls = Object.fromEntries(['kind', 'dtype', 'rows', 'columns', 'seed'].map(name => [name, field(name)]));
  speakOptions(scope);
  const cell = new Own(place, controls, {...FIRST, ...carried('own') ?? kept.get('own')});
  field('start').addEventListener('change', () => {
    cell.text = STARTS[field('start').value] ?? cell.text;
    field('start').value = '';
    cell.changed();
  });
}
