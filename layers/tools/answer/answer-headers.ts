import type { DescribedAnswer, Operation } from '../../openapi/tool-index.ts';
import { member } from '../../platform/rules/json/json.ts';
import type { TargetAnswer } from '../../target/rules/target.ts';
import { isSecretHeader } from '../masking/secret-headers.ts';

/** Headers of an answer that its caller is shown. */
export interface ShownHeaders {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** How many more there were no room for. */
  readonly rest: number;
  /** The same for a model. */
  readonly text: string;
}

/**
 * What a caller acts on, described or not: versions of a resource, further pages and parts, where a thing is that was
 * made, when to ask again, what ends when.
 *
 * Source: RFC 9110 §8.7, §8.8, §10.2, §14.4; RFC 8288; RFC 9745; RFC 8594; the `RateLimit` fields of draft-ietf-httpapi-ratelimit-headers.
 */
const ALWAYS =
  /^(?:etag|last-modified|link|location|content-(?:location|range)|retry-after|operation-location|deprecation|sunset|(?:x-)?rate-?limit(?:-.*)?)$/;

/** Of the text, in UTF-8. */
const MOST_BYTES = 2048;

/** Room for the sentence that some are left out. */
const FOR_THE_REST = 80;

const OPENING = 'Headers of the answer:';

/** Whether a text of a result is what `shownHeaders` has made. */
export const areHeaders = (text: string): boolean => text.startsWith(`${OPENING}\n`);

/**
 * The headers of an answer that its body does not say and its caller needs: those that the description declares for its
 * status, and some always; or those that the owner named. Nothing that authenticates is among them.
 *
 * @param answer - its secrets masked
 * @param wanted - the names that the tool's owner gave, `*` at their end for any ending
 * @returns undefined where there is nothing to tell
 *
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
    rest,
    text: [OPENING, ...lines, ...note].join('\n'),
  };
};

const isNamed = (name: string, wanted: string): boolean =>
  wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted;

/** What is described of answers of a status, by the most exact of its names. Source: OpenAPI 3.1.1, "Responses Object". */
export const answerOf = (
  { answers = {} }: Pick<Operation, 'answers'>,
  status: number,
): DescribedAnswer | undefined =>
  member(answers, String(status)) ??
  member(answers, `${String(status).charAt(0)}XX`) ??
  member(answers, 'default');
