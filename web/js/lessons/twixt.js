/** @type {import('../types.js').Lesson} */
export const twixt = {
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
