// Hands: pointer, touch and keyboard on a board.

/** @typedef {import('./base.js').Board} Board */

/** How long a finger rests for the other kind of press. */
const LONG = 500;

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The target that an event is about. @param {Event} event @returns {string | null} */
function targetOf(event) {
  const cell = event.target instanceof Element ? event.target.closest('[data-target]') : null;
  return cell?.getAttribute('data-target') ?? null;
}

/** @param {Board} board */
export function listen(board) {
  pointer(board);
  keyboard(board);
}

/** @param {Board} board */
function pointer(board) {
  const { element } = board;
  let timer = 0;
  // A long press has been dealt with when the finger leaves, and the click that follows is not another one.
  let dealt = false;
  element.addEventListener('click', (event) => {
    const id = targetOf(event);
    if (id === null || dealt) {
      dealt = false;
      return;
    }
    const touch = event instanceof PointerEvent && event.pointerType === 'touch';
    board.press(id, { touch });
  });
  element.addEventListener('contextmenu', (event) => {
    const id = targetOf(event);
    if (id === null || !board.otherPress) return;
    event.preventDefault();
    if (!dealt) board.otherPress(id);
  });
  element.addEventListener('pointerdown', (event) => {
    dealt = false;
    const id = targetOf(event);
    if (event.pointerType !== 'touch' || id === null || !board.otherPress) return;
    timer = window.setTimeout(() => {
      dealt = true;
      board.otherPress?.(id);
    }, LONG);
  });
  for (const end of ['pointerup', 'pointercancel', 'pointerleave']) element.addEventListener(end, () => clearTimeout(timer));
  element.addEventListener('pointerover', (event) => {
    if (event.pointerType !== 'touch') board.point(targetOf(event));
  });
  element.addEventListener('pointerleave', () => board.point(null));
}

/** @param {Board} board */
function keyboard(board) {
  const { element } = board;
  // Whoever plays with a pointer sees no ring of the focus, wherever the page puts it.
  let keyed = true;
  element.addEventListener('pointerdown', () => {
    keyed = false;
    board.showFocus(null);
  });
  document.addEventListener('keydown', () => (keyed = true), { capture: true });
  element.addEventListener('keydown', (event) => {
    const id = targetOf(event);
    if (id === null || event.ctrlKey || event.altKey || event.metaKey) return;
    const way = ARROWS[event.key];
    if (way) board.focus(board.neighbour(id, ...way));
    else if (event.key === 'PageUp' || event.key === 'PageDown') board.focus(board.level(id, event.key === 'PageUp' ? 1 : -1));
    else if (event.key === 'Enter') board.press(id);
    else if (event.key === 'Backspace' && board.half() !== null) board.undoHalf();
    else if (event.key === 'Escape' && board.half() !== null) board.cancelHalf();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  element.addEventListener('focusin', (event) => {
    const id = targetOf(event);
    if (id === null) return;
    board.roam(id);
    const seen = keyed && event.target instanceof Element && event.target.matches(':focus-visible');
    board.showFocus(seen ? id : null);
    if (seen) board.point(id);
  });
  element.addEventListener('focusout', () => {
    board.showFocus(null);
    board.point(null);
  });
}
