import type { Finding } from '../../../refusal.ts';
import { isObject, type Json, member, textMember } from '../../../json-schema/json.ts';
import { type Description, type FoundOperation, resolved } from '../../document.ts';
import { finding } from '../../intake/findings.ts';

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
      .map((scheme) => identity(textMember(scheme, 'name'), textMember(scheme, 'in'))),
  );
  return (name, location) => keys.has(identity(name, location));
};

/** Header names have no case. */
const identity = (name: string, location: string): string =>
  `${location} ${location === 'header' ? name.toLowerCase() : name}`;

/** Ways to sign in that take more than a header, a query parameter or a cookie which stay the same. */
const NEVER_SENT: ReadonlySet<string> = new Set(
  'mutualTLS digest dpop hoba mutual negotiate scram-sha-1 scram-sha-256'.split(' '),
);

/**
 * Warns of operations that want what no credential of the service can be: their calls fail, whatever the owner
 * sets.
 *
 * Source: OpenAPI 3.1.1, "Security Scheme Object", "Security Requirement Object".
 */
export const unsentCredentials = (
  { root }: Description,
  operations: readonly FoundOperation[],
): readonly Finding[] => {
  const components = member(root, 'components');
  const schemes = isObject(components) ? member(components, 'securitySchemes') : undefined;
  const wayOf = (name: string): string => {
    const scheme = isObject(schemes) ? resolved(root, member(schemes, name) ?? null) : null;
    if (!isObject(scheme)) return '';
    const type = textMember(scheme, 'type');
    return type === 'http' ? textMember(scheme, 'scheme').toLowerCase() : type;
  };
  const unsentIn = (alternative: Json) =>
    Object.keys(isObject(alternative) ? alternative : {})
      .map(wayOf)
      .filter((way) => NEVER_SENT.has(way));
  /** By its requirements, which all operations may share. */
  const known = new Map<Json | undefined, readonly string[]>();
  const needed = (security: Json | undefined): readonly string[] => {
    const before = known.get(security);
    if (before) return before;
    const ways = Array.isArray(security) ? security.map(unsentIn) : [];
    // Each once: thousands of operations may share a list of thousands.
    const unsent = ways.every((one) => one.length > 0) ? [...new Set(ways.flat())] : [];
    known.set(security, unsent);
    return unsent;
  };
  const unmet = operations
    .map(({ operation }) => needed(member(operation, 'security') ?? member(root, 'security')))
    .filter((ways) => ways.length > 0);
  if (unmet.length === 0) return [];
  const ways = [...new Set(unmet.flat())].join(', ');
  return [
    finding(
      '/components/securitySchemes',
      `${unmet.length === 1 ? '1 operation wants' : `${unmet.length} operations want`} a way to sign in that no credential here has: ${ways}`,
      'Leave them out, or have the API take a bearer token, an API key or a user name and password.',
    ),
  ];
};
