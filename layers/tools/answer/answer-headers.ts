import type { DescribedAnswer, Operation } from '../../openapi/tool-index.ts';
import { member } from '../../platform/rules/json/json.ts';
import type { TargetAnswer } from '../../target/rules/target.ts';
import { isSecretHeader } from '../masking/secret-headers.ts';

export interface ShownHeaders {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Headers that callers act on, shown even where undescribed, unless the owner named others: versions of a resource,
 * further pages and parts, the URL of what was created, when to retry, deprecation.
 * Source: RFC 9110 §8.7, §8.8, §10.2, §14.4; RFC 8288; RFC 9745; RFC 8594; the `RateLimit` fields of
 * draft-ietf-httpapi-ratelimit-headers. No standard names totals and the next page: those of GitLab, json-server,
 * Platformatic, Harbor and others are in https://docs.gitlab.com/api/rest/, "Other pagination headers".
 */
const ALWAYS =
  /^(?:etag|last-modified|link|location|content-(?:location|range)|retry-after|operation-location|deprecation|sunset|x-total(?:-count|-pages)?|x-next-page|(?:x-)?rate-?limit(?:-.*)?)$/;

/** Limit for the text of all headers, in UTF-8. */
const MOST_BYTES = 2048;

/** Bytes reserved for the sentence that headers were left out. */
const FOR_THE_REST = 80;

const OPENING = 'Headers of the answer:';

/** Whether a content item is the text that `shownHeaders` makes. */
export const areHeaders = (text: string): boolean => text.startsWith(`${OPENING}\n`);

/**
 * Response headers that a caller needs: those the description declares for the status and those of `ALWAYS`, or those
 * that the tool's owner named. Headers that authenticate are never shown.
 * @param answer - its secrets masked
 * @param wanted - the owner's names, `*` at the end for any ending
 * @returns undefined where there are none
 * Source: docs/tools.md, "Headers of answers".
 */
export const shownHeaders = (
  { status, headers }: Pick<TargetAnswer, 'headers' | 'status'>,
  described: Pick<Operation, 'answers'>,
  wanted?: readonly string[],
): ShownHeaders | undefined => {
  const declared = new Set(answerOf(described, status)?.headers);
  const isShown = wanted
    ? (name: string) => wanted.some((one) => isNamed(name, one.toLowerCase()))
    : (name: string) => declared.has(name) || ALWAYS.test(name);
  const shown = Object.entries(headers).filter(
    ([name, value]) => !isSecretHeader(name) && value !== '' && isShown(name),
  );
  if (shown.length === 0) return undefined;

  const fitting: [string, string][] = [];
  let left = MOST_BYTES - OPENING.length - FOR_THE_REST;
  for (const [name, value] of shown) {
    const bytes = Buffer.byteLength(`\n${name}: ${value}`);
    if (bytes > left) continue;
    left -= bytes;
    fitting.push([name, value]);
  }
  return inText(fitting, shown.length - fitting.length);
};

const inText = (headers: readonly (readonly [string, string])[], rest: number): ShownHeaders => {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const note = rest > 0 ? [`[${rest} more, which take more room than headers have here.]`] : [];
  return {
    headers: Object.fromEntries(headers),
    text: [OPENING, ...lines, ...note].join('\n'),
  };
};

const isNamed = (name: string, wanted: string): boolean =>
  wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted;

/** The declared response for a status: code, `4XX` or `default`. Source: OpenAPI 3.1.1, "Responses Object". */
export const answerOf = (
  { answers = {} }: Pick<Operation, 'answers'>,
  status: number,
): DescribedAnswer | undefined =>
  member(answers, String(status)) ??
  member(answers, `${String(status).charAt(0)}XX`) ??
  member(answers, 'default');
