import { tables } from '../../lambdas/manifest.ts';
import type { Prompt, Resource } from '../../layers/core/domain/deployment.ts';
import { wireManagement } from '../../layers/core/wiring/management.ts';
import { startEmbeddedAws } from '../../local/aws/index.ts';

export interface Seed {
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
}

/** Gives a published deployment resources and prompts. The service must not run on the folder. */
export const seed = async (
  dataFolder: string,
  slug: string,
  { resources, prompts }: Seed,
): Promise<void> => {
  const aws = await startEmbeddedAws({ dataFolder });
  try {
    await aws.createTables(tables, PREFIX);
    const owner = wireManagement({
      ...aws.environment('management'),
      BASE_URL: 'http://127.0.0.1/v1',
      DEPLOYMENTS_TABLE: `${PREFIX}deployments`,
      DEPLOYMENT_CONTENT_TABLE: `${PREFIX}deployment-content`,
      DESCRIPTIONS_BUCKET: `${PREFIX}descriptions`,
    });
    const deployment = await owner.deploymentEditor.read(slug);
    if (!deployment) throw new Error(`${slug} is not published`);
    for (const resource of resources) await owner.resources.put(deployment.id, resource);
    for (const prompt of prompts) await owner.prompts.put(deployment.id, prompt);
  } finally {
    await aws.close();
  }
};

/** As the local run names its tables. */
const PREFIX = 'hosted-mcp-';
