import { completion } from '../rules/completion/complete.ts';
import {
  type CompletionRequest,
  readCompletionRequest,
  unknownReference,
} from '../rules/completion/completion-request.ts';
import type { Deployment } from '../../servers/rules/deployment.ts';
import { isOffered } from '../rules/capabilities.ts';
import { methodNotFound } from '../rules/message/supported-methods.ts';
import type { Ports } from '../../ports.ts';
import type { Method } from './rpc-call.ts';

/**
 * `completion/complete`: what an argument of a prompt or a variable of a template may be, as far as its
 * owner has said so.
 *
 * Source: docs/protocol.md, "Completion".
 */
export const complete: Method = async (ports, { deployment, params }) => {
  if (!isOffered(deployment, METHOD)) throw methodNotFound(METHOD);
  const request = readCompletionRequest(params);
  const lists = await listsOf(ports, deployment, request);
  if (!lists) throw unknownReference(request);
  const { values = [] } = lists.find(({ name }) => name === request.argument) ?? {};
  return JSON.stringify(completion(values, request.typed));
};

const METHOD = 'completion/complete';

interface NamedValues {
  readonly name: string;
  readonly values?: readonly string[];
}

/** @returns undefined if there is nothing of this name */
const listsOf = async (
  { prompts, resources }: Pick<Ports, 'prompts' | 'resources'>,
  { id }: Deployment,
  { of }: CompletionRequest,
): Promise<readonly NamedValues[] | undefined> => {
  if (of.kind === 'prompt') return (await prompts.find(id, of.name))?.arguments;
  const resource = await resources.findByUri(id, of.uri);
  return resource && (resource.variables ?? []);
};

/**
 * The deployment as far as these methods look at it: whether it has anything to complete is asked again
 * before it is denied, since a client may have been told by an instance that knows more.
 *
 * Source: docs/decisions/storage.md, "How soon a change holds".
 */
export const withCompletions = async (
  { deployments }: Pick<Ports, 'deployments'>,
  deployment: Deployment,
  methods: readonly string[],
): Promise<Deployment> => {
  if (!methods.includes(METHOD) || isOffered(deployment, METHOD)) return deployment;
  const now = await deployments.findAgain(deployment.slug);
  return now?.id === deployment.id && now.completions !== undefined
    ? { ...deployment, completions: now.completions }
    : deployment;
};
