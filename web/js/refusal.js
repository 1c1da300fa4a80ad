// Why a request is not answered.

/** @typedef {import('./types.js').State} State */

/** What the API refused, with all that it said. */
export class Refusal extends Error {
  /**
   * @param {string} message
   * @param {number} status
   * @param {{ply?:number,state?:State}} body
   */
  constructor(message, status, body) {
    super(message);
    this.status = status;
    this.ply = body.ply;
    this.state = body.state;
    this.body = body;
  }
}
