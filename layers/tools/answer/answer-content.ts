import { createHash } from 'node:crypto';
import {
  byteParts,
  jsonParts,
  type ReplyPart,
  type StoredReplyKey,
  textParts,
  fittingEnd,
} from './result-continuation.ts';
import { estimateTokens } from '../../openapi/model-apis/token-estimate.ts';
import type { Operation } from '../../openapi/tool-index.ts';
import { redirectPlace } from '../../target/rules/redirect.ts';
import type { TargetAnswer } from '../../target/rules/target.ts';
import { type AnswerBody, readBody } from './answer-body.ts';
import { type AnswerExcerpt, answerExcerpt } from './answer-excerpt.ts';
import { type ShownHeaders, shownHeaders } from './answer-headers.ts';
import { cutToTokens, MOST_TOKENS, pageInstead } from './answer-page.ts';
import { redirectElsewhere, redirectNote, shownAddress } from './answer-redirects.ts';
import { type McpContent, textResult, type ToolResult } from './tool-result.ts';
import {
  budgetNote,
  type BudgetTerms,
  continuationNote,
  partNote,
  readInstructions,
  truncationNote,
} from './continuation-note.ts';
import { type ChosenMembers, chosenMembers } from './answer-fields.ts';
import type { Masking } from '../masking/mask-secrets.ts';
import { isSecretHeader } from '../masking/secret-headers.ts';
import { cutForm, elementEnds, streamForm } from '../../target/rules/stream-elements.ts';
import { statusLine } from '../../platform/rules/reason-phrase.ts';

interface AnswerTerms {
  readonly masking: Masking;
  readonly operation?: Pick<Operation, 'accept' | 'answers'>;
  /** Headers that the owner chose, `*` at the end for any ending; absent: those that callers usually need. */
  readonly headers?: readonly string[];
  /** Method of the request: the answer to HEAD is its headers. */
  readonly method: string;
  /** Limit for the body that is shown; text is counted in UTF-8. */
  readonly maxBytes: number;
  /** Limit for the content as it is sent to the client, at most `MOST_RESULT_BYTES`. */
  readonly maxWireBytes: number;
  /** JSON pointers with `*` for the members that are shown; absent: all. */
  readonly fields?: readonly string[];
  /** Tokens that a model may be shown; absent: no limit. */
  readonly budget?: BudgetTerms;
}

export interface AnswerContent {
  /** The result if the rest is not kept. */
  readonly result: ToolResult;
  /** What the result leaves out; absent where that is nothing or useless. */
  readonly rest?: AnswerRest;
  readonly held: HeldAnswer;
  /** Headers for clients that read only structured results. */
  readonly headers?: ShownHeaders['headers'];
  /** A note that comes before the body: the answer is that of another request (see `redirectNote`). */
  readonly said?: string;
  /** Why this is an error although the status is below 400. */
  readonly problem?: 'answer_is_a_page' | 'redirect_not_followed';
  /** Where only some members are shown: the whole text, and the members. */
  readonly chosen?: { readonly whole: string; readonly members: ChosenMembers };
}

/** What the result contains of an answer, and the note where that is not the whole text. */
type HeldAnswer =
  | { readonly kind: 'whole'; readonly text: string }
  | {
      readonly kind: 'excerpt';
      readonly shown: string;
      readonly isJson: boolean;
      readonly note: string;
    }
  | { readonly kind: 'cut' | 'no text'; readonly note: string };

interface AnswerRest {
  parts(): readonly ReplyPart[];
  /** The note that tells how to read the parts, once they are kept. */
  note(kept: StoredReplyKey): string;
  withNote(kept: StoredReplyKey): ToolResult;
}

/**
 * Turns a target's answer into a result. Text and JSON stay as sent; images, audio and other bytes become content of
 * their own type; an answer without a body becomes a sentence. A status of 400 and above is an error whose text begins
 * with the status; so are a web page in place of data and a redirect that is not followed. Headers that the caller
 * needs follow the body. What is too long is cut, with a note. Secrets are masked before anything is cut or kept: of
 * one that is cut in two, no part would be recognized.
 * Source: docs/tools.md, "What a result holds", "Long answers".
 */
