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
/** The review that shall end. */
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

/**
 * Asks until the module has all the files that the answer takes.
 * @param {string} folder where the files are
 * @param {() => string} ask
 */
async function answered(folder, ask) {
  for (;;) {
    const answer = ask();
    // Parsed twice only where a file is missing, which is rare; long answers travel as text.
    if (!answer.startsWith('{"needs"')) return answer;
    const name = JSON.parse(answer).needs;
    try {
      const response = await fetch(`${folder}${name}`);
      if (!response.ok) throw new Error(`status ${response.status}`);
      engine.supply(name, new Uint8Array(await response.arrayBuffer()));
    } catch (why) {
      console.warn(`${name} cannot be fetched: ${why}`);
      engine.withhold(name);
    }
  }
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
