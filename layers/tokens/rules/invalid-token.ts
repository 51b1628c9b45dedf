/**
 * A bearer token that opens nothing here. `why` goes to the log and nowhere else, and so holds
 * nothing of the token; whoever catches this knows the challenge to answer with.
 */
export class InvalidToken extends Error {
  override readonly name = 'InvalidToken';
  readonly why: string;

  constructor(why: string) {
    super(why);
    this.why = why;
  }
}
