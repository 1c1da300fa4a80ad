import { define, need, load } from './main.js';
define('learn.js', (given) => {
const { button, el, fill } = need('dom.js');
const { announce, attempt, fail } = need('say.js');
const { Session } = need('session.js');
const { parse, titleOf } = need('spec.js');
const OTHER = 'That is a legal move, but not the one asked for.';
class Learn {
  constructor(gameView, finish) {
    this.gameView = gameView;
    this.finish = finish;
    this.lesson = undefined;
    this.at = -1;
    this.solved = false;
    this.shown = '';
    this.session = null;
    this.says = el('p', { class: 'says' });
    this.tutor = el('div', { class: 'tutor' });
    this.rules = el('div', { class: 'rules' });
    this.element = el('div', {}, this.tutor, this.rules);
    gameView.addEventListener('open', () => this.opened());
    this.texts = null;
  }
  async opened() {
    if (this.element.closest('[hidden]')) return;
    const texts = this.texts ?? (await attempt(() => load('lessons/index.js')));
    if (!texts) return;
    this.texts = texts;
    const game = this.gameView.session?.game ?? '';
    const name = parse(game).name;
    if (this.gameView.session !== this.session) this.at = -1;
    if (this.lesson?.game !== name || this.shown !== game) {
      this.lesson = texts.lessonOf(name);
      this.shown = game;
      this.showRules(game);
    }
    this.showTutor();
  }
  showRules(spec) {
    const lesson = this.lesson;
    if (!lesson) return fill(this.rules, [el('p', {}, 'There are no written rules for this game.')]);
    const { options } = parse(spec);
    const info = this.gameView.info;
    const differs = Object.entries(lesson.variants).map(([key, text]) => {
      const [name, value] = key.split('=');
      const standard = info?.options.find((option) => option.key === name)?.default;
      const here = value === undefined ? false : (options[name] ?? (name === 'swap' && options.rules === 'paper' ? 'off' : standard)) === value;
      return el('li', { class: here ? 'here' : null }, el('code', {}, key), `: ${text}`, here && el('strong', {}, ' This game.'));
    });
    fill(this.rules, [el('h2', {}, `Rules of ${titleOf(this.gameView.games, lesson.game)}`), el('p', {}, lesson.aim),
      ...lesson.rules.flatMap(({ heading, text }) => [el('h3', {}, heading), ...text.map((one) => el('p', {}, one))]),
      ...(differs.length ? [el('h3', {}, 'Variants'), el('ul', {}, ...differs)] : []),
      el('h3', {}, 'Notation'), el('ul', {}, ...lesson.notation.map((one) => el('li', {}, one))),
      el('h3', {}, 'Words'), el('dl', {}, ...lesson.glossary.flatMap(([word, meaning]) => [el('dt', {}, word), el('dd', {}, meaning)]))]);
  }
  showTutor() {
    const lesson = this.lesson;
    if (!lesson) return fill(this.tutor, []);
    if (this.at < 0) {
      return fill(this.tutor, [el('h2', {}, 'Tutorial'), el('p', {}, `${lesson.steps.length} small positions, one move in each.`),
        button('Start the tutorial', () => this.begin(0), { class: 'main' })]);
    }
    const step = lesson.steps[this.at];
    const last = this.at === lesson.steps.length - 1;
    this.says = el('p', { class: 'says' }, this.solved ? step.well : '');
    fill(this.tutor, [el('h2', {}, `Step ${this.at + 1} of ${lesson.steps.length}`), el('progress', { max: lesson.steps.length, value: this.at + (this.solved ? 1 : 0), 'aria-label': 'Steps done' }),
      el('p', { class: 'task' }, step.say), this.says,
      el('div', { class: 'buttons' }, this.at > 0 && button('Back', () => this.begin(this.at - 1)), !this.solved && button('Hint', () => this.tell(step.hint)),
        last && this.solved ? button('Play against level 1', () => this.finish(lesson.game), { class: 'main' })
          : button(this.solved ? 'Next' : 'Skip', () => (last ? this.finish(lesson.game) : this.begin(this.at + 1)), { class: this.solved ? 'main next' : '' }))]);
  }
  tell(text) {
    this.says.textContent = text;
    announce(text);
  }
  begin(at) {
    return attempt(async () => {
      const step = this.lesson?.steps[at];
      if (!this.lesson || !step) return;
      const session = new Session({ game: step.game ?? this.lesson.game, from: step.position ?? null, moves: step.moves });
      await session.begin(null);
      this.session = session;
      this.at = at;
      this.solved = false;
      await this.gameView.open(session);
      this.gameView.taker = (move) => this.take(move);
      this.gameView.show({ previous: null, animate: false });
      announce(`Step ${at + 1}. ${step.say}`);
    });
  }
  take(move) {
    const [step, session] = [this.lesson?.steps[this.at], this.session];
    if (!step || !session || this.solved || !session.live) {
      this.gameView.board?.cancelHalf();
      return true;
    }
    if (!this.texts?.accepts(step.accept ?? ['*'], move)) {
      this.gameView.board?.cancelHalf();
      fail(`${OTHER} ${step.hint}`);
      this.tell(`${OTHER} ${step.hint}`);
      return true;
    }
    attempt(async () => {
      await session.move(move);
      this.solved = true;
      this.showTutor();
      announce(step.well);
       (this.tutor.querySelector('.main'))?.focus({ preventScroll: true });
    });
    return true;
  }
}
Object.assign(given, { Learn });
});