export const answerContent = (received: TargetAnswer, terms: AnswerTerms): AnswerContent => {
  const { masking } = terms;
  const answer = {
    ...received,
    headers: masking.headers(received.headers),
    // Of a stream that was cut only whole elements are shown, and no secret is cut in two at the end of one.
    body: cutForm(received) ? received.body : withoutEnd(received, masking),
  };
  const { operation = NOTHING_DESCRIBED, method } = terms;
  const body = masked(answer.cut && answer.body.length === 0 ? NO_TEXT : readBody(answer), masking);
  const headersOf = (headers: TargetAnswer['headers']): ShownHeaders | undefined =>
    method === 'HEAD'
      ? undefined
      : shownHeaders({ status: answer.status, headers }, operation, terms.headers);
  const headers = headersOf(answer.headers);
  const said = redirectNote(answer, masking.text);
  const content =
    instead(answer, body, method, operation, masking) ??
    bodyContent(answer, body, withoutBytesOf(headers, said, terms));
  const isPlace = body.kind === 'empty' || content.problem === 'redirect_not_followed';
  // The text for an empty body or a redirect contains the location already.
  const { location: _, ...others } = answer.headers;
  return around(content, said, isPlace ? headersOf(others) : headers);
};

const NOTHING_DESCRIBED: Pick<Operation, 'accept' | 'answers'> = { accept: [] };

/** A sentence in place of an answer that does not answer the request: an unfollowed redirect, a web page. */
const instead = (
  answer: TargetAnswer,
  body: AnswerBody,
  method: string,
  operation: Pick<Operation, 'accept' | 'answers'>,
  masking: Masking,
): AnswerContent | undefined => {
  const elsewhere = redirectElsewhere(answer, method, operation);
  if (elsewhere !== undefined) {
    const isPlace = redirectPlace(answer) !== undefined || method === 'HEAD';
    const its =
      isPlace || body.kind !== 'text' ? '' : bodyInWords(answer, body.text, operation, masking);
    return inWords(elsewhere + its, 'redirect_not_followed');
  }
  if (body.kind !== 'text' || method === 'HEAD') return undefined;
  const page = pageInstead(answer, body.text, operation, masking.text);
  return page === undefined ? undefined : inWords(page, 'answer_is_a_page');
};

/** Text of a redirect without a Location: it may say where to go. */
const bodyInWords = (
  answer: TargetAnswer,
  text: string,
  operation: Pick<Operation, 'accept' | 'answers'>,
  { text: mask }: Masking,
): string => {
  const page = pageInstead(answer, text, operation, mask);
  return page === undefined ? ` Its text:\n\n${cutToTokens(text, MOST_TOKENS)}` : ` ${page}`;
};

const inWords = (note: string, problem: NonNullable<AnswerContent['problem']>): AnswerContent => ({
  result: textResult(note, true),
  held: { kind: 'no text', note },
  problem,
});

/** Terms for the body, lowered by what headers and notes beside it take. */
const withoutBytesOf = (
  headers: ShownHeaders | undefined,
  said: string | undefined,
  terms: AnswerTerms,
): AnswerTerms => {
  const beside = [said, headers?.text].filter((one) => one !== undefined).join('\n');
  if (beside === '') return terms;
  const { budget: whole, maxWireBytes } = terms;
  return {
    ...terms,
    maxWireBytes: maxWireBytes - Buffer.byteLength(JSON.stringify(JSON.stringify(beside))),
    ...(whole && { budget: { ...whole, beside: estimateTokens(beside) } }),
  };
};

/** Puts a note before the body and headers behind it, in each form of the result. */
const around = (
  content: AnswerContent,
  said: string | undefined,
  headers: ShownHeaders | undefined,
): AnswerContent => {
  if (said === undefined && !headers) return content;
  const items = (one: string | undefined): readonly McpContent[] =>
    one === undefined ? [] : [{ type: 'text', text: one }];
  const within = (result: ToolResult): ToolResult => ({
    ...result,
    content: [...items(said), ...result.content, ...items(headers?.text)],
  });
  const { rest } = content;
  return {
    ...content,
    result: within(content.result),
    ...(rest && { rest: { ...rest, withNote: (kept) => within(rest.withNote(kept)) } }),
    ...(headers && { headers: headers.headers }),
    ...(said !== undefined && { said }),
  };
};

