import type { TargetAnswer } from './target.ts';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Whether an answer sends its request elsewhere. Source: RFC 9110 §15.4. */
export const isRedirect = ({
  status,
  headers,
}: Pick<TargetAnswer, 'headers' | 'status'>): boolean =>
  REDIRECTS.has(status) && headers['location'] !== undefined;
