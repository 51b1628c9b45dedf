import {
  canBeMet,
  type CredentialNeed,
  type CredentialWay,
  type DescribedClient,
} from '../credential-needs.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { isObject, type Json, member, textMember } from '../../platform/rules/json/json.ts';
import { objectOf } from '../../platform/rules/json/members.ts';
import { type Description, type FoundOperation, resolved } from '../document.ts';
import { finding } from '../intake/findings.ts';
import type { DeclaredKey } from './declared-keys.ts';

/** Limits: kinds of needs, alternatives of each, characters of a name. */
const MOST_NEEDS = 20;
const MOST_WAYS = 10;
const MOST_TEXT = 100;
const MOST_SCOPES = 20;
const MOST_URL = 500;

/** HTTP schemes whose header is computed from the request, or takes several requests. */
const COMPUTED =
  /^(?:aws.*|digest|dpop|gnap|hawk|hmac.*|hoba|mutual|negotiate|ntlm|oauth|scram-.*|signature|vapid)$/;

/** A security scheme: the credential that fits, or why none does. */
type Scheme =
  | { readonly way: CredentialWay; readonly expires?: true; readonly client?: DescribedClient }
  | { readonly other: string };

/**
 * Groups the chosen operations by the credential that they need; those without are omitted.
 * Source: OpenAPI 3.1.1, "Security Requirement Object", "Security Scheme Object"; OpenAPI 2.0, "Security Definitions
 * Object".
 */
export const credentialNeeds = (
  { root }: Description,
  operations: readonly FoundOperation[],
  /** Base of relative URLs: where most operations go. */
  baseUrl: string,
  keysOf: (found: FoundOperation) => readonly DeclaredKey[] = () => [],
): readonly CredentialNeed[] => {
  const components = member(root, 'components');
  const declared = [
    isObject(components) ? member(components, 'securitySchemes') : undefined,
    member(root, 'securityDefinitions'),
  ].filter(isObject);
  const read = new Map<string, Scheme | undefined>();
  /** Cached: all operations may refer to the same long scheme. */
  const schemeOf = (name: string): Scheme | undefined => {
    if (!read.has(name)) read.set(name, findScheme(name));
    return read.get(name);
  };
  const findScheme = (name: string): Scheme | undefined => {
    for (const schemes of declared) {
      const scheme = member(schemes, name);
      const found = scheme === undefined ? undefined : resolved(root, scheme);
      if (isObject(found)) return readScheme(found, baseUrl);
    }
    return undefined;
  };
  /** Cache by requirement object, which all operations may share. */
  const known = new Map<Json | undefined, Need | undefined>();
  const needOf = (security: Json | undefined): Need | undefined => {
    if (!known.has(security)) known.set(security, readNeed(security, schemeOf));
    return known.get(security);
  };
  const needs = new Map<string, CredentialNeed>();
  const allows = new Map<string, Set<string>>();
  for (const found of operations) {
    const { method, path, operation } = found;
    const need =
      needOf(member(operation, 'security') ?? member(root, 'security')) ?? keyNeed(keysOf(found));
    if (!need) continue;
    const before = needs.get(need.key);
    needs.set(need.key, {
      ...(before ?? { ...need.need, example: text(`${method} ${path}`) }),
      operations: (before?.operations ?? 0) + 1,
    });
    const allowed = allows.get(need.key) ?? new Set();
    for (const scope of need.scopes ?? []) if (allowed.size < MOST_SCOPES) allowed.add(scope);
    allows.set(need.key, allowed);
  }
  return [...needs.entries()]
    .map(([key, need]) => withScopes(need, allows.get(key)))
    .toSorted((one, other) => other.operations - one.operations)
    .slice(0, MOST_NEEDS);
};

export const unmeetable = (needs: readonly CredentialNeed[]): readonly Finding[] => {
  const unmet = needs.filter((need) => !canBeMet(need));
  if (unmet.length === 0) return [];
  const count = unmet.reduce((sum, { operations }) => sum + operations, 0);
  const ways = [...new Set(unmet.flatMap(({ others }) => others))].join(', ');
  const example = unmet[0]?.example ?? '';
  return [
    finding(
      '/components/securitySchemes',
      `${count === 1 ? `1 operation (${example}) wants` : `${count} operations (such as ${example}) want`} a way to sign in that no credential here has: ${ways}`,
      'Leave them out, or have the API take a bearer token, an API key or a user name and password.',
    ),
  ];
};

