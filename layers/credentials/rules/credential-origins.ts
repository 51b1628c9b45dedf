import type { DeploymentCredential } from './deployment-credential.ts';
import { pointerTo } from '../../platform/rules/json/pointer.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { ToolIndex } from '../../openapi/tool-index.ts';

const MAX_ORIGINS = 20;
const MAX_ORIGIN_CHARACTERS = 300;

/** Where the operations of a version are sent, each origin once. Source: RFC 6454 §4. */
export const originsOf = ({ tools }: ToolIndex): readonly string[] => [
  ...new Set(tools.map(({ operation }) => originOf(operation.serverUrl))),
];

/** @returns `null` for what is no address, which is the origin of nothing. Source: RFC 6454 §6.1. */
export const originOf = (address: string): string => URL.parse(address)?.origin ?? 'null';

/** Origins in their one form, lower case and without a port that the scheme implies; and what is wrong with them. */
export const readOrigins = (
  given: readonly string[],
): { readonly origins: readonly string[]; readonly findings: readonly Finding[] } => {
  const origins = [...new Set(given.map(normalized))].filter((origin) => origin !== undefined);
  const faulty = given.flatMap((text, index) =>
    normalized(text) === undefined
      ? [
          finding(
            `/origins/${index}`,
            'no origin',
            'Write scheme and host: https://api.example.com',
          ),
        ]
      : [],
  );
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

/**
 * Says which operations end without an answer, since they are sent where the credential is not meant to
 * go; none without a credential.
 */
export const refusedOperations = (
  { tools }: ToolIndex,
  credential: Pick<DeploymentCredential, 'origins'> | undefined,
): readonly Finding[] => {
  if (!credential) return [];
  return tools.flatMap(({ operation: { method, path, serverUrl } }) => {
    const origin = originOf(serverUrl);
    if (credential.origins.includes(origin)) return [];
    const what = `calls to ${origin} are refused, for the credential is not meant for this host`;
    const hint =
      'If it is, set the credential again, and name this host too (`--origin`, `origins`).';
    return [finding(pointerTo('paths', path, method.toLowerCase()), what, hint)];
  });
};

const finding = (where: string, what: string, hint: string): Finding => ({ where, what, hint });
