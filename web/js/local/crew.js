// The workers of a page without a server: one for whatever is quick, and some for searches. They share the compiled module. A worker that is busy
// hears nothing: a search that is stopped ends with its worker, and a spare one takes its place. What somebody waits for at the board goes first.

import { Refusal } from '../refusal.js';

/** @typedef {{number:number,kind:string,text:string,folder:string}} Request */
/** @typedef {{request:Request,heard:(event:any)=>void,good:(answer:any)=>void,bad:(why:Error)=>void,waits:(place:number)=>void,urgent:boolean,worker:Hand|null}} Job */

/** Searches at once, and one more that is urgent. */
const AT_ONCE = 2;
/** A search that has told nothing this long after it was to stop is not waited for. */
const PATIENCE_MS = 300;

/** An agent's move and short questions; an analysis, a review or a tournament takes long. @param {string} kind @param {any} asked */
const isUrgent = (kind, asked) => kind === 'question' || asked.do === 'think';

/** One worker and the jobs that it has been given. */
class Hand {
  /**
   * @param {string} folder
   * @param {Promise<[WebAssembly.Module, string]>} parts the module, and the list of files
   */
  constructor(folder, parts) {
    this.worker = new Worker(new URL('engine/worker.js', new URL(folder, location.href)), { type: 'module' });
    /** @type {Map<number, Job>} */
    this.jobs = new Map();
    this.ready = new Promise((good, bad) => {
      this.worker.onmessage = ({ data }) => {
        if (data.ready) good(null);
        else if (data.broken !== undefined) this.broken(data.broken, bad);
        else this.hear(data);
      };
      this.worker.onerror = (event) => this.broken(event.message || 'the worker could not be started', bad);
      parts.then(([module, files]) => this.worker.postMessage({ module, files }), (why) => {
        this.end();
        bad(why);
      });
    });
    this.ready.catch(() => {});
  }

  /** @param {{number:number,event?:string,answer?:string}} told */
  hear({ number, event, answer }) {
    const job = this.jobs.get(number);
    if (!job) return;
    if (event !== undefined) return job.heard(JSON.parse(event));
    this.jobs.delete(number);
    const said = JSON.parse(answer ?? '');
    if ('ok' in said) job.good(said.ok);
    else job.bad(new Refusal(said.refused.error ?? '', said.status, said.refused));
  }

  /**
   * @param {string} why
   * @param {(why: Error) => void} bad
   */
  broken(why, bad) {
    const error = new Refusal(`The engine has failed: ${why}`, 500, {});
    bad(error);
    const jobs = [...this.jobs.values()];
    this.end();
    for (const job of jobs) job.bad(error);
  }

  end() {
    this.jobs.clear();
    this.dead = true;
    this.worker.terminate();
  }

  /** @param {Job} job */
  async give(job) {
    this.jobs.set(job.request.number, job);
    job.worker = this;
    try {
      await this.ready;
      if (this.jobs.has(job.request.number)) this.worker.postMessage(job.request);
    } catch (why) {
      this.jobs.delete(job.request.number);
      job.bad(/** @type {Error} */ (why));
    }
  }
}

export class Crew {
  /** @param {string} folder where module and data are, relative to the page */
  constructor(folder) {
    this.folder = folder;
    this.next = 1;
    /** @type {Promise<[WebAssembly.Module, string]>|null} */
    this.loading = null;
    /** @type {Hand|null} */
    this.desk = null;
    /** @type {Hand[]} */
    this.searchers = [];
    /** @type {Job[]} */
    this.queue = [];
  }

  /** The module and the list of files: loaded once, again after a failure. */
  get parts() {
    const load = async () => {
      const at = (/** @type {string} */ file) => fetch(`${this.folder}${file}`).then((response) => {
        if (!response.ok) throw new Error(`${file}: status ${response.status}`);
        return response;
      });
      const [module, files] = await Promise.all([at('engine/engine_bg.wasm').then(compiled), at('files.json').then((response) => response.text())]);
      return /** @type {[WebAssembly.Module, string]} */ ([module, files]);
    };
    this.loading ??= load().catch((why) => {
      this.loading = null;
      throw new Refusal(`The engine cannot be loaded (${why.message ?? why}). Check the connection and try again; nothing is lost.`, 0, {});
    });
    return this.loading;
  }

