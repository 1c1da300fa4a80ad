/** @type {import('../types.js').Lesson} */
export const pentagoTwist = {
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
