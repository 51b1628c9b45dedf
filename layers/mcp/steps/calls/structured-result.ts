import type { AnswerContent } from '../../../tools/answer/answer-content.ts';
import type { ToolResult } from '../../../tools/answer/tool-result.ts';
import { readInstructions } from '../../../tools/answer/continuation-note.ts';
import { textParts, MOST_RESULT_BYTES } from '../../../tools/answer/result-continuation.ts';
import {
  structuredContent,
  structuredExcerpt,
  structuredNote,
} from '../../../tools/answer/structured-content.ts';
import type { ToolOutput } from '../../../openapi/tool-output.ts';
import type { RpcCall } from '../rpc-call.ts';
import { type StoredAnswer, storeParts } from './stored-replies.ts';
import type { PortsOf } from '../../../platform/ports.ts';

interface Answered {
  readonly content: AnswerContent;
  readonly result: ToolResult;
  readonly kept: StoredAnswer | undefined;
}

/**
 * JSON text of a result with `structuredContent`; its `content` is the same as without. Source: MCP 2025-06-18,
 * "Tools", "Structured Content"; docs/tools.md, "Structured results".
 */
export const structuredResult = async (
  ports: PortsOf<typeof storeParts>,
  call: RpcCall,
  output: ToolOutput,
  answered: Answered,
): Promise<string> => {
  const { content, result } = answered;
  const { headers, held, said } = content;
  const text = JSON.stringify({ ...result, ...(headers && { _meta: { [HEADERS]: headers } }) });
  if (result.isError) return text;
  if (held.kind === 'excerpt') return joined(text, excerptOn(output, held, answered));
  if (held.kind !== 'whole') return joined(text, noteOn(output, answered));

  const structured =
    said === undefined
      ? structuredContent(output, held.text)
      : structuredExcerpt(output, held.text, said);
  if (fitTogether(text, structured)) return joined(text, structured);
  const kept = await storeParts(ports, call, () => textParts(held.text, 0));
  const note = kept
    ? `${TOO_LONG_TWICE} The whole answer is kept ${readInstructions(kept.key)}`
    : TOO_LONG_TWICE;
  return joined(text, structuredNote(output, after(said, note), kept?.key.uris ?? []));
};

const excerptOn = (
  output: ToolOutput,
  held: Extract<AnswerContent['held'], { kind: 'excerpt' }>,
  { content: { rest, said }, kept }: Answered,
): string => {
  const note = after(said, (kept && rest?.note(kept.key)) ?? held.note);
  const parts = kept?.key.uris ?? [];
  return held.isJson
    ? structuredExcerpt(output, held.shown, note, parts)
    : structuredNote(output, note, parts);
};

const noteOn = (output: ToolOutput, { content, kept }: Answered): string => {
  const { held, rest, said } = content;
  if (held.kind === 'whole') throw new Error('a whole answer needs no note');
  const note = after(said, (kept && rest?.note(kept.key)) ?? held.note);
  const parts = held.kind === 'cut' ? (kept?.key.uris ?? []) : undefined;
  return structuredNote(output, note, parts);
};

/**
 * Member of `_meta` with the answer's headers, for clients that show models only structured content. Source: MCP
 * 2025-06-18, "Overview", "_meta"; docs/tools.md, "Headers of answers".
 */
const HEADERS = 'hosted-mcp/headers';

const after = (said: string | undefined, note: string): string =>
  said === undefined ? note : `${said} ${note}`;

const TOO_LONG_TWICE =
  'The answer is too long to be in one result twice. It is in the content, as text.';

const joined = (result: string, structured: string): string =>
  `${result.slice(0, -1)},"structuredContent":${structured}}`;

/** In characters, each of which may become seven bytes when escaped twice. */
const SURELY_FIT = MOST_RESULT_BYTES / 7;

const fitTogether = (result: string, structured: string): boolean =>
  result.length + structured.length <= SURELY_FIT ||
  wireBytes(result) + wireBytes(structured) <= MOST_RESULT_BYTES;

/** Size within the Lambda response, where the body is a JSON string, too. */
const wireBytes = (json: string): number => Buffer.byteLength(JSON.stringify(json));
