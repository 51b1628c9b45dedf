import { setTimeout } from 'node:timers/promises';
import {
  isKeyRefused,
  type ModelChoice,
  type ModelProtocol,
  PROTOCOLS,
  refusalIn,
  type RequestTerms,
} from '../../layers/openapi/model-apis/protocols.ts';
import { exchange } from '../api/exchange.ts';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { isJson, parsed } from '../json.ts';
import type { World } from '../world.ts';

export interface AskedModel {
  readonly protocol: ModelProtocol;
  /** Name of the model, without the vendor's prefix. */
  readonly model: string;
  readonly key: string;
  readonly url: string;
}

const TIMEOUT_SECONDS = 120;
const TRIES = 5;
const LONGEST_WAIT_SECONDS = 60;

/** @param url - of another host that speaks the vendor's protocol @throws Failure usage */
export const modelNamed = (
  { environment }: Pick<World, 'environment'>,
  named: string | undefined,
  url: string | undefined,
): AskedModel => {
  const [, vendor = '', model = ''] = /^([a-z]+)\/(.+)$/.exec(named ?? '') ?? [];
  const protocol = Object.hasOwn(PROTOCOLS, vendor) ? PROTOCOLS[vendor] : undefined;
  if (!protocol) {
    const vendors = Object.keys(PROTOCOLS).map((one) => `${one}/MODEL`);
    throw usageFailure(`--model names a vendor and its model: ${vendors.join(', ')}.`);
  }
  const key = protocol.keys.map((name) => environment[name]).find(Boolean);
  if (key === undefined) {
    throw usageFailure(
      `Set ${protocol.keys.join(' or ')} to your key of ${vendor}: it goes to ${new URL(url ?? protocol.url).host} alone.`,
    );
  }
  return { protocol, model, key, url: url ?? protocol.url };
};

/** Asks again after a moment where the vendor is busy. @throws Failure with the vendor's message, never the key */
export const choiceOf = async (
  world: Pick<World, 'fetch'>,
  { protocol, model, key, url }: AskedModel,
  terms: Omit<RequestTerms, 'key' | 'model'>,
): Promise<ModelChoice> => {
  const { path, headers, body } = protocol.request({ ...terms, model, key });
  for (let tries = 1; ; tries += 1) {
    const answer = await exchange(world.fetch, {
      method: 'POST',
      url: `${url.replace(/\/$/, '')}${path}`,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      timeoutSeconds: TIMEOUT_SECONDS,
    });
    const read = parsed(answer.text);
    if (answer.status === 200) {
      const choice = isJson(read) ? protocol.choiceIn(read) : undefined;
      if (choice) return choice;
      throw noAnswer('The model answered what nobody can read.');
    }
    const isBusy = answer.status === 429 || answer.status >= 500;
    if (!isBusy || tries === TRIES) {
      const code = isKeyRefused(answer.status) ? 'key_refused' : 'model_refused';
      throw noAnswer(refusalIn(answer.status, read, key), code);
    }
    const after = Number(answer.headers.get('retry-after') ?? Number.NaN);
    await setTimeout(1000 * Math.min(after >= 0 ? after : 2 ** tries, LONGEST_WAIT_SECONDS));
  }
};

const noAnswer = (message: string, code = 'model_refused'): Failure =>
  new Failure(EXIT.refused, code, message);
