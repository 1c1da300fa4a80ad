import { define, need, load } from './main.js';
define('lessons/pathwayz.js', (given) => {
const pathwayz = {
  game: 'pathwayz',
  aim: 'Connect the two gold rails, the first column and the last, with a path of your colour.',
  rules: [
    { heading: 'A turn', text: [
      'Put one piece on any empty square: either a regular piece of your own colour, or a permanent piece of your opponent’s colour.',
      'A permanent piece turns every regular piece on the eight squares around it to the other colour, your own included. Turned pieces turn nothing else, and permanent pieces never turn.',
      'You never run out of either kind.'] },
    { heading: 'The end', text: [
      'A path runs from the first column to the last through touching squares, along rows, columns and diagonals. Regular and permanent pieces of its colour both count.',
      'If your move completes paths of both colours, you win; if it completes only your opponent’s, your opponent wins.',
      'If the board fills up without a path, the game is a draw.'] },
  ],
  variants: { rows: '2 to 8 rows. The game is played on 8; smaller boards are for study.', cols: '2 to 12 columns. The goal is always the last one; smaller boards are for study.' },
  notation: ['e5: a regular piece of your colour on e5. e5p: a permanent piece of the opponent’s colour there.', 'Columns a to l from the left, rows 1 to 8 from the top; on a phone the board is upright, with column a at the bottom.', 'In positions, w is white and b is black; W and B are permanent pieces.'],
  glossary: [['regular', 'a piece that a permanent one beside it turns'], ['permanent', 'a piece that never turns; you place it in the opponent’s colour'], ['path', 'touching pieces of one colour from one rail to the other']],
  steps: [
    { say: 'You are white. Put a regular piece on e5.', accept: ['e5'], hint: 'The move is written e5.', well: 'That is a regular piece of your own colour.' },
    { say: 'Now the other kind: put a permanent piece on e5. It is black, but look what it does to d4 and d5.', position: '............/.........w../............/...b......../...b......../............/.........w../............ w', accept: ['e5p'],
      hint: 'Choose Permanent, then e5; as text e5p.', well: 'Both black neighbours have turned white.' },
    { say: 'It turns your own pieces too. Turn the two black pieces, but not your white one on b4.', position: '............/............/............/.w.bb......./............/............/.........w../............ w', accept: ['d3p', 'e3p', 'd5p', 'e5p'],
      hint: 'The permanent piece must touch d4 and e4 but not b4: d3, e3, d5 or e5.', well: 'Only pieces that touch the permanent one turn.' },
    { say: 'Permanent pieces stay as they are. Here the permanent piece on d4 cannot turn; turn only the regular piece on e4.', position: '............/............/............/...Bb......./............/............/............/............ w', accept: ['d3p', 'e3p', 'f3p', 'f4p', 'd5p', 'e5p', 'f5p'],
      hint: 'Any permanent piece beside e4 will do.', well: 'The regular piece turned, the permanent one did not.' },
    { say: 'Now on a smaller board: connect one rail to the other.', game: 'pathwayz(rows=5,cols=6)', position: '....../..b.../wwwww./...bb./..b..b w', accept: ['f2', 'f3', 'f4'], ends: 'first',
      hint: 'One square beside e3 in the last column is enough.', well: 'A path from column a to column f: you win.' },
    { say: 'Diagonals count, too. Close the path.', game: 'pathwayz(rows=5,cols=6)', position: 'w..b../.w..b./....b./.b.w../b...ww w', accept: ['c3'], ends: 'first',
      hint: 'b2 and d4 touch the same square.', well: 'A path may run along diagonals.' },
    { say: 'The black piece on d3 is in your way, and your pieces beside it are permanent. Win by turning it.', game: 'pathwayz(rows=5,cols=6)', position: '....../....../wwWbWw/....../bb..bb w', accept: ['d2p', 'd4p'], ends: 'first',
      hint: 'A permanent piece on d2 touches c3, d3 and e3; only d3 can turn.', well: 'The path was there, one turn away.' },
    { say: 'Black is about to connect through f3. Take that square.', game: 'pathwayz(rows=5,cols=6)', position: '....../w....W/bbbbb./w....W/....w. w', accept: ['f3'],
      hint: 'f2 and f4 are yours already; only f3 is open.', well: 'Blocked. Black will have to turn something.' },
  ],
};
Object.assign(given, { pathwayz });
});
define('lessons/pentago.js', (given) => {
const pentago = {
  game: 'pentago',
  aim: 'Get five of your marbles in a row: along a row, a column or a diagonal.',
  rules: [
    { heading: 'A turn', text: [
      'The board has 36 cells in four quadrants of nine. On your turn you put a marble on any empty cell, then turn one quadrant by 90 degrees, to the right or to the left.',
      'You may turn any quadrant: the one you played in or another, even if it is empty or turning it changes nothing.'] },
    { heading: 'The end', text: [
      'Five or six marbles of one colour in a line win. There are 32 lines of five.',
      'If the turn gives both players five, the game is a draw. If it gives only your opponent five, your opponent wins.',
      'When all 36 marbles are placed and the last turn has given nobody five, the game is a draw.'] },
  ],
  variants: {
    'rules=standard': 'A marble that makes five wins at once, and no quadrant is turned. These are the printed rules.',
    'rules=turn-first': 'The quadrant is always turned, and fives are looked for only after the turn.',
  },
  notation: [
    'c4q2r: a marble on c4, then quadrant 2 turned right. Columns a to f from the left, rows 1 to 6 from the top.',
    'q1 is top left, q2 top right, q3 bottom left, q4 bottom right; r is right, l is left. The cell is named as it is before the turn.',
    'c4: a marble that wins at once, without a turn.', 'In positions x is light and o is dark.'],
  glossary: [['quadrant', 'one of the four blocks of 3x3 that turn'], ['five', 'five marbles of one colour in an unbroken line']],
  steps: [
    { say: 'A turn has two halves. Put a marble on c4, then turn the top right quadrant to the right.', accept: ['c4q2r'],
      hint: 'c4 first; then q2, right: the move is written c4q2r.', well: 'That is a whole move: c4q2r.' },
    { say: 'Turning carries marbles along. Put a marble on e5 and bring your marble on a1 to c1.', position: 'x...../....../....../....../....../.....o x', accept: ['e5q1r'],
      hint: 'Turned right, the corner a1 of the top left quadrant becomes its corner c1.', well: 'Right turns go clockwise.' },
    { say: 'Now the other way: put a marble on e5 and bring the marble on a1 down to a3.', position: 'x...../....../....../....../....../.....o x', accept: ['e5q1l'],
      hint: 'Turn the top left quadrant to the left.', well: 'Left turns go counterclockwise.' },
    { say: 'You do not have to disturb anything. Put a marble anywhere in the lower half, and turn the top right quadrant, which is empty.',
      position: '....../.x..../....../....../....o./...... x', accept: ['*4q2*', '*5q2*', '*6q2*'],
      hint: 'For instance c4, then q2 to either side.', well: 'Nothing on the board has moved; you have only added a marble.' },
    { say: 'Four in a row, and the fifth cell is free: take it. The placement wins at once, so there is no turn.', position: 'xxxx../....../....../oooo../....../...... x', accept: ['e1'], ends: 'first',
      hint: 'e1 completes row 1.', well: 'Five in a row: you win before any turn.' },
    { say: 'Here no marble makes five by itself, but a turn brings two of yours into row 1. Win the game.', position: 'xx..../...x../...x../o....o/..o.../....o. x', accept: ['c1q2r'], ends: 'first',
      hint: 'Fill c1; then d2 and d3 must come up to e1 and d1.', well: 'Many lines are hidden like this, one turn away.' },
    { say: 'Now you must defend: dark has four in row 4. Block the row, and turn a quadrant that does not open it again.', position: 'x....x/.x..../....../oooo../....../..x... x', accept: ['e4q1*', 'e4q2*'],
      hint: 'The open end is e4. Turn one of the upper quadrants, q1 or q2.', well: 'Blocked. A turn of q3 or q4 might have broken the row as well.' },
  ],
};
Object.assign(given, { pentago });
});
define('lessons/pentago-twist.js', (given) => {
const pentagoTwist = {
  game: 'pentago-twist',
  aim: 'Have five of your marbles in a row after your twist.',
  rules: [
    { heading: 'A turn', text: [
      'Put a marble on an empty cell of the 6x6 board, then twist one of the four quadrants: turn it 90 degrees to the right, or mirror it so that its left and right columns change places.',
      'There is no turn to the left. Any quadrant may be twisted, even an empty one.'] },
    { heading: 'The end', text: [
      'Lines count only after the twist: a five that the twist breaks up does not count.',
      'If both players have five after the twist, the game is a draw; if only your opponent has, your opponent wins. A full board without a five is a draw.'] },
  ],
  variants: {},
  notation: [
    'c4q2r: a marble on c4, then quadrant 2 turned right. c4q2f: then quadrant 2 mirrored left to right.',
    'Columns a to f from the left, rows 1 to 6 from the top; q1 top left, q2 top right, q3 bottom left, q4 bottom right. In positions x is light and o is dark.'],
  glossary: [['twist', 'the second half of a move: a right turn or a mirror'], ['mirror', 'the left and right columns of a quadrant change places; the middle one stays']],
  steps: [
    { say: 'A move is a marble and a twist. Put a marble on c4 and turn the top right quadrant to the right.', accept: ['c4q2r'],
      hint: 'c4, then q2 right: c4q2r.', well: 'That is a whole move.' },
    { say: 'The other twist is the mirror. Put a marble on e5 and mirror the top left quadrant: your marble on a1 goes to c1.', position: 'x...../....../....../....../....../.....o x', accept: ['e5q1f'],
      hint: 'e5, then q1 mirrored: e5q1f.', well: 'a1 and c1 have changed places.' },
    { say: 'Turning right does more: put a marble on e5 and bring the marble on a2 up to b1.', position: '....../x...../....../....../....../.....o x', accept: ['e5q1r'],
      hint: 'Turn the top left quadrant: its left column becomes its top row.', well: 'The left column has become the top row.' },
    { say: 'You have four in a row. Fill the fifth cell, and twist a quadrant that does not break the line.', position: 'xxxx../....../....../oooo../....../...... x', accept: ['e1q3*', 'e1q4*'], ends: 'first',
      hint: 'e1, then one of the lower quadrants, q3 or q4.', well: 'The line still stands after the twist: you win.' },
    { say: 'Win with a mirror: the marbles on e1 and f1 are one column off.', position: 'xx..xx/....../....../o....o/..o.../....o. x', accept: ['c1q2f'], ends: 'first',
      hint: 'Fill c1, then mirror q2: f1 goes to d1.', well: 'a1 to e1, all yours.' },
    { say: 'Win with a turn: d2 and d3 belong in row 1.', position: 'xx..../...x../...x../o....o/..o.../....o. x', accept: ['c1q2r'], ends: 'first',
      hint: 'Fill c1, then turn q2 right.', well: 'Turned into line.' },
    { say: 'Defend: dark has four in row 4 and would fill e4. Take that cell, and twist one of the upper quadrants.', position: 'x....x/.x..../....../oooo../....../..x... x', accept: ['e4q1*', 'e4q2*'],
      hint: 'e4, then q1 or q2.', well: 'Row 4 is blocked.' },
  ],
};
Object.assign(given, { pentagoTwist });
});
define('lessons/pylos.js', (given) => {
const pylos = {
  game: 'pylos',
  aim: 'Place the ball at the top of the pyramid.',
  rules: [
    { heading: 'A turn', text: [
      'Each player has 15 balls. The pyramid has four levels: 4x4, 3x3, 2x2 and the top.',
      'Either place a ball from your reserve, on the ground or on a square of four balls of any colours; or raise one of your balls that supports nothing to a higher level. Raising costs no ball from your reserve, so it gains a turn.',
      'A ball cannot be raised onto a square that it is part of.'] },
    { heading: 'Taking back', text: [
      'When you complete a square of four balls of your own colour, you take back one or two of your balls that support nothing: the first you must, the second you may. The ball you just played may be one of them, and the second may be one that the first set free.'] },
    { heading: 'The end', text: [
      'Whoever places the top ball wins. A player who cannot move loses.',
      'When the same position with the same side to move comes up for the third time, the game is a draw.'] },
  ],
  variants: {
    'rules=standard': 'A square of your own colour gives balls back.',
    'rules=children': 'Nothing is taken back.',
    'rules=expert': 'A full row or column of your own colour on level 1 or 2 gives balls back, too.',
    'rules=expert-diag': 'Like expert, and the full diagonals of levels 1 and 2 count as well.',
    'end=stuck': 'A player without a legal move loses.',
    'end=spent': 'A player whose turn ends with an empty reserve loses at once.',
    'takeback=forced': 'At least one ball must be taken back.',
    'takeback=free': 'Taking back is optional.',
  },
  notation: [
    '1b3: a ball on level 1, column b, row 3. Cell 2a1 rests on 1a1, 1b1, 1a2 and 1b2.',
    '1d4^2a1: the ball on 1d4 is raised to 2a1.',
    '1b3-1b3-1a2: a ball on 1b3 completes a square; the balls on 1b3 and 1a2 are taken back.'],
  glossary: [['reserve', 'balls that are not on the board'], ['raise', 'to move a ball of yours to a higher level'], ['free', 'supporting nothing, so that it may be moved']],
  steps: [
    { say: 'You are light. Place a ball on 1b2: level 1, column b, row 2.', accept: ['1b2'], hint: 'The second cell of the second row.', well: 'Fourteen balls are left in your reserve.' },
    { say: 'Four balls in a square carry one more. Place a ball on top of them.', position: 'LD..DL........../........./..../. l', accept: ['2a1'], hint: 'The cell is 2a1.', well: 'Level 2 has begun. The colours below do not matter.' },
    { say: 'Better than a new ball: raise the one on 1d4 to 2a1. It costs you nothing.', position: 'LD.DDL.........L/........./..../. l', accept: ['1d4^2a1'],
      hint: 'First the ball on 1d4, then the cell above the square.', well: 'You moved without spending a ball. In Pylos, the player who runs out first loses.' },
    { say: 'Three light balls stand in a corner. Complete the square, and take two of your balls back.', position: 'LL.DL..D...D..../........./..../. l', accept: ['1b2-*-*'],
      hint: 'Place on 1b2, then take two balls, any of the four.', well: 'You spent one ball and got two back.' },
    { say: 'You may also take back just one. Complete the square and take back the ball you just played.', position: 'LL.DL..D...D..../........./..../. l', accept: ['1b2-1b2'],
      hint: '1b2, take 1b2, then Enough.', well: 'That was a free turn: the board is as before, and dark must move.' },
    { say: 'Dark is about to complete a square. Take the missing cell.', position: 'DDL.D..........L/........./..../. l', accept: ['1b2'], hint: 'The corner at the top left lacks 1b2.', well: 'Dark gets no square.' },
    { say: 'A ball that carries another cannot move, and no ball may climb onto a square that it is part of. One of your balls can go up to 2b1: find it.',
      position: 'LDL.DLD........L/D......../..../. l', accept: ['1d4^2b1'],
      hint: '1a1 and 1b2 carry a ball, and 1c1 is part of the square below 2b1. That leaves 1d4.', well: 'Keep such free balls: each is a spare turn.' },
    { say: 'One cell is left: the top. Take it.', position: 'LDLDDLDLLDLDDLDL/LDLDLDLDL/DLDD/. l', accept: ['4a1'], ends: 'first', hint: 'The top is 4a1.', well: 'The pyramid is yours.' },
  ],
};
Object.assign(given, { pylos });
});
define('lessons/twixt.js', (given) => {
const twixt = {
  game: 'twixt',
  aim: 'Red connects the top to the bottom, black the left to the right, with a chain of linked pegs.',
  rules: [
    { heading: 'A turn', text: [
      'Put a peg into any empty hole except those on your opponent’s border lines: red may not play in the first and last columns, black not in the first and last rows.',
      'Your new peg is linked at once to every peg of yours a knight’s move away (two holes one way, one the other), unless the link would cross another one.',
      'Links are never removed. A link that was blocked when its second peg was placed is not made later.'] },
    { heading: 'The end', text: [
      'A chain of linked pegs between your two border lines wins. If the player to move has no hole left, the game is a draw.'] },
    { heading: 'The swap', text: [
      'Moving first is a big advantage, so the second player may answer with swap: the first peg is replaced by a black one at its mirror image, and red moves next.'] },
  ],
  variants: {
    'rules=standard': 'There are no corner holes, and no link may cross another of either colour.',
    'rules=pp': 'Paper and pencil: your own links may cross each other, but crossing does not join them.',
    'rules=paper': 'As in the TwixT paper: the corners are holes open to both sides, nothing crosses, and there is no swap.',
    'swap=mirror': 'Swap puts a black peg at the mirror image in the main diagonal: b4 becomes d2.',
    'swap=turn': 'Swap puts it where a quarter turn of the board would; a peg on a border line cannot be swapped.',
    'swap=off': 'No swap.',
    size: 'From 5 to 24 holes per side; 3 and 4 are for study.',
  },
  notation: ['m12: a peg in column m, row 12. Columns from the left, rows from the top.', 'swap: the second player takes over the first move.'],
  glossary: [['link', 'a bridge between two pegs a knight’s move apart'], ['border line', 'one of the two lines that a side has to connect'], ['setup', 'two pegs that can be joined in two ways, so that one attack cannot separate them']],
  steps: [
    { say: 'You are red: connect the top to the bottom. Put a peg on d4.', game: 'twixt(size=8)', accept: ['d4'], hint: 'Column d, row 4.', well: 'Your first peg.' },
    { say: 'Pegs a knight’s move apart are linked. Put a second peg so that it links to d4.', game: 'twixt(size=8)', position: '#......#/......../.b....../...r..../......../......../......../#......# - r', accept: ['e6', 'c6', 'f5', 'b5', 'f3', 'e2', 'c2'],
      hint: 'Two down and one to the side, for instance: e6.', well: 'The link is made automatically.' },
    { say: 'The top row is one of your border lines, so you may play there and black may not. Put a peg on the top row.', game: 'twixt(size=8)', position: '#......#/......../.b....../...r..../......../......../......../#......# - r', accept: ['*1'],
      hint: 'Any hole of row 1.', well: 'Only black may play in columns a and h.' },
    { say: 'Links cannot cross. Black would like to link c5 to e4. Put a peg on e5: its link from d3 is in the way.', game: 'twixt(size=8)', position: '#......#/......../...r..../......../..b...../......../......../#......# - r', accept: ['e5'],
      hint: 'd3 and e5 are a knight’s move apart.', well: 'Whatever black does, c5 and e4 will not be linked.' },
    { say: 'A gap that can be closed in two ways is as good as a link. Put a peg straight below d3, four rows down.', game: 'twixt(size=8)', position: '#......#/......../...r..../......../......../.....b../......../#......# - r', accept: ['d7'],
      hint: 'The hole is d7: c5 and e5 would both join it to d3.', well: 'If black takes c5 you take e5, and vice versa.' },
    { say: 'Your chain runs from the top to d7. Reach the bottom.', game: 'twixt(size=8)', position: '#.r....#/......b./...r..b./......../..r...../.b....b./...r..../#......# c1d3,c5d3,c5d7 r', accept: ['b8', 'f8'], ends: 'first',
      hint: 'From d7, a knight’s move down to row 8: b8 or f8.', well: 'Top and bottom are connected: you win.' },
    { say: 'Now you are black. Red began in the middle, which is very strong. Take the move over.', game: 'twixt(size=8)', moves: ['d4'], accept: ['swap'],
      hint: 'The move is written swap; there is a button for it, too.', well: 'The peg is black now, mirrored, and red moves.' },
  ],
};
Object.assign(given, { twixt });
});
define('lessons/index.js', (given) => {
const { pathwayz } = need('lessons/pathwayz.js');
const { pentago } = need('lessons/pentago.js');
const { pentagoTwist } = need('lessons/pentago-twist.js');
const { pylos } = need('lessons/pylos.js');
const { twixt } = need('lessons/twixt.js');
const LESSONS = [pathwayz, pylos, twixt, pentagoTwist, pentago];
const lessonOf = (game) => LESSONS.find((lesson) => lesson.game === game);
const accepts = (accept, move) =>
  accept.some((pattern) => new RegExp(`^${pattern.replace(/[.^$+?()[\]{}|\\]/g, '\\$&').replaceAll('*', '.*')}$`).test(move));
Object.assign(given, { LESSONS, lessonOf, accepts });
});
