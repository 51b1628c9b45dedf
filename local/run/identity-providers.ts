import { isObject, type JsonObject } from '../../layers/platform/rules/json/json.ts';
import { jsonOrUndefined } from '../../layers/platform/rules/json/parsed-json.ts';
import { DEMO_ID, type DemoIdp } from '../demo-idp/index.ts';
import { hadDemoState } from '../demo-idp/state.ts';
import type { Service } from './service.ts';
import { StartRefused } from './start-refused.ts';

const VARIABLE = 'HOSTED_MCP_IDENTITY_PROVIDERS';

/** Value of the variable. @returns undefined if it is not set @throws StartRefused if it is not JSON */
export const identityProvidersIn = (
  environment: Readonly<Record<string, string | undefined>>,
): unknown => {
  const text = environment[VARIABLE] ?? '';
  if (text === '') return undefined;
  const providers = jsonOrUndefined(text);
  if (providers !== undefined) return providers;
  throw new StartRefused(`${VARIABLE} cannot be used: it must be a JSON list of providers.`);
};

interface Answer {
  readonly ok: boolean;
  readonly changes?: unknown;
  readonly description?: string;
  readonly findings?: readonly { readonly where: string; readonly what: string }[];
}

/**
 * Applies a list of identity providers as an operator does. Without a list, the applied one stays, except for the
 * demonstration's provider, which is listed only while the demonstration runs.
 *
 * @throws StartRefused with everything that is wrong
 *
 * Source: docs/access.md, "Identity providers".
 */
export const applyIdentityProviders = async (
  service: Pick<Service, 'invoke'>,
  written: unknown,
  dataFolder: string,
  demo?: Pick<DemoIdp, 'clientSecret' | 'provider'>,
): Promise<void> => {
  if (written === undefined && !demo && !hadDemoState(dataFolder)) return;
  const listed = written ?? (await believed(service));
  const others = Array.isArray(listed) ? listed.filter((one) => !isDemo(one)) : listed;
  const isSame = Array.isArray(listed) && Array.isArray(others) && listed.length === others.length;
  if (written === undefined && !demo && isSame) return;
  const providers = demo && Array.isArray(others) ? [...others, demo.provider] : others;
  const from = written === undefined ? '--demo-idp' : VARIABLE;
  const prepared = await done(from, service.invoke('oauth', preparing(providers)));
  await done(from, service.invoke('maintenance', { ...prepared, operator: 'apply-providers' }));
  if (!demo) return;
  const secret = { provider: DEMO_ID, secret: demo.clientSecret };
  await done(from, service.invoke('identity', { operator: 'set-provider-secret', ...secret }));
};

const preparing = (providers: unknown) => ({ operator: 'prepare-providers', providers });

/** Compares id and address: the port may be another one than before. */
const isDemo = (provider: unknown): boolean =>
  isObject(provider) &&
  provider['id'] === DEMO_ID &&
  String(provider['issuer']).startsWith('http://127.0.0.1:');

/** The applied list as an operator would write it. Endpoints are left out, since they are read from metadata again. */
const believed = async (service: Pick<Service, 'invoke'>): Promise<readonly JsonObject[]> => {
  const { providers } = (await service.invoke('oauth', { operator: 'show-providers' })) as {
    readonly providers: readonly JsonObject[];
  };
  return providers.map((provider) =>
    Object.fromEntries(Object.entries(provider).filter(([name]) => name !== 'endpoints')),
  );
};

const done = async (from: string, answering: Promise<unknown>): Promise<object> => {
  const { ok, changes: _, ...answer } = (await answering) as Answer;
  if (ok) return answer;
  const { description, findings = [] } = answer;
  const faults = findings.map(({ where, what }) => `\n  at ${where || 'the list'}: ${what}`);
  throw new StartRefused(`${from} cannot be used: ${description}${faults.join('')}`);
};
