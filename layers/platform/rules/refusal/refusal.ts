/** `code` and `description` are sent; `why` is only logged, so that probing does not reveal which check failed. */
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
