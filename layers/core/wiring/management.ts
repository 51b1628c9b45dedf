import { dynamoDeploymentEditor } from '../adapters/dynamodb/deployment-editor.ts';
import { dynamoMintedTokens } from '../adapters/dynamodb/minted-tokens.ts';
import { dynamoPrompts } from '../adapters/dynamodb/prompts.ts';
import { dynamoResources } from '../adapters/dynamodb/resources.ts';
import { dynamoVersions } from '../adapters/dynamodb/versions.ts';
import { kmsSigner } from '../adapters/kms/signer.ts';
import { kmsSigningKeys } from '../adapters/kms/signing-keys.ts';
import { web } from '../adapters/target-api/web.ts';
import type { TargetPolicy } from '../domain/target.ts';
import type { Ports } from '../ports.ts';
import { type Environment, readEnvironment, shared, signing, text } from './environment.ts';
import { descriptionFiles, foundation, keyService } from './foundation.ts';

export interface ManagementOptions {
  /** Where descriptions may be fetched from. Only the local run passes this. */
  readonly targets?: TargetPolicy;
}

const variables = { ...shared, ...signing, OAUTH_TABLE: text };

/** All that management can touch. @throws Error that names what the environment lacks */
export const wireManagement = (given: Environment, { targets = {} }: ManagementOptions = {}) => {
  const environment = readEnvironment(variables, given);
  const { clock, dynamo, log, mint, settings } = foundation(environment);
  const { DEPLOYMENT_CONTENT_TABLE: content, SIGNING_KEY_ID: signingKey } = environment;
  const kms = keyService(environment);
  return {
    clock,
    mint,
    log,
    settings,
    deploymentEditor: dynamoDeploymentEditor(dynamo, environment.DEPLOYMENTS_TABLE),
    versions: dynamoVersions(dynamo, content, descriptionFiles(environment)),
    resources: dynamoResources(dynamo, content),
    prompts: dynamoPrompts(dynamo, content),
    mintedTokens: dynamoMintedTokens(dynamo, environment.OAUTH_TABLE),
    signer: kmsSigner(kms, signingKey, kmsSigningKeys(kms, signingKey)),
    web: web({ policy: targets }),
  } satisfies Partial<Ports>;
};
