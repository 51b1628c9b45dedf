import { dynamoDeploymentEditor } from '../adapters/dynamodb/deployment-editor.ts';
import { dynamoPrompts } from '../adapters/dynamodb/prompts.ts';
import { dynamoResources } from '../adapters/dynamodb/resources.ts';
import { dynamoVersions } from '../adapters/dynamodb/versions.ts';
import { web } from '../adapters/target-api/web.ts';
import type { TargetPolicy } from '../domain/target.ts';
import type { Ports } from '../ports.ts';
import { type Environment, readEnvironment, shared } from './environment.ts';
import { foundation } from './foundation.ts';

export interface ManagementOptions {
  /** Where descriptions may be fetched from. Only the local run passes this. */
  readonly targets?: TargetPolicy;
}

/** All that management can touch. @throws Error that names what the environment lacks */
export const wireManagement = (given: Environment, { targets = {} }: ManagementOptions = {}) => {
  const environment = readEnvironment(shared, given);
  const { clock, dynamo, files, log, mint, settings } = foundation(environment);
  const content = environment.DEPLOYMENT_CONTENT_TABLE;
  return {
    clock,
    mint,
    log,
    settings,
    deploymentEditor: dynamoDeploymentEditor(dynamo, environment.DEPLOYMENTS_TABLE),
    versions: dynamoVersions(dynamo, content, files),
    resources: dynamoResources(dynamo, content),
    prompts: dynamoPrompts(dynamo, content),
    web: web({ policy: targets }),
  } satisfies Partial<Ports>;
};