/** Scopes for tokens: those that operations require, else all that the scheme declares. */
const withScopes = (
  need: CredentialNeed,
  wanted: ReadonlySet<string> = new Set(),
): CredentialNeed => {
  if (!need.client) return need;
  const { scopes: known = [], ...client } = need.client;
  const scopes = wanted.size > 0 ? [...wanted] : known;
  return { ...need, client: { ...client, ...(scopes.length > 0 && { scopes }) } };
};

interface Need {
  readonly key: string;
  readonly scopes?: readonly string[];
  readonly need: Omit<CredentialNeed, 'example' | 'operations'>;
}

const keyNeed = (keys: readonly DeclaredKey[]): Need | undefined => {
  if (keys.length === 0) return undefined;
  const ways = keys
    .slice(0, MOST_WAYS)
    .map(({ name, in: place }) => ({ type: 'api_key', name: text(name), in: place }) as const);
  const need = { ways, others: [] };
  return { key: JSON.stringify(need), need };
};

/** @returns undefined where no credential is needed, or the requirement is unclear */
const readNeed = (
  security: Json | undefined,
  schemeOf: (name: string) => Scheme | undefined,
): Need | undefined => {
  if (!Array.isArray(security) || security.length === 0) return undefined;
  const ways = new Map<string, CredentialWay>();
  const together = new Map<string, readonly CredentialWay[]>();
  const others = new Set<string>();
  let expires = false;
  let client: DescribedClient | undefined;
  let scopes: readonly string[] = [];
  for (const alternative of security) {
    const required = objectOf(alternative);
    const schemes = Object.keys(required).map(schemeOf);
    // An empty requirement or an undeclared scheme: presumably, calls work without.
    if (schemes.length === 0 || schemes.includes(undefined)) return undefined;
    const all = (schemes as Scheme[]).flatMap((scheme) =>
      'other' in scheme ? [scheme.other] : [],
    );
    const sent = (schemes as Scheme[]).flatMap((scheme) => ('way' in scheme ? [scheme] : []));
    const distinct = [...new Map(sent.map((scheme) => [keyOf(scheme.way), scheme])).values()];
    const [only, second] = distinct;
    if (all.length > 0) for (const other of all) others.add(other);
    else if (only && second) {
      const all = distinct.map(({ way }) => way);
      together.set(JSON.stringify(all), all);
      if (distinct.some((scheme) => scheme.expires)) expires = true;
    } else if (only) {
      ways.set(keyOf(only.way), only.way);
      if (only.expires) expires = true;
      if (only.client && client === undefined) {
        client = only.client;
        scopes = scopesIn(Object.values(required).flat()).slice(0, MOST_SCOPES);
      }
    }
  }
  const need = {
    ways: [...ways.values()].slice(0, MOST_WAYS),
    ...(together.size > 0 && { together: [...together.values()].slice(0, MOST_WAYS) }),
    ...(expires && { expires: true as const }),
    ...(client && { client }),
    others: [...others].slice(0, MOST_WAYS),
  };
  return { key: JSON.stringify(need), need, scopes };
};

/** Source: RFC 6749 §3.3. */
const scopesIn = (values: readonly unknown[]): readonly string[] =>
  values.filter(
    (scope): scope is string =>
      typeof scope === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/.test(scope),
  );

const keyOf = (way: CredentialWay): string => JSON.stringify(way);

const readScheme = (scheme: Readonly<Record<string, Json>>, baseUrl: string): Scheme => {
  const type = textMember(scheme, 'type');
  const authType = textMember(scheme, 'x-amazon-apigateway-authtype');
  if (/^awssigv4$/i.test(authType)) return { way: { type: 'aws' } };
  switch (type) {
    case 'basic':
      return { way: { type: 'basic' } };
    case 'oauth2':
    case 'openIdConnect': {
      const client = describedClient(scheme, baseUrl);
      return { way: { type: 'bearer' }, expires: true, ...(client && { client }) };
    }
    case 'mutualTLS':
      return { way: { type: 'mutual_tls' } };
    case 'apiKey':
      return readKey(scheme);
    case 'http':
      return readHttp(textMember(scheme, 'scheme').toLowerCase());
    default:
      return { other: text(type || 'an unknown scheme') };
  }
};

/**
 * OAuth client for client credentials, as a scheme describes it.
 * Source: OpenAPI 3.1.1, "OAuth Flows Object", "Relative References in API URLs"; OpenAPI 2.0, "Security Scheme
 * Object"; OpenID Connect Discovery 1.0 §4.
 */
