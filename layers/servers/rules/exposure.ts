import { namedCredentials } from '../../credentials/rules/deployment-credential.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { type IndexedTool, listedTool, type ToolIndex } from '../../openapi/tool-index.ts';
import { accessWarnings } from '../../deployments/rules/access/allow-list.ts';

interface Exposed extends Pick<Deployment, 'authMethod' | 'access'> {
  readonly hasCredential: boolean;
  readonly tools: readonly Pick<IndexedTool, 'name' | 'listed'>[];
}

/** @param index - of the served version; undefined if there is none */
export const exposed = (deployment: Deployment, index: ToolIndex | undefined): Exposed => ({
  authMethod: deployment.authMethod,
  access: deployment.access,
  hasCredential: namedCredentials(deployment).length > 0,
  tools: index?.tools ?? [],
});

/**
 * What strangers, whom the owner cannot know, could newly do after a change: call with the owner's credential, or call
 * tools that write. A person has to confirm it; empty if the change opens nothing.
 *
 * @param before - undefined for a new deployment
 * Source: docs/decisions/accounts.md, "Opening to everybody".
 */
export const exposures = (before: Exposed | undefined, after: Exposed): readonly Finding[] => [
  ...openedTo(before, after),
  ...openedDomains(before, after),
];

const openedTo = (before: Exposed | undefined, after: Exposed): readonly Finding[] => {
  const audience = audienceOf(after);
  if (!audience) return [];
  const known = before && (audienceOf(before)?.size ?? 0) >= audience.size ? before : undefined;
  const changing = changingIn(after.tools);
  const knownChanging = new Set(known && changingIn(known.tools));
  const lendsCredential = after.hasCredential && known?.hasCredential !== true;
  if (!lendsCredential && changing.every((name) => knownChanging.has(name))) return [];
  const { length } = after.tools;
  const what =
    `${audience.who} could call ${length} tool${length === 1 ? '' : 's'}` +
    (changing.length > 0
      ? `, ${changing.length} of which change${changing.length === 1 ? 's' : ''} something`
      : '') +
    (after.hasCredential ? ', with its credential' : '');
  return [{ where: audience.where, what, hint: audience.hint }];
};

interface Audience {
  /** Rank: a larger audience includes all smaller ones. */
  readonly size: number;
  readonly who: string;
  readonly where: string;
  readonly hint: string;
}

const ANYBODY: Audience = {
  size: 2,
  who: 'anybody on the internet',
  where: '/mcp_auth_method',
  hint: 'Let callers sign in, unless everybody is meant.',
};
const ANY_ACCOUNT: Audience = {
  size: 1,
  who: 'everybody with an account here',
  where: '/access/mode',
  hint: 'Name addresses or domains, unless everybody is meant.',
};

/** Strangers who may call; undefined if the owner knows everybody who may. */
const audienceOf = ({ authMethod, access }: Exposed): Audience | undefined => {
  if (authMethod === 'none') return ANYBODY;
  return authMethod === 'oauth' && access.mode === 'any_user' ? ANY_ACCOUNT : undefined;
};

/** A tool without `readOnlyHint` counts as a tool that writes. */
const changingIn = (tools: Exposed['tools']): readonly string[] =>
  tools
    .filter((tool) => listedTool(tool).annotations.readOnlyHint !== true)
    .map(({ name }) => name);

/** Domains of mail providers that a change adds to the allow list. */
const openedDomains = (before: Exposed | undefined, after: Exposed): readonly Finding[] => {
  if (after.authMethod !== 'oauth') return [];
  const known = new Set(
    before?.authMethod === 'oauth' ? accessWarnings(before.access).map(({ what }) => what) : [],
  );
  return accessWarnings(after.access).filter(({ what }) => !known.has(what));
};
