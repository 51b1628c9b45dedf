import { applicableCredentials, type DeploymentCredential } from './deployment-credential.ts';
import { lookAlikeFindings } from '../../platform/rules/look-alike.ts';
import { originOf } from '../../platform/rules/origin.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { finding } from '../../platform/rules/refusal/finding.ts';
import type { Operation, ToolIndex } from '../../openapi/tool-index.ts';
import { isUnencrypted } from '../../target/rules/target.ts';

const MAX_ORIGINS = 20;
const MAX_ORIGIN_CHARACTERS = 300;

/** Origins of the servers that a version's operations are sent to, each once. Source: RFC 6454 §4. */
export const originsOf = ({ tools }: ToolIndex): readonly string[] => [
  ...new Set(tools.map(({ operation }) => originOf(operation.serverUrl))),
];

/** Normalizes origins: lower case, without a port that the scheme implies. */
export const readOrigins = (
  given: readonly string[],
): { readonly origins: readonly string[]; readonly findings: readonly Finding[] } => {
  const origins = [...new Set(given.map(normalized))].filter((origin) => origin !== undefined);
  const faulty = given.flatMap((text, index) => {
    const where = `/origins/${index}`;
    const origin = normalized(text);
    if (origin === undefined) {
      return [finding(where, 'no origin', 'Write scheme and host: https://api.example.com')];
    }
    return lookAlikeFindings(where, text);
  });
  return { origins, findings: [...faulty.slice(0, MAX_ORIGINS), ...countFindings(given)] };
};

const countFindings = (given: readonly string[]): readonly Finding[] => {
  const hint = `Name between 1 and ${MAX_ORIGINS} origins that the credential is meant for.`;
  if (given.length === 0) return [finding('/origins', 'empty', hint)];
  if (given.length <= MAX_ORIGINS) return [];
  return [finding('/origins', `${given.length} origins, which are too many`, hint)];
};

const normalized = (text: string): string | undefined => {
  const url = text.length <= MAX_ORIGIN_CHARACTERS ? URL.parse(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const isBare = url.href === `${url.origin}/`;
  return isBare ? url.origin : undefined;
};

type MeantFor = Pick<DeploymentCredential, 'origins' | 'schemes'>;

/** Whether a call would be refused: one of its credentials is not allowed for the operation's origin. */
const isRefused = (
  operation: Pick<Operation, 'security' | 'serverUrl'>,
  credentials: readonly MeantFor[],
): boolean => {
  const origin = originOf(operation.serverUrl);
  return applicableCredentials(credentials, operation, (one) => one).some(
    ({ origins }) => !origins.includes(origin),
  );
};

/** Warns of operations that are refused because a credential of theirs is not allowed for their origin. */
export const refusedOperations = (
  { tools }: ToolIndex,
  credentials: readonly MeantFor[],
): readonly Finding[] => {
  return tools.flatMap(({ operation }) => {
    const { method, path, serverUrl } = operation;
    const origin = originOf(serverUrl);
    if (!isRefused(operation, credentials)) return [];
    const what = `calls to ${origin} are refused, for the credential is not meant for this host`;
    const hint =
      'If it is, set the credential again, and name this host too (`--origin`, `origins`).';
    return [finding(pointerTo('paths', path, method.toLowerCase()), what, hint)];
  });
};

/** Origins of a credential whose owner named none. */
export interface DefaultOrigins {
  readonly origins: readonly string[];
  /** Other origins of the served version, which the owner would have to name. */
  readonly others: readonly string[];
}

/** An origin and its host's registrable domain, which IP addresses and public suffixes lack. */
interface RegisteredOrigin {
  readonly origin: string;
  readonly domain: string | undefined;
}

/**
 * Default origins of a credential: that of the base address and those of the same registrable domain, whose owner is
 * the same. A description could name any others.
 *
 * @param base - of the deployment's base address
 * @param served - of the served version's operations
 * Source: docs/decisions/credentials.md, "Where a credential may go"; RFC 6454 §4.
 */
export const defaultOrigins = (
  base: RegisteredOrigin,
  served: readonly RegisteredOrigin[],
): DefaultOrigins => {
  const isOwn = ({ origin, domain }: RegisteredOrigin): boolean =>
    origin === base.origin ||
    (domain !== undefined && domain === base.domain && isAsSafe(origin, base.origin));
  const own = served.filter(isOwn).map(({ origin }) => origin);
  return {
    origins: [...new Set([base.origin, ...own])],
    others: served.filter((one) => !isOwn(one)).map(({ origin }) => origin),
  };
};

/** By default, a credential for an HTTPS API is not sent over plain HTTP. */
const isAsSafe = (origin: string, base: string): boolean =>
  origin.startsWith('https:') || base.startsWith('http:');

export interface RefusedCalls {
  readonly reason: 'not_encrypted' | 'credential_not_for_this_host';
  readonly origin: string;
  readonly tools: number;
}

/** Groups refused tools by origin, the largest group first. */
export const refusedCalls = (
  { tools }: ToolIndex,
  credentials: readonly MeantFor[],
): readonly RefusedCalls[] => {
  const origins = Map.groupBy(tools, ({ operation }) => originOf(operation.serverUrl));
  return [...origins]
    .flatMap(([origin, its]): readonly RefusedCalls[] => {
      if (isUnencrypted(origin)) return [{ reason: 'not_encrypted', origin, tools: its.length }];
      const refused = its.filter(({ operation }) => isRefused(operation, credentials)).length;
      if (refused === 0) return [];
      return [{ reason: 'credential_not_for_this_host', origin, tools: refused }];
    })
    .toSorted((one, other) => other.tools - one.tools);
};
