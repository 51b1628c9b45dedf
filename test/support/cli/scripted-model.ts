import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { PROTOCOLS } from '../../../layers/openapi/model-apis/protocols.ts';
import { listening } from '../target/listening.ts';
import { FORMS, type Script, STREAMED } from './model-answers.ts';

export interface AskedOfModel {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A model on loopback that does what it is told to, in the protocols of all vendors. */
export interface ScriptedModel {
  /** Of a host that an operator may list, without TLS. */
  readonly hostUrl: string;
  /** Arguments of a browser that takes it for all vendors. */
  readonly browserArguments: readonly string[];
  /** Since the latest script, in its order. */
  asked(): readonly AskedOfModel[];
  /** What it does with what it is asked next; the last one holds for all that is asked then. */
  script(...answers: readonly Script[]): void;
  stop(): Promise<void>;
}

export const startScriptedModel = async (): Promise<ScriptedModel> => {
  let scripts: Script[] = [];
  let asked: AskedOfModel[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*, authorization');
    // No connection is begun with that ends meanwhile.
    response.setHeader('connection', 'close');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const path = request.url ?? '';
    const sent = await text(request);
    asked.push({ path, headers: request.headers, body: JSON.parse(sent || '{}') });
    const script = (scripts.length > 1 ? scripts.shift() : scripts[0]) ?? {};
    const isStream = asked.at(-1)?.body['stream'] === true || path.includes(':stream');
    const isGood = (script.status ?? 200) === 200 && script.raw === undefined;
    if (isStream && isGood && !script.atOnce) return streamBy(script, path, response);
    answerBy(script, path, response);
  };
  const listener: RequestListener = (request, response) => void answer(request, response);
  const host = await listening(createServer(listener));
  const vendors = await listening(
    createSecureServer(
      { key: pem('localhost.key.pem'), cert: pem('localhost.cert.pem') },
      listener,
    ),
  );
  const rules = Object.values(PROTOCOLS).map(
    ({ url }) => `MAP ${new URL(url).host} 127.0.0.1:${vendors.port}`,
  );
  return {
    hostUrl: `${host.url}/openai/v1`,
    browserArguments: [
      `--host-resolver-rules=${rules.join(',')}`,
      '--ignore-certificate-errors',
      // It would not let a public name be on loopback.
      '--disable-features=LocalNetworkAccessChecks',
    ],
    asked: () => asked,
    script: (...answers) => {
      scripts = [...answers];
      asked = [];
    },
    stop: async () => {
      await Promise.all([host.stop(), vendors.stop()]);
    },
  };
};

const answerBy = (script: Script, path: string, response: ServerResponse): void => {
  const { status = 200, raw, text } = script;
  const form = FORMS[vendorAt(path)];
  const body = status === 200 ? form?.(script) : { error: { message: text } };
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(raw ?? JSON.stringify(body));
};

/** Few enough that pieces end within events, and within characters. */
const PIECE_BYTES = 5;

const streamBy = async (script: Script, path: string, response: ServerResponse): Promise<void> => {
  const events = STREAMED[vendorAt(path)]?.(script) ?? [];
  const send = async (some: readonly string[]): Promise<void> => {
    const bytes = Buffer.from(some.join(''));
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      response.write(bytes.subarray(at, at + PIECE_BYTES));
      await setImmediate();
    }
  };
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.flushHeaders();
  const half = Math.ceil(events.length / 2);
  await send(events.slice(0, half));
  const { halfway } = script;
  if (halfway === 'resets') return void response.destroy();
  if (halfway === 'ends') return void response.end();
  if (halfway && 'event' in halfway) await send([`data: ${halfway.event}\n\n`]);
  else await halfway;
  await send(events.slice(half));
  response.end();
};

/** By what it is asked for: the three have nothing in common there. */
const vendorAt = (path: string): string => {
  if (path.endsWith('/messages')) return 'anthropic';
  return path.endsWith('/chat/completions') ? 'openai' : 'google';
};

const pem = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../tls', name));
