import { namedCredentials } from '../../credentials/rules/deployment-credential.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { type IndexedTool, listedTool, type ToolIndex } from '../../openapi/tool-index.ts';
import { accessWarnings } from '../../deployments/rules/access/allow-list.ts';

/** What somebody who may call a deployment can do with it. */
interface Exposed extends Pick<Deployment, 'authMethod' | 'access'> {
  readonly hasCredential: boolean;
  /** Of the version that is served. */
  readonly tools: readonly Pick<IndexedTool, 'name' | 'listed'>[];
}

/** @param index - of the version that is served; undefined where there is none */
export const exposed = (deployment: Deployment, index: ToolIndex | undefined): Exposed => ({
  authMethod: deployment.authMethod,
  access: deployment.access,
  hasCredential: namedCredentials(deployment).length > 0,
  tools: index?.tools ?? [],
});

/**
 * What people whom the owner cannot know could do after a change and cannot do before it: call with the
 * owner's credential, or call tools that change something. A person confirms it first; a change that opens
 * nothing further has none.
 *
 * @param before - undefined for a deployment that is made
 *
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
  /** The larger holds the smaller. */
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

/** Undefined where its owner knows who may call it. */
const audienceOf = ({ authMethod, access }: Exposed): Audience | undefined => {
  if (authMethod === 'none') return ANYBODY;
  return authMethod === 'oauth' && access.mode === 'any_user' ? ANY_ACCOUNT : undefined;
};

/** What is not said to read may change something. */
const changingIn = (tools: Exposed['tools']): readonly string[] =>
  tools
    .filter((tool) => listedTool(tool).annotations.readOnlyHint !== true)
    .map(({ name }) => name);

/** Domains of mail providers that an allow-list newly has. */
const openedDomains = (before: Exposed | undefined, after: Exposed): readonly Finding[] => {
  if (after.authMethod !== 'oauth') return [];
  const known = new Set(
    before?.authMethod === 'oauth' ? accessWarnings(before.access).map(({ what }) => what) : [],
  );
  return accessWarnings(after.access).filter(({ what }) => !known.has(what));
};
