import { type Random, randomOf } from '../support/random.ts';
import { countsOf, type Fuzzed } from './counts.ts';

/** A request of one case. */
export interface FuzzedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface FuzzedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

const HANGS_AFTER_MS = 20_000;
/** Of the whole process, the service's threads and ours: nobody may hold a function longer. */
const MOST_CPU_MS = 2000;

/**
 * Sends so many requests one after the other to a service in this process.
 *
 * @param outcomeOf - how a case ended, in a word; what begins with `FAULT` is no good end
 */
export const fuzzOverHttp = async (
  subject: string,
  count: number,
  seed: number,
  requestFor: (random: Random) => FuzzedRequest,
  outcomeOf: (answer: FuzzedAnswer, request: FuzzedRequest) => string,
): Promise<Fuzzed> => {
  const counts = countsOf(subject, seed);
  for (let index = 0; index < count; index += 1) {
    const request = requestFor(randomOf(Math.imul(seed, 0x9e3779b1) + index));
    const started = process.cpuUsage();
    const outcome = await sent(request).then(
      (answer) => outcomeOf(answer, request),
      (error: Error) => `FAULT ${error.message}`,
    );
    const { user, system } = process.cpuUsage(started);
    const ms = (user + system) / 1000;
    counts.took(ms, index);
    const what = ms > MOST_CPU_MS ? `FAULT took more than ${MOST_CPU_MS} ms` : outcome;
    if (what.startsWith('FAULT')) {
      const detail = `${request.method} ${request.url}\n${JSON.stringify(request.headers)}`;
      const input = Buffer.from(request.body ?? '');
      counts.failed({ index, what, detail, input });
    } else counts.ended(what);
  }
  return counts.fuzzed(count);
};

const sent = async ({ url, method, headers, body }: FuzzedRequest): Promise<FuzzedAnswer> => {
  const answer = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    signal: AbortSignal.timeout(HANGS_AFTER_MS),
  });
  const contentType = answer.headers.get('content-type') ?? '';
  return { status: answer.status, contentType, text: await answer.text() };
};
