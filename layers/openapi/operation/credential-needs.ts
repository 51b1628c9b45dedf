import {
  canBeMet,
  type CredentialNeed,
  type CredentialWay,
  type DescribedClient,
} from '../credential-needs.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { isObject, type Json, member, textMember } from '../../platform/rules/json/json.ts';
import { type Description, type FoundOperation, resolved } from '../document.ts';
import { finding } from '../intake/findings.ts';
import type { DeclaredKey } from './declared-keys.ts';

/** Kinds of needs, the most frequent first; ways of each; characters of a name. */
const MOST_NEEDS = 20;
const MOST_WAYS = 10;
const MOST_TEXT = 100;
const MOST_SCOPES = 20;
const MOST_URL = 500;

/** Schemes of HTTP whose header is made of the request, or takes several requests. */
const COMPUTED =
  /^(?:aws.*|digest|dpop|gnap|hawk|hmac.*|hoba|mutual|negotiate|ntlm|oauth|scram-.*|signature|vapid)$/;

/** One scheme of a description: what the service can send for it, or why it cannot. */
type Scheme =
  | { readonly way: CredentialWay; readonly expires?: true; readonly client?: DescribedClient }
  | { readonly other: string };

/**
 * What the chosen operations ask of a credential, by what they ask; those that go without are left out.
 *
 * Source: OpenAPI 3.1.1, "Security Requirement Object", "Security Scheme Object"; OpenAPI 2.0, "Security
 * Definitions Object".
 */
export const credentialNeeds = (
  { root }: Description,
  operations: readonly FoundOperation[],
  /** Where most of them go: addresses of the description may be relative to it. */
  baseUrl: string,
  keysOf: (found: FoundOperation) => readonly DeclaredKey[] = () => [],
): readonly CredentialNeed[] => {
  const components = member(root, 'components');
  const declared = [
    isObject(components) ? member(components, 'securitySchemes') : undefined,
    member(root, 'securityDefinitions'),
  ].filter(isObject);
  const read = new Map<string, Scheme | undefined>();
  /** Each is read once: what all operations refer to may be long. */
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
  /** By its requirements, which all operations may share. */
  const known = new Map<Json | undefined, Need | undefined>();
  const needOf = (security: Json | undefined): Need | undefined => {
    if (!known.has(security)) known.set(security, readNeed(security, schemeOf));
    return known.get(security);
  };
  const needs = new Map<string, CredentialNeed>();
  /** What tokens have to allow for the operations of each. */
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

/** Warns of operations whose calls fail whatever the owner sets. */
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

/** What tokens are to allow: what operations want, or else all that the description knows. */
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
  /** Scopes that its OAuth client has to have. */
  readonly scopes?: readonly string[];
  readonly need: Omit<CredentialNeed, 'example' | 'operations'>;
}

/** What is asked for by parameters alone. */
const keyNeed = (keys: readonly DeclaredKey[]): Need | undefined => {
  if (keys.length === 0) return undefined;
  const ways = keys
    .slice(0, MOST_WAYS)
    .map(({ name, in: place }) => ({ type: 'api_key', name: text(name), in: place }) as const);
  const need = { ways, others: [] };
  return { key: JSON.stringify(need), need };
};

/** @returns undefined where nothing is asked for, or nothing that can be understood */
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
    const required = isObject(alternative) ? alternative : {};
    const schemes = Object.keys(required).map(schemeOf);
    // One that asks for nothing, and one that names no scheme: the API takes calls as they are, for all we know.
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
 * The client of its own that a scheme gives tokens to.
 *
 * Source: OpenAPI 3.1.1, "OAuth Flows Object", "Relative References in API URLs"; OpenAPI 2.0, "Security Scheme Object";
 * OpenID Connect Discovery 1.0 §4.
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

/** @returns undefined for what is no address of the web */
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

/** `Authorization: Bearer` is a header with the word before its value: no header's name has a colon or a blank. */
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

/** A scheme of another name is a word before the value, which whoever sets the header can write. */
const readHttp = (scheme: string): Scheme => {
  if (scheme === 'bearer' || scheme === 'basic') return { way: { type: scheme } };
  if (COMPUTED.test(scheme)) return { other: text(scheme) };
  return { way: { type: 'api_key', name: 'Authorization', in: 'header' } };
};

/** Safe to show. */
const text = (shown: string): string => finding('', shown, '').what.slice(0, MOST_TEXT);

/**
 * Tells the parameters that carry the API's credential: those of every `apiKey` scheme of the
 * description. The service fills them in, so no tool shows them.
 *
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

/** Header names have no case. */
const identity = (name: string, location: string): string =>
  `${location} ${location === 'header' ? name.toLowerCase() : name}`;