const describedClient = (
  scheme: Readonly<Record<string, Json>>,
  baseUrl: string,
): DescribedClient | undefined => {
  const discovery = absolute(textMember(scheme, 'openIdConnectUrl'), baseUrl);
  if (discovery?.endsWith(WELL_KNOWN)) return { issuer: discovery.slice(0, -WELL_KNOWN.length) };
  const flows = member(scheme, 'flows');
  const flow = isObject(flows)
    ? member(flows, 'clientCredentials')
    : textMember(scheme, 'flow') === 'application'
      ? scheme
      : undefined;
  if (!isObject(flow)) return undefined;
  const tokenUrl = absolute(textMember(flow, 'tokenUrl'), baseUrl);
  const known = member(flow, 'scopes');
  const scopes = scopesIn(isObject(known) ? Object.keys(known) : []).slice(0, MOST_SCOPES);
  return {
    ...(tokenUrl !== undefined && { tokenUrl }),
    ...(scopes.length > 0 && { scopes }),
  };
};

const WELL_KNOWN = '/.well-known/openid-configuration';

/** @returns undefined for other URLs than http and https */
const absolute = (url: string, baseUrl: string): string | undefined => {
  if (url === '' || url.length > MOST_URL) return undefined;
  const { protocol = '', href } = URL.parse(url, baseUrl) ?? {};
  return /^https?:$/.test(protocol) ? href : undefined;
};

const readKey = (scheme: Readonly<Record<string, Json>>): Scheme => {
  const place = textMember(scheme, 'in');
  const { name, word } = keyName(textMember(scheme, 'name'), place);
  if (name.toLowerCase() === 'authorization' && word === 'bearer') return { way: { type: word } };
  if (name === '' || name.length > MOST_TEXT || !/^(?:header|query|cookie)$/.test(place)) {
    return { other: 'an API key without a name or place' };
  }
  return { way: { type: 'api_key', name: text(name), in: place as 'header' | 'query' | 'cookie' } };
};

/** Splits names such as `Authorization: Bearer` into header and prefix: no header name contains a colon or blank. */
const keyName = (
  written: string,
  place: string,
): { readonly name: string; readonly word: string } => {
  if (place !== 'header') return { name: written, word: '' };
  const trimmed = written.trim();
  const [name = '', word = ''] = trimmed.split(/[\s:]+/, 2);
  if (name.toLowerCase() === 'authorization') return { name, word: word.toLowerCase() };
  return { name: trimmed.endsWith(':') ? trimmed.slice(0, -1).trimEnd() : trimmed, word: '' };
};

/** An HTTP scheme other than Basic and Bearer becomes an API key, before which the owner can write the scheme. */
const readHttp = (scheme: string): Scheme => {
  if (scheme === 'bearer' || scheme === 'basic') return { way: { type: scheme } };
  if (COMPUTED.test(scheme)) return { other: text(scheme) };
  return { way: { type: 'api_key', name: 'Authorization', in: 'header' } };
};

/** Text that is safe to show: bounded, without control characters. */
const text = (shown: string): string => finding('', shown, '').what.slice(0, MOST_TEXT);

/**
 * Tells which parameters carry the credential of an `apiKey` scheme: the service, not a model, fills them in.
 * Source: docs/tools.md, "Parameters as arguments"; OpenAPI 3.1.1 §4.8.27.
 */
export const credentialParameters = ({
  root,
}: Description): ((name: string, location: string) => boolean) => {
  const components = member(root, 'components');
  const declared = [
    member(root, 'securityDefinitions'),
    isObject(components) ? member(components, 'securitySchemes') : undefined,
  ];
  const keys = new Set(
    declared
      .filter(isObject)
      .flatMap((schemes) => Object.values(schemes))
      .map((scheme) => resolved(root, scheme))
      .filter(isObject)
      .filter((scheme) => scheme['type'] === 'apiKey')
      .map((scheme) => ({ place: textMember(scheme, 'in'), written: textMember(scheme, 'name') }))
      .map(({ place, written }) => identity(keyName(written, place).name, place)),
  );
  return (name, location) => keys.has(identity(name, location));
};

/** Header names are case-insensitive. */
const identity = (name: string, location: string): string =>
  `${location} ${location === 'header' ? name.toLowerCase() : name}`;
