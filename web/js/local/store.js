// What a page without a server keeps in the browser: its games and matches, in IndexedDB. Where there is none (some private windows), until the page is left.

const SHELVES = ['rooms', 'matches'];
/** The database, while it is open or being opened. @type {Promise<IDBDatabase>|null} */
let opening = null;
/** Has it ever been open? Then games are in it, and a failure is told. */
let stored = false;
/** What is kept where nothing can be stored. @type {Map<string, Map<string, any>>} */
const memory = new Map(SHELVES.map((shelf) => [shelf, new Map()]));

/** @returns {Promise<IDBDatabase>} */
const opened = () => new Promise((good, bad) => {
  const request = indexedDB.open('quintet', 1);
  request.onupgradeneeded = () => SHELVES.forEach((shelf) => request.result.createObjectStore(shelf));
  request.onerror = () => bad(request.error);
  request.onsuccess = () => {
    const database = request.result;
    stored = true;
    // The browser closes it when its data are cleared or its disk fails, and a page of a later version may want to change it.
    database.onclose = () => (opening = null);
    database.onversionchange = () => {
      opening = null;
      database.close();
    };
    good(database);
  };
});

/** The database; null where there is none, which is tried again until something is kept without it. */
async function open() {
  if ([...memory.values()].some((kept) => kept.size)) return null;
  opening ??= opened();
  const mine = opening;
  try {
    return await mine;
  } catch (why) {
    if (opening === mine) opening = null;
    if (stored) throw why;
    return null;
  }
}

/**
 * @template T
 * @param {'rooms'|'matches'} shelf
 * @param {'readonly'|'readwrite'} mode
 * @param {(store: IDBObjectStore) => {result: T}} work
 * @param {(kept: Map<string, any>) => T} instead
 * @returns {Promise<T>}
 */
async function on(shelf, mode, work, instead) {
  const database = await open();
  if (!database) return instead(/** @type {Map<string, any>} */ (memory.get(shelf)));
  return new Promise((good, bad) => {
    // What is acknowledged has reached the disk.
    const change = database.transaction(shelf, mode, { durability: 'strict' });
    const request = work(change.objectStore(shelf));
    change.oncomplete = () => good(request.result);
    change.onabort = change.onerror = () => bad(change.error ?? new Error('the browser did not store it'));
  });
}

/** Is anything kept when the page is left? Then the browser is asked to keep it also when its disk is full. */
export async function lasts() {
  const database = await open();
  // Some browsers ask the visitor, who may take a while.
  if (database) navigator.storage?.persist?.().catch(() => {});
  return database !== null;
}

/** @param {'rooms'|'matches'} shelf @param {string} key @returns {Promise<any>} */
export const load = (shelf, key) => on(shelf, 'readonly', (store) => store.get(key), (kept) => structuredClone(kept.get(key)));

/** @param {'rooms'|'matches'} shelf @returns {Promise<any[]>} */
export const all = (shelf) => on(shelf, 'readonly', (store) => store.getAll(), (kept) => structuredClone([...kept.values()]));

/** @param {'rooms'|'matches'} shelf @param {string} key @param {any} value @returns {Promise<any>} */
export const save = (shelf, key, value) => on(shelf, 'readwrite', (store) => /** @type {IDBRequest<any>} */ (store.put(value, key)), (kept) => void kept.set(key, structuredClone(value)));

/**
 * Keeps something under the next number. That is one transaction, so two tabs never get the same number.
 * @param {'rooms'|'matches'} shelf
 * @param {(number: number) => any} make
 * @returns {Promise<number>} its number
 */
export const append = (shelf, make) => {
  const next = (/** @type {Iterable<IDBValidKey>} */ keys) => 1 + Math.max(0, ...[...keys].map(Number));
  return on(shelf, 'readwrite', (store) => {
    const made = { result: 0 };
    const keys = store.getAllKeys();
    keys.onsuccess = () => {
      made.result = next(keys.result);
      store.add(make(made.result), String(made.result));
    };
    return made;
  }, (kept) => {
    const number = next(kept.keys());
    kept.set(String(number), structuredClone(make(number)));
    return number;
  });
};

/** @param {'rooms'|'matches'} shelf @param {string} key @returns {Promise<any>} */
export const remove = (shelf, key) => on(shelf, 'readwrite', (store) => /** @type {IDBRequest<any>} */ (store.delete(key)), (kept) => void kept.delete(key));

/** What is done in this tab, by name: each waits for the one before. @type {Map<string, Promise<any>>} */
const lines = new Map();

/**
 * Does something that nobody else does at the same time, in this tab or another. A host without HTTPS has no locks between tabs; there they trust each other.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export function alone(name, work) {
  if (navigator.locks) return /** @type {Promise<any>} */ (navigator.locks.request(`quintet-${name}`, work));
  const done = (lines.get(name) ?? Promise.resolve()).then(work);
  const over = done.catch(() => {}).then(() => {
    if (lines.get(name) === over) lines.delete(name);
  });
  lines.set(name, over);
  return done;
}

/**
 * Does something unless another tab is doing it; says whether it was done.
 * @param {string} name
 * @param {() => Promise<unknown>} work
 * @returns {Promise<boolean>}
 */
export async function ifFree(name, work) {
  const done = (/** @type {unknown} */ lock) => lock !== null && work().then(() => true);
  return navigator.locks ? navigator.locks.request(`quintet-${name}`, { ifAvailable: true }, done) : done(true);
}

/** The names of what other tabs or this one do at the moment, as far as is known. @returns {Promise<Set<string>>} */
export async function underWay() {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map((lock) => (lock.name ?? '').replace('quintet-', '')));
}

const bytes = (/** @type {number} */ count) => crypto.getRandomValues(new Uint8Array(count));

/** A name that nobody else has. */
export const fresh = () => [...bytes(16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
