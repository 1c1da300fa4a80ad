// Every tutorial on the board to its end: a legal move that the tutorial did not ask for is refused, the right one goes on, and at the end a game begins.

import { accepts, LESSONS } from '../../web/js/lessons/index.js';
import { byMouse, live } from './hands.mjs';
import { open, says, server, until, walk } from './harness.mjs';

for (const lesson of LESSONS) {
  walk(`the tutorial of ${lesson.game} by mouse`, async (visitors) => {
    const page = await visitors.add();
    await open(page, `#g=${lesson.game}&tab=learn`);
    await page.click('.tutor .main');
    for (const [at, step] of lesson.steps.entries()) {
      await says(page, '.tutor h2', `Step ${at + 1} of ${lesson.steps.length}`);
      await says(page, '.tutor .task', step.say);
      const game = step.game ?? lesson.game;
      const { legal } = await (await server()).ask('position', { game, position: step.position ?? null, moves: step.moves ?? [] });
      const wrong = legal.find((move) => !accepts(step.accept, move));
      if (wrong) {
        await byMouse(page, game, wrong, legal);
        await says(page, '.tutor .says', 'not the one asked for');
        await live(page);
      }
      await byMouse(page, game, legal.find((move) => accepts(step.accept, move)), legal);
      await says(page, '.tutor .says', step.well);
      await page.click('.tutor .main');
    }
    await until(page, 'a game begins', () => location.hash.startsWith('#room='));
    await says(page, '.strip .who', 'Level 1');
  });
}
