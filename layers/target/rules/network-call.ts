import * as z from 'zod/mini';
import { exactly, type ValueOf } from '../../platform/rules/shape.ts';
import type { NoAnswerReason, TargetAnswer, TargetRequest } from './target.ts';

/** Payload with which the router invokes the function of a private network. */
export interface NetworkCall {
  /** Selects the kept-alive connections. */
  readonly deploymentId: string;
  readonly request: TargetRequest;
  /** Milliseconds that the router has left. */
  readonly ms: number;
}

export type NetworkAnswer =
  | { readonly answer: TargetAnswer }
  | { readonly reason: NoAnswerReason; readonly why: string };

/** Limit for payloads of Lambda. Source: AWS Lambda, "Lambda quotas". */
const MOST_PAYLOAD_BYTES = 6 * 1024 * 1024;

/** Reserved for an answer's headers and the JSON around it. */
const FOR_THE_HEAD_BYTES = 128 * 1024;

/** An answer's body that fits into a payload in base64. */
export const MOST_ANSWER_BYTES = Math.floor(((MOST_PAYLOAD_BYTES - FOR_THE_HEAD_BYTES) * 3) / 4);

export const isTooLarge = (payload: object): boolean =>
  Buffer.byteLength(JSON.stringify(payload)) > MOST_PAYLOAD_BYTES;

const text = z.string();
const texts = z.record(text, text);

/**
 * The members of a request that JSON can express, all by name: a new member must be added here. Signing keys stay in
 * the router.
 */
const RequestHead = exactly<Omit<TargetRequest, 'body' | 'network' | 'signature'>>()(
  z.object({
    method: text,
    url: text,
    headers: texts,
    headerLines: z.exactOptional(z.record(text, z.array(text))),
    isSigned: z.exactOptional(z.literal(true)),
    clientCertificate: z.exactOptional(z.object({ certificate: text, privateKey: text })),
    credentialOrigins: z.exactOptional(z.array(text)),
    certificateAuthorities: z.exactOptional(z.array(text)),
  }),
);

const AnswerHead = exactly<Omit<TargetAnswer, 'body'>>()(
  z.object({
    status: z.int(),
    headers: texts,
    cut: z.exactOptional(
      z.object({
        by: z.exactOptional(z.enum(['time', 'connection'])),
        totalBytes: z.exactOptional(z.number()),
        missingBytes: z.exactOptional(z.number()),
      }),
    ),
    redirected: z.exactOptional(
      z.object({
        status: z.int(),
        method: text,
        url: text,
        isGet: z.exactOptional(z.literal(true)),
      }),
    ),
  }),
);

export const CallEvent = z.strictObject({
  deploymentId: text.check(z.regex(/^[\w-]{1,64}$/)),
  request: RequestHead,
  /** Text, or else bytes in base64. */
  body: z.exactOptional(text),
  bytes: z.exactOptional(text),
  ms: z.number().check(z.minimum(1)),
});

export const AnswerEvent = z.union([
  z.object({ answer: AnswerHead, bytes: text }),
  z.object({ reason: text, why: text }),
]);

export const callEvent = ({ request, ...call }: NetworkCall): ValueOf<typeof CallEvent> => {
  const { body, network: _, signature: __, ...head } = request;
  return {
    ...call,
    request: head,
    ...(typeof body === 'string' && { body }),
    ...(body instanceof Uint8Array && { bytes: Buffer.from(body).toString('base64') }),
  };
};

/** @throws Error for an event that is not the router's; it quotes nothing of it */
export const readCall = (event: unknown): NetworkCall => {
  const read = z.safeParse(CallEvent, event);
  if (!read.success) throw new Error('the event is none of the router');
  const { request, body, bytes, ...call } = read.data;
  const sent = bytes === undefined ? body : Buffer.from(bytes, 'base64');
  return { ...call, request: { ...request, ...(sent !== undefined && { body: sent }) } };
};

export const answerEvent = (given: NetworkAnswer): ValueOf<typeof AnswerEvent> => {
  if (!('answer' in given)) return given;
  const { body, ...answer } = given.answer;
  return { answer, bytes: Buffer.from(body).toString('base64') };
};

export const readAnswer = (sent: ValueOf<typeof AnswerEvent>): NetworkAnswer =>
  'answer' in sent
    ? { answer: { ...sent.answer, body: Buffer.from(sent.bytes, 'base64') } }
    : (sent as NetworkAnswer);
