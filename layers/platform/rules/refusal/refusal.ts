/**
 * Refusals: the rules speaking. `code` and `description` go on the wire; `why` goes to the log and
 * nowhere else, so that nobody can learn by probing which check failed.
 */
export abstract class Refusal<Code extends string> extends Error {
  readonly code: Code;
  readonly description: string;
  readonly why: string;

  constructor(code: Code, description: string, why: string) {
    super(`${code}: ${why}`);
    this.code = code;
    this.description = description;
    this.why = why;
  }
}
