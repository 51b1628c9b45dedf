import type { DeploymentsPorts } from '../deployments/ports.ts';
import type { Prompts, Resources } from './rules/named-contents.ts';

export interface ContentsPorts extends DeploymentsPorts {
  readonly resources: Resources;
  readonly prompts: Prompts;
}
