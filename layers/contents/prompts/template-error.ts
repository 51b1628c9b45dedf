export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1, in UTF-16 code units, as editors count. */
  readonly column: number;
  readonly what: string;
  readonly hint: string;

  constructor(text: string, offset: number, what: string, hint: string) {
    const before = text.slice(0, offset).split('\n');
    const line = before.length;
    const column = (before.at(-1)?.length ?? 0) + 1;
    super(`line ${line}, column ${column}: ${what}; ${hint}`);
    this.line = line;
    this.column = column;
    this.what = what;
    this.hint = hint;
  }
}
