import type { Permission } from '../../../accounts/rules/permission.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type {
  CredentialTrial,
  CredentialTrialResult,
} from '../../../connections/rules/credential-trial.ts';
import { isPerCaller } from '../../../connections/rules/token-source.ts';
import type { CredentialName } from '../../../credentials/rules/credential-name.ts';
import {
  namedCredentials,
  operationName,
  sealingOf,
} from '../../../credentials/rules/deployment-credential.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { IndexedTool } from '../../../openapi/tool-index.ts';
import type { ToolResult } from '../../../tools/answer/tool-result.ts';
import { countWork, type CountWorkPorts } from '../../../limits/steps/count-work.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import { trustOf } from '../../../target/rules/target.ts';
import type { ServersPorts } from '../../ports.ts';
import { credentialCall } from '../../rules/credential-call.ts';
import { triedDeployment } from '../deployments/try-owned-tool.ts';
import { leased } from '../../../api/steps/leased.ts';
import { ownedDeployment, stopped } from '../../../deployments/steps/owned-deployment.ts';
import type { PortsOf } from '../../../platform/ports.ts';

interface MadeCall {
  /** Method and path, such as `GET /orders`. */
  readonly operation: string;
  readonly status?: number;
}

export type TestedCredential =
  | (CredentialTrialResult & { readonly called?: MadeCall })
  | {
      readonly works: false;
      readonly reason: 'api_refused' | 'api_unanswered';
      /** The API's message, or what happened; secrets that were sent are masked. */
      readonly said?: string;
      readonly called: MadeCall;
    };

/**
 * Tests an owner's credential: reads it or requests a token with it, then calls an operation that changes nothing and
 * needs no argument, if there is one. Counts as a trial.
 *
 * @throws ApiRefusal not_found; conflict where the deployment was stopped; rate_limited
 * Source: docs/decisions/credentials.md, "Credentials"; docs/decisions/limits.md, "Work for an owner".
 */
export const testCredential = async (
  ports: CountWorkPorts &
    PortsOf<typeof leased> &
    Pick<ServersPorts, 'credentialTrials' | 'deploymentEditor' | 'toolIndexes' | 'toolTrials'>,
  owner: User,
  may: Permission<'call'>,
  slug: string,
  { name, sender }: { readonly name: CredentialName; readonly sender: CredentialTrial['sender'] },
): Promise<TestedCredential> => {
  may.check('call', { doing: `try the credential ${name}` });
  const deployment = await ownedDeployment(ports, { ownerId: owner.id, slug });
  if (deployment.status === 'stopped') throw stopped();
  const named = namedCredentials(deployment).find(([its]) => its === name);
  if (!named) {
    throw new ApiRefusal('not_found', 'The deployment has no credential of this name.');
  }
  const [, credential] = named;
  const { type, version } = credential;
  return leased(ports, 'trials_at_once_per_user', owner.id, async () => {
    await countWork(ports, 'trials_per_hour_per_user', owner.id);
    const [tried, index] = await Promise.all([
      ports.credentialTrials.run({
        deployment: { ...sealingOf(deployment), slug, ...trustOf(deployment) },
        name,
        type,
        version,
        ...(isPerCaller(credential) && { perCaller: true }),
        sender,
      }),
      ports.toolIndexes.find(deployment.id, deployment.version),
    ]);
    const tool = tried.works ? index && credentialCall(index, deployment, named) : undefined;
    return tool ? called(ports, { deployment, tool, sender }, tried) : tried;
  });
};

interface Call {
  readonly deployment: Deployment;
  readonly tool: IndexedTool;
  readonly sender: CredentialTrial['sender'];
}

const called = async (
  { toolTrials }: Pick<ServersPorts, 'toolTrials'>,
  { deployment, tool, sender }: Call,
  tried: CredentialTrialResult,
): Promise<TestedCredential> => {
  const { answer, error, result } = await toolTrials.run({
    deployment: triedDeployment(deployment, tool, false),
    tool: tool.name,
    arguments: {},
    sender,
  });
  const operation = operationName(tool.operation);
  if (!answer) {
    const said = error?.message;
    const reason = 'api_unanswered';
    return { works: false, reason, ...(said !== undefined && { said }), called: { operation } };
  }
  const { status } = answer;
  const made = { operation, status };
  if (status !== 401 && status !== 403) return { ...tried, called: made };
  const said = await wordsOf(result);
  const reason = 'api_refused';
  return { works: false, reason, ...(said !== undefined && { said }), called: made };
};

/** Message of an error answer: the text behind its status, whose secrets are masked already. */
const wordsOf = async (result: unknown): Promise<string | undefined> => {
  const { content } = (result ?? {}) as Partial<ToolResult>;
  const text = content?.find((part) => part.type === 'text')?.text ?? '';
  const { refusalMessage } = await import('../../../connections/rules/refusal-message.ts');
  return refusalMessage(text.slice(text.indexOf('\n\n') + 1), []);
};
