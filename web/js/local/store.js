// What a page without a server keeps in the browser: its games and matches, in IndexedDB. Where there is none (some private windows), until the page is left.

/** @type {Promise<IDBDatabase|null>|null} */
let opening = null;
/** @type {Map<string, Map<string, any>>} What is kept where nothing can be stored. */
const memory = new Map();
const SHELVES = ['rooms', 'matches'];

function open() {
  opening ??= new Promise((good) => {
    try {
      const request = indexedDB.open('quintet', 1);
      request.onupgradeneeded = () => SHELVES.forEach((shelf) => request.result.createObjectStore(shelf));
      request.onsuccess = () => good(request.result);
      request.onerror = request.onblocked = () => good(null);
    } catch {
      good(null);
    }
  });
  return opening;
}

/**
 * @template T
 * @param {'rooms'|'matches'} shelf
 * @param {'readonly'|'readwrite'} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} work
 * @param {(kept: Map<string, any>) => T} instead
 * @returns {Promise<T>}
 */
async function on(shelf, mode, work, instead) {
  const database = await open();
  if (!database) {
    const kept = memory.get(shelf) ?? new Map();
    memory.set(shelf, kept);
    return instead(kept);
  }
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

/** @param {'rooms'|'matches'} shelf @param {string} key @returns {Promise<any>} */
export const remove = (shelf, key) => on(shelf, 'readwrite', (store) => /** @type {IDBRequest<any>} */ (store.delete(key)), (kept) => void kept.delete(key));

/**
 * Does something that no other tab does at the same time. A host without HTTPS has no such locks; there tabs trust each other.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export const alone = async (name, work) => (navigator.locks ? /** @type {Promise<any>} */ (navigator.locks.request(`quintet-${name}`, work)) : work());

const bytes = (/** @type {number} */ count) => crypto.getRandomValues(new Uint8Array(count));

/** A name that nobody else has. */
export const fresh = () => [...bytes(16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
