// Short sounds, made here. Off unless wanted; never the only sign of anything.

import { settings } from './settings.js';

/** @type {AudioContext|null} */
let audio = null;

/** @type {Record<string, [frequency: number, at: number, ms: number][]>} */
const TUNES = {
  move: [[330, 0, 70]],
  end: [[392, 0, 120], [523, 130, 180]],
};

/** @param {'move'|'end'} name */
export function play(name) {
  if (!settings.get('sounds')) return;
  try {
    audio ??= new AudioContext();
    for (const [frequency, at, ms] of TUNES[name]) {
      const [tone, gain, begin] = [audio.createOscillator(), audio.createGain(), audio.currentTime + at / 1000];
      tone.type = 'triangle';
      tone.frequency.value = frequency;
      gain.gain.setValueAtTime(0.12, begin);
      gain.gain.exponentialRampToValueAtTime(0.001, begin + ms / 1000);
      tone.connect(gain).connect(audio.destination);
      tone.start(begin);
      tone.stop(begin + ms / 1000);
    }
  } catch {
    // A browser without sound is as good as one with the sounds off.
  }
}
