// What a person has chosen about the page. Kept in this browser; another one starts afresh.

const KEY = 'quintet.settings';

const DEFAULTS = {
  theme: 'system',
  contrast: false,
  boards: 'walnut',
  motion: 1,
  coordinates: true,
  guides: false,
  sounds: false,
  letters: true,
  name: '',
  greeted: false,
  engine: '',
  thought: 3000,
  heat: 'off',
  arrow: false,
  ghosts: false,
  live: true,
  steps: 3,
  speed: 600,
  review: 400,
  reviewer: '',
  watchAgents: false,
  watchEngines: true,
};

/** @typedef {typeof DEFAULTS} Values */

class Settings extends EventTarget {
  constructor() {
    super();
    /** @type {Values} */
    this.values = { ...DEFAULTS, ...read(KEY, {}) };
  }

  /**
   * @template {keyof Values} K
   * @param {K} key
   * @returns {Values[K]}
   */
  get(key) {
    return this.values[key];
  }

  /**
   * @template {keyof Values} K
   * @param {K} key
   * @param {Values[K]} value
   */
  set(key, value) {
    if (this.values[key] === value) return;
    this.values[key] = value;
    write(KEY, this.values);
    this.dispatchEvent(new CustomEvent('change', { detail: { key, value } }));
  }
}

/**
 * Something from this browser's storage; a damaged or forbidden storage is an empty one.
 * @template T
 * @param {string} key
 * @param {T} otherwise
 * @returns {T}
 */
export function read(key, otherwise) {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 * @returns {boolean} whether it is kept
 */
export function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export const settings = new Settings();

/** Puts theme and contrast on the page, now and whenever they change. */
export function dressPage() {
  const root = document.documentElement;
  root.dataset.theme = settings.get('theme');
  root.classList.toggle('contrast', settings.get('contrast'));
  root.classList.toggle('still', settings.get('motion') === 0);
}
settings.addEventListener('change', dressPage);
