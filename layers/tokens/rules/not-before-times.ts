import type { NotBefore } from './not-before.ts';
/** What operators have ended. Source: docs/decisions/oauth.md, "Ending everything at once". */
export interface NotBeforeTimes {
  find(): Promise<NotBefore>;
}

export interface NotBeforeRegister extends NotBeforeTimes {
  /** @param next - of the revision after the one that was found @returns false if it was changed meanwhile */
  replace(next: NotBefore): Promise<boolean>;
}
