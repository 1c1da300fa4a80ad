// The script of a worker: one instance of the module, which answers one request at a time. A busy worker hears nothing, so a search that must end at
// once ends with its worker; `crew.js` has another one ready. `scripts/site` puts this file beside the module.

// @ts-ignore The module's own script, which is written when it is built.
import init, { Engine } from './engine.js';

/** @type {any} */
const scope = globalThis;
/** @type {any} */
let engine = null;
/** The number of the request that is being answered. */
let now = 0;
/** The review to be ended. */
let stopped = 0;
let words = '';

scope.heard = (/** @type {string} */ event) => scope.postMessage({ number: now, event });
scope.failed = (/** @type {string} */ said) => (words = said);

/** Lets messages that wait be heard. */
const pause = () => new Promise((go) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => (port1.close(), go(null));
  port2.postMessage(null);
});

/** Files that could not be had, and why; asked for again with the next request. @type {Map<string, string>} */
const lacking = new Map();

/**
 * Gives a file to the module. One that is damaged is fetched once more, past everything that keeps files.
 * @param {string} folder
 * @param {string} name
 * @param {'default'|'reload'} cache
 */
async function obtain(folder, name, cache = 'default') {
  const response = await fetch(`${folder}${name}`, { cache });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  try {
    engine.supply(name, bytes);
  } catch (why) {
    if (cache === 'reload') throw why;
    await obtain(folder, name, 'reload');
  }
}

/**
 * Asks until the module has all the files that the answer takes. Without a file that cannot be had, agents do as well as they can; if that is not at all, the
 * answer says what is missing.
 * @param {string} folder where the files are
 * @param {() => string} ask
 */
async function answered(folder, ask) {
  for (const name of lacking.keys()) await obtain(folder, name).then(() => lacking.delete(name), () => {});
  for (;;) {
    const answer = ask();
    // Parsed twice only where something is missing, which is rare; long answers travel as text.
    if (!answer.startsWith('{"needs"')) return lacking.size && !answer.startsWith('{"ok"') ? explained(JSON.parse(answer)) : answer;
    const name = JSON.parse(answer).needs;
    await obtain(folder, name).catch((why) => {
      lacking.set(name, String(why?.message ?? why));
      engine.withhold(name);
    });
  }
}

/** @param {{status:number,refused:{error:string}}} answer */
function explained({ status, refused }) {
  const missing = [...lacking].map(([name, why]) => `${name} could not be fetched (${why})`).join('; ');
  return JSON.stringify({ status, refused: { ...refused, error: `${missing}. Check the connection and try again. Without it: ${refused.error}` } });
}

/** @param {{number:number,kind:string,text:string,folder:string}} request */
async function serve({ number, kind, text, folder }) {
  now = number;
  if (kind !== 'review') return answered(folder, () => engine[kind](text));
  const begun = await answered(folder, () => engine.review(text));
  if (!begun.startsWith('{"ok"')) return begun;
  for (;;) {
    await pause();
    const answer = await answered(folder, () => engine.step(stopped === number));
    const step = JSON.parse(answer);
    if (!('ok' in step)) return answer;
    if (step.ok?.done) return JSON.stringify({ ok: step.ok.done });
    if (step.ok) scope.heard(JSON.stringify(step.ok));
  }
}

scope.onmessage = async (/** @type {MessageEvent} */ { data }) => {
  if (data.stop) {
    stopped = data.stop;
    return;
  }
  try {
    if (data.module) {
      await init({ module_or_path: data.module });
      engine = new Engine(data.files);
      scope.postMessage({ ready: true });
      return;
    }
    const answer = await serve(data);
    scope.postMessage({ number: data.number, answer });
  } catch (why) {
    scope.postMessage({ number: data.number ?? 0, broken: words || String(why) });
  }
};
