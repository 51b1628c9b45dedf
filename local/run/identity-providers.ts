import { jsonOrUndefined } from '../../layers/platform/rules/json/parsed-json.ts';
import type { Service } from './service.ts';
import { StartRefused } from './start-refused.ts';

const VARIABLE = 'HOSTED_MCP_IDENTITY_PROVIDERS';

/** What the variable says. @returns undefined if it is not set @throws StartRefused if it is not JSON */
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
  readonly description?: string;
  readonly findings?: readonly { readonly where: string; readonly what: string }[];
}

/**
 * Applies a list of identity providers as an operator does. Without one, what was applied stays.
 *
 * @throws StartRefused with everything that is wrong
 *
 * Source: docs/access.md, "Identity providers".
 */
export const applyIdentityProviders = async (
  service: Pick<Service, 'invoke'>,
  providers: unknown,
): Promise<void> => {
  if (providers === undefined) return;
  const prepared = await done(
    service.invoke('oauth', { operator: 'prepare-providers', providers }),
  );
  await done(service.invoke('maintenance', { ...prepared, operator: 'apply-providers' }));
};

const done = async (answering: Promise<unknown>): Promise<object> => {
  const {
    ok,
    changes: _,
    ...answer
  } = (await answering) as Answer & {
    readonly changes?: unknown;
  };
  if (ok) return answer;
  const { description, findings = [] } = answer;
  const faults = findings.map(({ where, what }) => `\n  at ${where || 'the list'}: ${what}`);
  throw new StartRefused(`${VARIABLE} cannot be used: ${description}${faults.join('')}`);
};
