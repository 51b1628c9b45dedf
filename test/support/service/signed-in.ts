import { gzipSync } from 'node:zlib';
import type { Person, WholeService } from './whole-service.ts';

export interface ApiAnswered {
  readonly status: number;
  readonly headers: Headers;
  /** Empty where the answer is no JSON. */
  readonly body: Readonly<Record<string, unknown>>;
  /** As text, in characters. */
  readonly length: number;
  /** Of processor time, of all threads. */
  readonly ms: number;
}

/** Somebody with a session, who sends the management API what is large packed. */
export interface SignedIn {
  readonly person: Person;
  send(
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<ApiAnswered>;
}

/** Characters; what takes no packed body is shorter. */
const PACKED = 500_000;

export const signedIn = async (service: WholeService): Promise<SignedIn> => {
  const person = await service.person();
  let authorization: string | undefined;
  const send: SignedIn['send'] = async (method, path, body, headers = {}) => {
    const text = body && JSON.stringify(body);
    const sent = text !== undefined && text.length > PACKED ? gzipSync(text) : text;
    const before = process.cpuUsage();
    const answer = await service.fetch(`${service.baseUrl}/mcp-management${path}`, {
      method,
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(sent !== undefined && {
          'content-type': typeof sent === 'string' ? 'application/json' : 'application/gzip',
        }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent }),
    });
    const answered = await answer.text();
    const { user, system } = process.cpuUsage(before);
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    return {
      status: answer.status,
      headers: answer.headers,
      body: isJson ? JSON.parse(answered) : {},
      length: answered.length,
      ms: (user + system) / 1000,
    };
  };
  const { email, password } = person;
  const { body } = await send('POST', '/sessions', { email, password });
  authorization = `Bearer ${String(body['access_token'])}`;
  return { person, send };
};
