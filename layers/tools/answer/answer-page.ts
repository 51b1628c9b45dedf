import { withoutEntities } from '../../platform/rules/text.ts';
import type { Operation } from '../../openapi/tool-index.ts';
import { estimateTokens } from '../../openapi/model-apis/token-estimate.ts';
import { statusLine } from '../../platform/rules/reason-phrase.ts';
import { isPage } from '../../target/rules/media-type.ts';
import type { TargetAnswer } from '../../target/rules/target.ts';
import { answerOf } from './answer-headers.ts';
import { shownAddress } from './answer-redirects.ts';
import { isJson, skipBlanks } from './json-text.ts';

/**
 * Text that replaces a web page for people which the operation does not declare: what kind of page it is, after which
 * redirect, and its text without markup. Undefined for any other answer, and for a page with status 2xx, no redirect
 * and no password field where the operation promises no other type.
 * @param answer - its headers masked
 * @param body - masked
 * @param mask - for the URL that was redirected to
 * Source: docs/tools.md, "Pages instead of data".
 */
export const pageInstead = (
  answer: TargetAnswer,
  body: string,
  operation: Pick<Operation, 'accept' | 'answers'>,
  mask: (text: string) => string,
): string | undefined => {
  const { status, redirected } = answer;
  if (!isHtml(answer, body) || isDescribed(operation, status)) return undefined;
  const page = readPage(body);
  const isSignIn = page.hasPassword || SIGN_IN.test(`${page.title} ${redirected?.url ?? ''}`);
  if (status < 400 && !isOtherDescribed(operation) && !redirected && !page.hasPassword) {
    return undefined;
  }
  const what = isSignIn ? 'a sign-in page' : status >= 400 ? 'a page of an error' : 'a page';
  const after = redirected
    ? `, after a redirect (${redirected.status}) of ${redirected.method} to ${shownAddress(mask(redirected.url))}`
    : '';
  const text = cutToTokens(page.text, MOST_TOKENS);
  return (
    `${statusLine(status)}: the target API answered with ${what} for people in place of data${after}. ` +
    `${isSignIn ? OF_SIGN_IN : status >= 400 ? '' : OF_PAGE}` +
    (text === '' ? 'It has no text.' : `Its text:\n\n${text}`)
  );
};

const OF_SIGN_IN =
  "This server's credential is missing, has ended, or is not taken here: calling again does not help, the owner of this server has to look at it. ";
const OF_PAGE =
  'The address that this server calls may be wrong, or the call needs a sign-in: the owner of this server can look at both. ';

/** Limit for the quoted text of a web page or redirect. */
export const MOST_TOKENS = 500;

const MOST_CHARACTERS = 200_000;

const SIGN_IN =
  /\b(?:log-?in|sign-?in|log ?on|sso|single sign-on|authenticate|anmelden|connexion)\b/i;

/** Decided by how the body begins, too: many servers send every text as `text/html`. */
const isHtml = ({ headers }: TargetAnswer, body: string): boolean => {
  const start = skipBlanks(body, body.startsWith('\ufeff') ? 1 : 0);
  const opening = body.slice(start, start + 20).toLowerCase();
  if (/^<(?:!doctype html|html)[\s>]/.test(opening)) return true;
  return isPage(headers['content-type'] ?? '') && /^<[a-z!]/.test(opening) && !isJson(body);
};

const isDescribed = ({ accept, answers }: Pick<Operation, 'accept' | 'answers'>, status: number) =>
  accept.some(isPage) || answerOf({ ...(answers && { answers }) }, status)?.isPage === true;

/** Whether the description promises only types that cannot be a web page. */
const isOtherDescribed = ({ accept }: Pick<Operation, 'accept'>): boolean =>
  accept.length > 0 && !accept.some((type) => /^\s*(?:\*|text)\/\*/.test(type));

/** Elements whose content is no visible text. Source: WHATWG HTML §4. */
const UNSHOWN = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head']);

/** Extracts text and title in one pass from tag to tag. */
const readPage = (html: string) => {
  const source = html.slice(0, MOST_CHARACTERS);
  const lower = source.toLowerCase();
  const pieces: string[] = [];
  let hasPassword = false;
  for (let at = 0; at < source.length;) {
    const open = source.indexOf('<', at);
    if (open < 0) {
      pieces.push(source.slice(at));
      break;
    }
    pieces.push(source.slice(at, open), '\n');
    if (lower.startsWith('<!--', open)) {
      at = endOf(lower, '-->', open);
      continue;
    }
    const close = endOf(lower, '>', open);
    const tag = lower.slice(open + 1, Math.min(close, open + 500));
    const [name = ''] = /^[a-z\d]*/.exec(tag) ?? [];
    if (name === 'input' && /type\s?=\s?["']?password/.test(tag)) hasPassword = true;
    at = UNSHOWN.has(name) ? endOf(lower, '>', endOf(lower, `</${name}`, close) - 1) : close;
  }
  const title = titleOf(source, lower);
  const lines = [title, ...pieces.join('').split('\n')]
    .map(plainLine)
    .filter((line) => line !== '');
  const text = lines.filter((line, index) => line !== lines[index - 1]).join('\n');
  return { title, text, hasPassword };
};

/** Index after the first occurrence of a text; the end where there is none. */
const endOf = (text: string, searched: string, from: number): number => {
  const found = text.indexOf(searched, from);
  return found < 0 ? text.length : found + searched.length;
};

const titleOf = (source: string, lower: string): string => {
  const open = lower.indexOf('<title');
  const from = open < 0 ? -1 : lower.indexOf('>', open);
  const to = from < 0 ? -1 : lower.indexOf('</title', from);
  return to < 0 ? '' : plainLine(source.slice(from + 1, to));
};

const plainLine = (line: string): string => withoutEntities(line).replaceAll(/\s+/g, ' ').trim();

export const cutToTokens = (text: string, most: number): string => {
  let end = Math.min(text.length, most * 6);
  for (let tokens = estimateTokens(text.slice(0, end)); tokens > most && end > 1;) {
    end = Math.floor(end * Math.min(0.95, most / tokens));
    tokens = estimateTokens(text.slice(0, end));
  }
  return end === text.length ? text : `${text.slice(0, end).toWellFormed().trimEnd()} …`;
};
