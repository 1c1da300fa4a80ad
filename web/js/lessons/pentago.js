/** @type {import('../types.js').Lesson} */
export const pentago = {
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
