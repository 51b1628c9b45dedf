import { member } from '../../../platform/rules/json/json.ts';
import { isSlug } from '../../../platform/rules/addresses.ts';
import { lookAlikeFault } from '../../../platform/rules/look-alike.ts';
import { parsedJson } from '../../../platform/rules/json/parsed-json.ts';

/**
 * An identity provider of a company, whose word an operator takes for who its people are.
 * Source: docs/access.md, "Enterprise-managed authorization".
 */
export interface IdentityProvider {
  readonly issuer: string;
  readonly jwksUri: string;
  /** Slugs of the deployments that its people may be let in to, where these let them in. */
  readonly deployments: 'all' | readonly string[];
  /** Domains, in lower case, of the addresses that it may speak for: those of its own people. */
  readonly emailDomains: readonly string[];
  /** Whether it names no address but verified ones, though its assertions do not say so. */
  readonly emailsAreVerified: boolean;
  /** Whether clients may show its assertions that prove nothing else. */
  readonly publicClients: boolean;
  /** Of an issuer that serves several companies: which of them. */
  readonly tenant?: string;
}

/**
 * The operator's list of identity providers.
 *
 * @param text - JSON, as `identity_providers` of `config/<stage>.json`; none if empty
 * @throws Error that says what is wrong, in words for the operator
 */
export const readIdentityProviders = (text = ''): readonly IdentityProvider[] => {
  if (text.trim() === '') return [];
  let list: unknown;
  try {
    list = parsedJson(text);
  } catch {
    throw new Error('it must be a JSON list');
  }
  if (!Array.isArray(list)) throw new Error('it must be a JSON list');
  const providers = list.map(providerIn);
  // Whose keys would count otherwise?
  if (new Set(providers.map(({ issuer }) => issuer)).size < providers.length) {
    throw new Error('an issuer is there twice');
  }
  return providers;
};

const MEMBERS: ReadonlySet<string> = new Set([
  'issuer',
  'jwks_uri',
  'deployments',
  'email_domains',
  'emails_are_verified',
  'public_clients',
  'tenant',
]);

const providerIn = (sent: unknown): IdentityProvider => {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    throw new Error('each identity provider must be an object');
  }
  const stray = Object.keys(sent).find((name) => !MEMBERS.has(name));
  if (stray !== undefined) {
    throw new Error(`${stray} is no setting of one; there are ${[...MEMBERS].join(', ')}`);
  }
  const of = sent as Readonly<Record<string, unknown>>;
  const { tenant } = of;
  if (tenant !== undefined && !isText(tenant)) throw new Error('tenant must be a text');
  return {
    issuer: addressIn(of, 'issuer'),
    jwksUri: addressIn(of, 'jwks_uri'),
    deployments: of['deployments'] === 'all' ? 'all' : listIn(of, 'deployments', isSlug, 'slugs'),
    emailDomains: listIn(
      of,
      'email_domains',
      isDomain,
      'domains in lower case, of which none looks like another',
    ),
    emailsAreVerified: switchIn(of, 'emails_are_verified'),
    publicClients: switchIn(of, 'public_clients'),
    ...(tenant !== undefined && { tenant }),
  };
};

type Sent = Readonly<Record<string, unknown>>;

const MAX_LENGTH = 2048;

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH;

/** On one's own machine http will do. */
const ADDRESS = /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/])[^\s#]+$/;

const addressIn = (sent: Sent, name: string): string => {
  const value = member(sent, name);
  if (isText(value) && ADDRESS.test(value) && URL.canParse(value)) return value;
  throw new Error(`${name} must be an https address`);
};

const DOMAIN = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

const isDomain = (value: string): boolean =>
  DOMAIN.test(value) && lookAlikeFault(value, value) === undefined;

const listIn = (
  sent: Sent,
  name: string,
  isGood: (value: string) => boolean,
  form: string,
): readonly string[] => {
  const value = member(sent, name);
  const isList = Array.isArray(value) && value.length > 0;
  if (isList && value.every((one) => typeof one === 'string' && isGood(one))) return value;
  throw new Error(`${name} must be a list of ${form}`);
};

const switchIn = (sent: Sent, name: string): boolean => {
  const value = member(sent, name) ?? false;
  if (typeof value === 'boolean') return value;
  throw new Error(`${name} must be true or false`);
};