const bodyContent = (answer: TargetAnswer, body: AnswerBody, terms: AnswerTerms): AnswerContent => {
  const isError = answer.status >= 400;
  // Claude's API refuses a text of white space alone (https://github.com/anthropics/claude-code/issues/23440).
  const isBlank = body.kind === 'text' && !answer.cut && !isError && body.text.trim() === '';
  if (terms.method === 'HEAD' || body.kind === 'empty' || isBlank) {
    const note = withoutBody(answer, terms.method, isBlank ? 'with white space alone' : undefined);
    return { result: textResult(note, isError), held: { kind: 'no text', note } };
  }
  if (body.kind !== 'text') return binaryContent(answer, body, terms);
  const isWhole = !isError && !answer.cut && !streamForm(answer.headers['content-type']);
  const members = terms.fields && isWhole ? chosenMembers(body.text, terms.fields) : undefined;
  if (!members) return textContent(answer, body.text, terms);
  const chosen = { whole: body.text, members };
  const content = textContent(answer, members.text, terms);
  if (!members.isEmpty) return { ...content, chosen };
  const [note, { result }] = [{ type: 'text', text: NONE_CHOSEN } as const, content];
  return { ...content, result: { ...result, content: [...result.content, note] }, chosen };
};

const NONE_CHOSEN =
  "[The owner of this server chose which members of this tool's answers are shown, and this answer has none of them.]";

const NO_TEXT: AnswerBody = { kind: 'text', text: '' };

const withoutEnd = ({ body, cut }: TargetAnswer, { endBytes }: Masking): Uint8Array =>
  cut ? body.subarray(0, Math.max(0, body.length - endBytes)) : body;

const masked = (body: AnswerBody, { text, bytes }: Masking): AnswerBody => {
  switch (body.kind) {
    case 'empty':
      return body;
    case 'text':
      return { ...body, text: text(body.text) };
    case 'binary':
      return { ...body, bytes: bytes(body.bytes) };
  }
};

/** Bytes reserved for heading, note and JSON members around the text. */
const ROOM = 2048;

const textContent = (answer: TargetAnswer, received: string, terms: AnswerTerms): AnswerContent => {
  const { status, body, cut } = answer;
  const form = cutForm(answer);
  const ends = cut && form && elementEnds(received, form);
  const whole = ends ? received.slice(0, ends.at(-1) ?? 0) : received;
  const { maxBytes, maxWireBytes, budget } = terms;
  const excerpt = budget && answerExcerpt(whole, leftOf(budget), form);
  if (excerpt && fits(excerpt.shown, terms)) return excerptContent(answer, excerpt, budget);
  const isError = status >= 400;
  const heading = isError ? `${statusLine(status)}\n\n` : '';
  const end = fittingEnd(whole, { maxBytes, maxWireBytes: maxWireBytes - ROOM });
  const isWhole = end === whole.length;
  if (isWhole && !cut) {
    return { result: textResult(heading + whole, isError), held: { kind: 'whole', text: whole } };
  }

  const shown = whole.slice(0, end);
  const cutWith = (note: string) => textResult(`${heading}${shown}\n\n${note}`, isError);
  const shownBytes = Buffer.byteLength(shown);
  const totalBytes = Buffer.byteLength(whole);
  const gone = isWhole
    ? cut?.by
      ? partNote(cut, shownBytes, ends && `${ends.length} ${form}`)
      : truncationNote(ends ? shownBytes : body.length, cut?.totalBytes)
    : truncationNote(shownBytes, cut ? cut.totalBytes : totalBytes);
  const held: HeldAnswer = { kind: 'cut', note: gone };
  if (isWhole) return { result: cutWith(gone), held };
  const note = (kept: StoredReplyKey) =>
    continuationNote(shownBytes, totalBytes - shownBytes, cut, kept);
  return {
    result: cutWith(gone),
    held,
    rest: { parts: () => textParts(whole, end), note, withNote: (kept) => cutWith(note(kept)) },
  };
};

/** Tokens left for the body: at least half of the budget, however long the headers are. */
const leftOf = ({ budget, beside = 0 }: BudgetTerms): number =>
  Math.max(budget - beside, Math.ceil(budget / 2));

const fits = (text: string, { maxBytes, maxWireBytes }: AnswerTerms): boolean =>
  fittingEnd(text, { maxBytes, maxWireBytes: maxWireBytes - ROOM }) === text.length;

