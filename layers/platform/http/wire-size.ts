import { RpcRefusal } from '../rules/refusal/rpc-refusal.ts';
import { errorText, type RpcId } from '../rules/json-rpc/answer.ts';

/**
 * A function may return 6 MB of JSON in which our body is a string: its quotes and backslashes
 * count twice there, unless the body goes as base64. 64 KiB are left for the rest.
 *
 * Source: docs/protocol.md, "Bytes and sizes".
 */
const MAX_BYTES = 6 * 1024 * 1024 - 64 * 1024;

/** No character of a JSON text takes more bytes than this, escaped or in UTF-8. */
const MOST_BYTES_PER_CHARACTER = 3;

export interface Answer {
  readonly id: RpcId | null;
  /** JSON text. */
  readonly text: string;
}

/** The answers, those that no longer fit replaced by an error that says so. */
export const withinBudget = (answers: readonly Answer[]): readonly Answer[] => {
  const characters = answers.reduce((sum, { text }) => sum + text.length, 0);
  if (surelyFits(characters)) return answers;

  let used: WireSize = { escaped: 0, plain: 0 };
  return answers.map((answer) => {
    const size = sizeOf(answer.text);
    const together = { escaped: used.escaped + size.escaped, plain: used.plain + size.plain };
    if (!fits(together)) return { id: answer.id, text: errorText(answer.id, tooLarge()) };
    used = together;
    return answer;
  });
};

/** @throws RpcRefusal server_error if a text is too large to be sent */
export const checkFits = (text: string): void => {
  if (!surelyFits(text.length) && !fits(sizeOf(text))) throw tooLarge();
};

/** Whether a body takes less room in the function's answer as base64 than as a string. */
export const isSmallerAsBase64 = (body: string): boolean => {
  if (surelyFits(body.length)) return false;
  const { escaped, plain } = sizeOf(body);
  return base64Length(plain) < escaped;
};

/** UTF-8 bytes of a text that can be sent whatever stands in it: as base64, if its escapes take more. */
export const MOST_BODY_BYTES = Math.floor(MAX_BYTES / 4) * 3;

/** Whether a body can be sent as it is. */
export const isSendable = (body: string, isBase64Encoded: boolean): boolean =>
  surelyFits(body.length) || (isBase64Encoded ? body.length : sizeOf(body).escaped) <= MAX_BYTES;

interface WireSize {
  readonly escaped: number;
  readonly plain: number;
}

/** Spares small answers the measuring. */
const surelyFits = (characters: number): boolean =>
  characters * MOST_BYTES_PER_CHARACTER <= MAX_BYTES;

const sizeOf = (text: string): WireSize => ({
  escaped: Buffer.byteLength(JSON.stringify(text)),
  plain: Buffer.byteLength(text),
});

const fits = ({ escaped, plain }: WireSize): boolean =>
  Math.min(escaped, base64Length(plain)) <= MAX_BYTES;

const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

const tooLarge = () =>
  new RpcRefusal(
    'server_error',
    'The answer is larger than the 6 MB that can be sent. Ask for less: fewer items, a page, a filter.',
    { reason: 'answer_too_large' },
  );
