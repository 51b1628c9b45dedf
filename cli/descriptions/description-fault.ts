import type { Finding } from '../failure.ts';

const MAX_FINDINGS = 20;

export class DescriptionFault extends Error {
  override readonly name = 'DescriptionFault';
  /** The first 20 findings; the message says if there are more. */
  readonly findings: readonly Finding[];

  constructor(message: string, findings: readonly Finding[] = []) {
    const more = findings.length - MAX_FINDINGS;
    super(more > 0 ? `${message} The first ${MAX_FINDINGS} of ${findings.length}:` : message);
    this.findings = findings.slice(0, MAX_FINDINGS);
  }
}
