// Who does the work: a worker made of this script's own text, which a page opened as a file may have too; without one, the page.
const SECONDS_TO_ANSWER = 6;  // the engine gives up after two by itself
const waiting = new Map();
let hired = null, asked = 0;

function hire() {
  return hired ??= new Promise(resolve => {
    let worker;
    const late = setTimeout(() => resolve(null), 3000);
    try { worker = new Worker(URL.createObjectURL(new Blob([`const Live = (${LIVE})(); (${answering})(Live);`], {type: 'text/javascript'}))); } catch { return resolve(null); }
    worker.onerror = () => resolve(null);
    worker.onmessage = ({data: [number, said]}) => {
      clearTimeout(late);
      if (!number) return resolve(worker);
      waiting.get(number)?.(said);
      waiting.delete(number);
    };
  });
}

// Runs in the worker.
function answering(live) {
  onmessage = ({data: [number, kind, task]}) => {
    let said;
    try { said = live.work(kind, task); } catch (error) { said = {broken: String(error?.stack ?? error)}; }
    postMessage([number, said]);
  };
  postMessage([0]);
}

async function ask(kind, task) {
  const worker = await hire();
  if (!worker) return Live.work(kind, task);
  const number = ++asked;
  const said = await new Promise(resolve => {
    const late = setTimeout(() => { worker.terminate(); hired = null; resolve({refused: TOO_LATE}); }, 1000 * SECONDS_TO_ANSWER);
    waiting.set(number, answer => { clearTimeout(late); resolve(answer); });
    worker.postMessage([number, kind, task]);
  });
  if (said.broken) throw new Error(said.broken);
  return said;
}

const TOO_LATE = {line: 0, zh: '运行了太久，已经停下：是不是停不下来？', en: 'This took too long and was stopped: does it ever end?'};