/** Text content, then the note as a content item of its own, so that the first stays valid JSON. */
const excerptContent = (
  { status, cut }: TargetAnswer,
  excerpt: AnswerExcerpt,
  budget: BudgetTerms,
): AnswerContent => {
  const isError = status >= 400;
  const { shown, isJson } = excerpt;
  const withNote = (note: string): ToolResult => ({
    content: [isError ? `${statusLine(status)}\n\n${shown}` : shown, note].map((each) => ({
      type: 'text',
      text: each,
    })),
    ...(isError ? { isError } : {}),
  });
  let isSplit = false;
  const parts = () => {
    const pieces = excerpt.pieces();
    const divided = pieces.flatMap((piece) => (isJson ? jsonParts(piece) : textParts(piece, 0)));
    isSplit = isJson && divided.length > pieces.length;
    return divided;
  };
  const note = (kept?: StoredReplyKey) => budgetNote({ ...excerpt, isSplit }, budget, cut, kept);
  return {
    result: withNote(note()),
    held: { kind: 'excerpt', shown, isJson, note: note() },
    rest: {
      parts,
      note,
      withNote: (kept) => withNote(note(kept)),
    },
  };
};

type Binary = Extract<AnswerBody, { kind: 'binary' }>;

const binaryContent = (
  { status, cut }: TargetAnswer,
  body: Binary,
  { maxBytes, maxWireBytes }: AnswerTerms,
): AnswerContent => {
  const { mimeType, bytes } = body;
  const isError = status >= 400;
  const heading = isError ? `${statusLine(status)}\n\n` : '';
  const base64Length = Math.ceil(bytes.length / 3) * 4;
  // Part of a binary file is useless.
  if (cut) {
    const note = tooLarge(status, body, cut);
    return { result: textResult(note, true), held: { kind: 'cut', note } };
  }
  if (bytes.length > maxBytes || base64Length > maxWireBytes) {
    const note = (kept: StoredReplyKey) =>
      `The answer is ${mimeType} of ${bytes.length} bytes, which is more than this result can ` +
      `hold. They are kept ${readInstructions(kept)}`;
    const lost = tooLarge(status, body, undefined);
    return {
      result: textResult(lost, true),
      held: { kind: 'cut', note: lost },
      rest: {
        parts: () => byteParts(bytes),
        note,
        withNote: (kept) => textResult(heading + note(kept), isError),
      },
    };
  }
  const item = binaryItem(body);
  const note = `The answer's body is ${mimeType}.`;
  const held: HeldAnswer = { kind: 'no text', note };
  if (!isError) return { result: { content: [item] }, held };
  return { result: { content: [{ type: 'text', text: heading + note }, item], isError }, held };
};

const binaryItem = ({ mimeType, bytes }: Binary): McpContent => {
  const data = Buffer.from(bytes).toString('base64');
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType };
  // The URI is a hash of the content (RFC 6920): the request's URL could contain a secret.
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return { type: 'resource', resource: { uri: `ni:///sha-256;${hash}`, mimeType, blob: data } };
};

const tooLarge = (
  status: number,
  { mimeType, bytes }: Binary,
  cut: TargetAnswer['cut'],
): string => {
  if (cut?.by) {
    return (
      `${statusLine(status)}\n\nThe answer is ${mimeType}, of which ${bytes.length} bytes came before ` +
      `${cut.by === 'time' ? 'the time for it was over' : 'the connection broke'}, and a part of it would be useless. ` +
      `Ask for a smaller one, if the tool's arguments allow it.`
    );
  }
  const size = cut?.totalBytes ?? bytes.length;
  const atLeast = cut && cut.totalBytes === undefined ? 'more than ' : '';
  return (
    `${statusLine(status)}\n\nThe answer is ${mimeType} of ${atLeast}${size} bytes, which is more than ` +
    `can be passed on, and a part of it would be useless. Ask for a smaller one, if the tool's ` +
    `arguments allow it.`
  );
};

/** Headers about the connection, and reporting headers for browsers. */
const UNTOLD_HEADERS = /^(?:connection|keep-alive|transfer-encoding|alt-svc|nel|report-to)$/;
const MOST_HEADER_TEXT = 16_000;

const withoutBody = (
  { status, headers }: TargetAnswer,
  method: string,
  how = 'without a body',
): string => {
  if (method === 'HEAD') {
    const lines = Object.entries(headers)
      .filter(([name]) => !UNTOLD_HEADERS.test(name) && !isSecretHeader(name))
      .map(([name, value]) => `${name}: ${value}`);
    return [statusLine(status), ...lines].join('\n').slice(0, MOST_HEADER_TEXT).toWellFormed();
  }
  const location = headers['location'];
  const where = location === undefined ? '' : ` Its Location header is ${shownAddress(location)}`;
  return `${statusLine(status)}: the target API answered ${how}.${where}`;
};