  hand() {
    return new Hand(this.folder, this.parts);
  }

  /**
   * @param {string} kind
   * @param {unknown} asked
   * @returns {Request}
   */
  request(kind, asked) {
    return { number: this.next++, kind, text: JSON.stringify(asked), folder: new URL(`${this.folder}data/`, location.href).href };
  }

  /**
   * Something that is answered at once.
   * @param {'question'|'room'|'play'} kind
   * @param {unknown} asked
   * @returns {Promise<any>}
   */
  ask(kind, asked) {
    if (!this.desk || this.desk.dead) this.desk = this.hand();
    const desk = this.desk;
    return new Promise((good, bad) => {
      desk.give({ request: this.request(kind, asked), heard: () => {}, good, bad, waits: () => {}, urgent: true, worker: null });
    });
  }

  /**
   * Something that takes a while. `stop` ends it with what it has; `leave` forgets it. A review ends after its present step.
   * @param {'search'|'review'|'question'|'play'} kind
   * @param {unknown} asked
   * @param {(event: any) => void} heard
   * @param {(place: number) => void} waits its place in the queue
   */
  search(kind, asked, heard = () => {}, waits = () => {}) {
    /** @type {Job} */
    let job;
    /** What a search that was stopped answers; undefined while nothing is known. @type {(() => any)|null} */
    let ending = null;
    /** @type {any} */
    let last = null;
    const done = new Promise((good, bad) => {
      job = { request: this.request(kind, asked), good, bad, waits, urgent: isUrgent(kind, asked), worker: null, heard: (event) => {
        last = event;
        heard(event);
        if (ending) finish(ending());
      } };
      const place = job.urgent ? this.queue.findIndex((one) => !one.urgent) : -1;
      this.queue.splice(place < 0 ? this.queue.length : place, 0, job);
    });
    const drop = () => {
      this.queue = this.queue.filter((one) => one !== job);
      const { worker } = job;
      if (worker?.jobs.has(job.request.number)) {
        worker.end();
        this.searchers = this.searchers.filter((one) => one !== worker);
      }
      this.assign();
    };
    const finish = (/** @type {any} */ answer) => {
      if (answer === undefined) return;
      drop();
      if (answer instanceof Error) job.bad(answer);
      else job.good(answer);
    };
    let over = false;
    const end = () => {
      over = true;
      this.assign();
    };
    done.then(end, end);
    this.assign();
    return {
      done,
      leave: drop,
      /**
       * @param {(last: any) => any} answer from the last event what the search would answer; undefined while nothing is known
       * @param {() => any} instead what it answers where nothing becomes known soon, or the error that ends it; may take a moment
       */
      stop: (answer, instead) => {
        if (kind === 'review' && job.worker) return job.worker.worker.postMessage({ stop: job.request.number });
        ending = () => answer(last);
        finish(ending());
        setTimeout(async () => over || finish(answer(last) ?? (await instead())), PATIENCE_MS);
      },
    };
  }

  /** Gives waiting jobs to workers that are free, and keeps a spare one. */
  assign() {
    this.searchers = this.searchers.filter((one) => !one.dead);
    const busy = () => this.searchers.filter((one) => one.jobs.size).length;
    while (this.queue.length && busy() < AT_ONCE + Number(this.queue[0].urgent)) {
      let free = this.searchers.find((one) => !one.jobs.size);
      if (!free) this.searchers.push((free = this.hand()));
      free.give(/** @type {Job} */ (this.queue.shift()));
    }
    if (busy() && busy() === this.searchers.length) this.searchers.push(this.hand());
    this.queue.forEach((job, at) => job.waits(at + 1));
  }
}

/** @param {Response} response */
const compiled = (response) => {
  // A host that does not know the type of a module cannot stream it.
  const streams = response.headers.get('content-type')?.startsWith('application/wasm') && 'compileStreaming' in WebAssembly;
  return streams ? WebAssembly.compileStreaming(response) : response.arrayBuffer().then((bytes) => WebAssembly.compile(bytes));
};
