import { createHash } from 'node:crypto';
import type { TargetAnswer } from '../target.ts';
import { type AnswerBody, readBody } from './answer-body.ts';
import { statusLine } from './status-line.ts';
import { fittingText, MOST_RESULT_BYTES } from './fitting-text.ts';

export type McpContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource';
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string };
    };

/** The result of a `tools/call`. */
export interface ToolResult {
  readonly content: readonly McpContent[];
  readonly isError?: true;
}

/**
 * A target's answer as a client sees it. Text and JSON stand as the target sent them; images, sound and
 * other bytes as what they are; an answer without a body says so. A status of 400 and above is an error
 * whose text begins with the status. What is too long for one answer is cut, and says so.
 *
 * @param method - of the request: the answer to HEAD is its headers
 * Source: TL2, TL3; D6; tools.md, "Answers".
 */
export const answerContent = (answer: TargetAnswer, method = 'GET'): ToolResult => {
  const isError = answer.status >= 400;
  const heading = isError ? `${statusLine(answer.status)}\n\n` : '';
  const body = readBody(answer);

  if (method === 'HEAD' || body.kind === 'empty') return text(withoutBody(answer, method), isError);
  if (body.kind === 'text') return text(fittingText(heading, body.text, answer), isError);

  const base64Length = Math.ceil(body.bytes.length / 3) * 4;
  if (answer.cut || base64Length > MOST_RESULT_BYTES) return text(tooLarge(answer, body), true);
  const item = binaryItem(body);
  if (!isError) return { content: [item] };
  const told = `${statusLine(answer.status)}\n\nThe answer's body is ${body.mimeType}.`;
  return { content: [{ type: 'text', text: told }, item], isError: true };
};

type Binary = Extract<AnswerBody, { kind: 'binary' }>;

const text = (content: string, isError: boolean): ToolResult => ({
  content: [{ type: 'text', text: content }],
  ...(isError ? { isError } : {}),
});

const binaryItem = ({ mimeType, bytes }: Binary): McpContent => {
  const data = Buffer.from(bytes).toString('base64');
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType };
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType };
  // Named by what it holds (RFC 6920): the address of the call could hold a secret.
  const hash = createHash('sha256').update(bytes).digest('base64url');
  return { type: 'resource', resource: { uri: `ni:///sha-256;${hash}`, mimeType, blob: data } };
};

const tooLarge = ({ status, cut }: TargetAnswer, { mimeType, bytes }: Binary): string => {
  const size = cut?.totalBytes ?? bytes.length;
  const atLeast = cut && cut.totalBytes === undefined ? 'more than ' : '';
  return (
    `${statusLine(status)}\n\nThe answer is ${mimeType} of ${atLeast}${size} bytes, which is more than ` +
    `can be passed on, and a part of it would be useless. Ask for a smaller one, if the tool's ` +
    `arguments allow it.`
  );
};

const UNTOLD_HEADERS =
  /^(?:set-cookie2?|connection|keep-alive|transfer-encoding|alt-svc|nel|report-to)$/;
const MOST_HEADER_TEXT = 16_000;

const withoutBody = ({ status, headers }: TargetAnswer, method: string): string => {
  if (method === 'HEAD') {
    const lines = Object.entries(headers)
      .filter(([name]) => !UNTOLD_HEADERS.test(name))
      .map(([name, value]) => `${name}: ${value}`);
    return [statusLine(status), ...lines].join('\n').slice(0, MOST_HEADER_TEXT).toWellFormed();
  }
  const location = headers['location'];
  const where = location === undefined ? '' : ` Its Location header is ${location}`;
  return `${statusLine(status)}: the target API answered without a body.${where}`;
};
