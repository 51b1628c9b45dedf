import { isDeepStrictEqual } from 'node:util';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import { withoutChoices } from '../../servers/rules/next-deployment.ts';
import { PublicationSettings, withoutSettings } from '../../deployments/rules/publication.ts';
import {
  PUBLICATION_SETTINGS,
  SERVING_SETTINGS,
  settingsIn,
} from '../../deployments/rules/settings.ts';
import { JwtIssuer } from '../../tokens/rules/jwt.ts';
import { snakeMembers, toWire } from '../../platform/rules/shape.ts';
import { parsedJson } from '../../platform/rules/json/parsed-json.ts';

/** What a declaration may hold besides description, credentials and contents, named as in the management API. */
export const chosenMembers = (deployment: Deployment) => {
  const { publication, jwtIssuer } = deployment;
  const { apiBaseUrl, serverVariables, operations, overrides, overlays } = publication;
  return {
    name: deployment.name,
    instructions: deployment.instructions,
    description: deployment.description,
    website_url: deployment.websiteUrl,
    network: deployment.network,
    mcp_auth_method: deployment.authMethod,
    access: deployment.access,
    allowed_origins: deployment.allowedOrigins,
    jwt_issuer: jwtIssuer && toWire(JwtIssuer, jwtIssuer),
    api_base_url: apiBaseUrl,
    server_variables: serverVariables,
    operations,
    overrides: overrides && toWire(PublicationSettings.shape.overrides, overrides),
    overlays,
    ...snakeMembers(settingsIn(SERVING_SETTINGS, deployment)),
    ...snakeMembers(settingsIn(PUBLICATION_SETTINGS, publication)),
  };
};
export type ChosenMembers = ReturnType<typeof chosenMembers>;

/** Settings that differ from those of a new deployment; the name always. */
export const saidMembers = (deployment: Deployment): Partial<ChosenMembers> => {
  const unsaid = chosenMembers({
    ...withoutChoices(deployment),
    publication: withoutSettings(deployment.publication),
    name: '',
  });
  return Object.fromEntries(
    Object.entries(chosenMembers(deployment)).filter(
      ([name, value]) =>
        value !== undefined && !isDeepStrictEqual(value, Reflect.get(unsaid, name)),
    ),
  );
};

export interface Difference {
  /** Path of the difference, such as `access`, `overrides.getOrder` or `credentials.main`. */
  readonly member: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Members that are compared entry by entry. */
const BY_KEY = ['overrides', 'credentials', 'resources', 'prompts', 'request_headers'];

/** Differences of two sets of members, sorted by name. @param before - empty for a new deployment */
export const differences = (before: object, after: object): readonly Difference[] =>
  namesIn(before, after).flatMap((member) => {
    const [was, is] = [before, after].map((one) => ownMember(one, member));
    if (!BY_KEY.includes(member)) return differenceOf(member, was, is);
    const [old, now] = [was ?? {}, is ?? {}] as [object, object];
    return namesIn(old, now).flatMap((key) =>
      differenceOf(`${member}.${key}`, ownMember(old, key), ownMember(now, key)),
    );
  });

/** Resources and prompts may be named like members of `Object.prototype`. */
const ownMember = (one: object, name: string): unknown =>
  Object.hasOwn(one, name) ? Reflect.get(one, name) : undefined;

const namesIn = (one: object, other: object): readonly string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].toSorted();

const differenceOf = (member: string, before: unknown, after: unknown): readonly Difference[] =>
  isDeepStrictEqual(canonical(member, before), canonical(member, after))
    ? []
    : [
        {
          member,
          ...(before !== undefined && { before }),
          ...(after !== undefined && { after }),
        },
      ];

/** Lists whose order has no meaning. */
const SETS = ['access', 'allowed_origins', 'operations', 'credentials'];

/** Normal form for comparison: JSON, which has no undefined members, with lists sorted where order has no meaning. */
const canonical = (member: string, value: unknown): unknown => {
  const [first = ''] = member.split('.');
  const isSet = SETS.includes(first);
  return value === undefined
    ? undefined
    : parsedJson(
        JSON.stringify(value, (_, part: unknown) =>
          isSet && Array.isArray(part) ? (part as unknown[]).toSorted() : part,
        ),
      );
};
