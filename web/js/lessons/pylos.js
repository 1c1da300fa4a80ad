/** @type {import('../types.js').Lesson} */
export const pylos = {
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
