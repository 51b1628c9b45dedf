import { readFile } from 'node:fs/promises';

/** What one client sent to a public deployment, as far as it matters: requests alike are there once. */
export interface RecordedClient {
  readonly client: string;
  readonly version: string;
  readonly requests: readonly RecordedRequest[];
}

export interface RecordedRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: { readonly method: string; readonly id?: string | number };
}

/** Recorded from clients as people install them, in November 2026, connected to the local run. */
export const RECORDED_CLIENTS: readonly RecordedClient[] = JSON.parse(
  await readFile(new URL('../../conformance/recorded-clients.json', import.meta.url), 'utf8'),
);

/** Sends what was recorded to a deployment. @returns what such a client looks at */
export const replayed = async (url: string, { method, headers, body }: RecordedRequest) => {
  const sent = body && { body: JSON.stringify(body) };
  const answer = await fetch(url, { method, headers, ...sent });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: answer.status, text, message: isJson ? JSON.parse(text) : undefined };
};
