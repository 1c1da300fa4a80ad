// Motion: always decoration. What stands on the board is true before anything moves, and input in the middle of a
// motion ends it and counts.

/** How long things take, in milliseconds at speed 1. */
export const TIMES = { place: 120, flip: 180, turn: 480, mirror: 300, link: 120, raise: 260, fade: 260, ghost: 250, outline: 600 };

export class Motion {
  /** From 0, no motion, to 3, three times as fast. */
  speed = 1;

  /** What is under way, with what comes after it. @type {Map<Animation, () => void>} */
  #running = new Map();

  /** Whether the person, or the system, asks for none. */
  get still() {
    return this.speed <= 0 || matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  /**
   * Moves an element from some state to its own; before the delay is over it is shown in the first state.
   * @param {Element} element
   * @param {Keyframe[]} frames
   * @param {number} ms
   * @param {{delay?: number, easing?: string, then?: () => void}} [how]
   */
  run(element, frames, ms, { delay = 0, easing = 'ease-in-out', then } = {}) {
    if (this.still) {
      then?.();
      return;
    }
    // Before the delay is over the first state is shown; after the end the last one, until what comes after has been done.
    const animation = element.animate(frames, { duration: ms / this.speed, delay: delay / this.speed, easing, fill: 'both' });
    const done = () => {
      if (!this.#running.delete(animation)) return;
      then?.();
      animation.cancel();
    };
    this.#running.set(animation, done);
    animation.addEventListener('finish', done);
  }

  /** Shows something for a moment and takes it away. @param {Element} element @param {Keyframe[]} frames @param {number} ms @param {number} [delay] */
  leave(element, frames, ms, delay = 0) {
    if (this.still) element.remove();
    else this.run(element, frames, ms, { delay, then: () => element.remove() });
  }

  /** Without motion, a brief outline says where something changed. @param {Element} element */
  outline(element) {
    if (!this.still) return;
    element.classList.add('q-changed');
    setTimeout(() => element.classList.remove('q-changed'), TIMES.outline);
  }

  /** Ends all motion now. */
  finish() {
    for (const done of [...this.#running.values()]) done();
  }
}
