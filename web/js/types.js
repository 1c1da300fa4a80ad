// Shapes that several modules share. Everything that comes from the server is described in docs/api.md.

/** @typedef {import('./boards/board.js').State} State */
/** @typedef {import('./boards/board.js').HeatEntry} HeatEntry */
/** @typedef {'first'|'second'} Side */
/** @typedef {{who:'person',name?:string}|{who:'agent',agent:string}} Seat */
/** @typedef {{from:number,to:number}|{value:string,about:string}[]} Values */
/** @typedef {{key:string,about:string,default:string,values:Values}} Option */
/** @typedef {{game:string,title:string,about:string,sides:[string,string],example:string,options:Option[]}} GameInfo */
/** @typedef {{agent:string,game:string,about:string,paper:string|null,section:string|null,modes:string[],needs:string|null,evals?:{mode:string,eval:string}[]}} AgentInfo */
/** @typedef {{game:string,level:number,agent:string,spec:string,strength:string|null}} Level */
/** `prior`: what the engine expected before it searched, where it does. @typedef {{move:string,value:number,visits:number|null,prior?:number|null}} Root */
/** @typedef {{move:string,visits:number,value:number,proven:Outcome|null,children:Branch[]}} Branch */
/** @typedef {{depth:number,nodes:number,ms:number,value:number|null,pv:string[],roots:Root[],now:string[],cut:string[],cuts:number,fill:number|null,tree:Branch[]}} Report */
/** @typedef {{move:string,value:number|null,win:number|null,draw:number|null,proven:'win'|'draw'|'loss'|null,distance?:number|null,pv:string[],nodes:number,depth:number,ms:number}} Done */
/** @typedef {{enter:string,window:[number|null,number|null]}|{leave:number|null}|{cut:true}|{depth:number,value:number|null}} TraceStep */
/** @typedef {{steps:TraceStep[],total:number,entered:number,cuts:number,done:Done}} Trace */
/** @typedef {{time_ms?:number,nodes?:number,depth?:number,visits?:number}} Limit */
/** @typedef {State & {room:string,seats:[Seat,Seat],ms:number[],undone:number,undo_asked:Side|null,rematch_asked:Side|null,rematch:string|null,claimed:number,clock:RoomClock|null,seat?:Side|null,fault:RoomFault|null,archived:string|null,waiting?:string}} RoomState */
/** Milliseconds for all moves of a side, and those that every move adds. @typedef {{main_ms:number,increment_ms:number}} TimeControl */
/** What each side had left when this was said, and whose clock runs. @typedef {TimeControl & {left_ms:[number,number],running:Side|null}} RoomClock */
/** Why an agent does not move; `passing` if the server tries again by itself. @typedef {{what:string,passing:boolean}} RoomFault */
/** @typedef {{game:string,position?:string|null,moves:string[]}} Place */
/** @typedef {{say:string,game?:string,position?:string,moves?:string[],accept?:string[],ends?:'first'|'second'|'draw',hint:string,well:string}} Step */
/** @typedef {{heading:string,text:string[]}} Chapter */
/** @typedef {{game:string,aim:string,rules:Chapter[],variants:Record<string,string>,notation:string[],glossary:[string,string][],steps:Step[]}} Lesson */

/** @typedef {'win'|'draw'|'loss'} Outcome */
/** @typedef {{move:string,outcome:Outcome,distance:number|null}} ExactMove */
/** @typedef {{known:true,outcome:Outcome,distance:number|null,by:string,moves:ExactMove[]}|{known:false,why:string}} Exact */
/** @typedef {{id:string,game:string,from:string|null,moves:string[],kind:string,title:string,distance:number|null,answer?:string}} Puzzle */
/** @typedef {{number:number,player:Side,move:string,before:number,draw:number|null,after:number,loss:number,class:import('./judge.js').Class,best:string|null,line:string[],proven:Outcome|null}} Ply */

export {};
