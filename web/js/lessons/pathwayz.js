/** @type {import('../types.js').Lesson} */
export const pathwayz = {
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
