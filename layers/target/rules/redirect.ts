import type { TargetAnswer } from './target.ts';

type Headed = Pick<TargetAnswer, 'headers' | 'status'>;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Also without a `Location`. Source: RFC 9110 §15.4. */
export const isRedirect = ({ status }: Pick<Headed, 'status'>): boolean => REDIRECTS.has(status);

/** `Location` of a redirect, unresolved. Source: RFC 9110 §10.2.2. */
export const redirectPlace = (answer: Headed): string | undefined => {
  if (!isRedirect(answer)) return undefined;
  const place = answer.headers['location']?.trim() ?? '';
  return place === '' ? undefined : place;
};
