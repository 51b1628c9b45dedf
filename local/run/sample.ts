import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../aws/disk.ts';
import { SAMPLE_DESCRIPTION } from '../sample/index.ts';
import type { OwnerAnswer, OwnerApi } from './owner.ts';
import { type Announceable, readText, notPublished, type Refused } from './publish.ts';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

interface KnownSample {
  readonly slug: string;
  readonly apiBaseUrl: string;
}

interface SentDeployment {
  readonly slug: string;
  readonly mcp_url: string;
  readonly mcp_auth_method: Announceable['authMethod'];
  readonly api_base_url: string;
  readonly tool_count: number;
}

const SLUG = 'sample';

/**
 * The sample among the owner's deployments. The first start publishes it. Then the owner may change and remove it,
 * and a later start only changes the address of its API.
 *
 * @param sampleApiUrl - address of its API now, whose port may have changed
 * @returns undefined once the owner has removed it or replaced it by something else
 * @throws StartRefused if it cannot be published
 *
 * Source: docs/local-run.md, "The local owner".
 */
export const openSample = async (
  api: OwnerApi,
  dataFolder: string,
  sampleApiUrl: string,
): Promise<Announceable | undefined> => {
  const file = join(dataFolder, 'sample.json');
  const known = await readKnown(file);
  const path = `/deployments/${known?.slug ?? SLUG}`;
  const there = await api('GET', path);
  const apiOf = there.status === 200 ? deploymentIn(there).api_base_url : undefined;

  const open = async (): Promise<SentDeployment | undefined> => {
    if (apiOf === sampleApiUrl) return deploymentIn(there);
    if (!known) return publish(api, sampleApiUrl);
    if (apiOf !== known.apiBaseUrl) return undefined;
    return deploymentIn(await api('PATCH', path, { api_base_url: sampleApiUrl }));
  };
  const deployment = await open();
  if (!deployment) return undefined;

  const { slug, mcp_url: mcpUrl, mcp_auth_method: authMethod, tool_count: toolCount } = deployment;
  const kept: KnownSample = { slug, apiBaseUrl: sampleApiUrl };
  await replaceFile(file, `${JSON.stringify(kept)}\n`);
  return { slug, mcpUrl, authMethod, toolCount };
};

/** Publishes the sample. If its slug is taken, another one is made from its title. */
const publish = async (api: OwnerApi, sampleApiUrl: string): Promise<SentDeployment> => {
  const sample = {
    mcp_auth_method: 'none',
    api_base_url: sampleApiUrl,
    openapi: await readText(SAMPLE_DESCRIPTION),
  };
  const answer = await api('POST', '/deployments', { ...sample, slug: SLUG });
  return deploymentIn(answer.status === 409 ? await api('POST', '/deployments', sample) : answer);
};

const deploymentIn = ({ status, body }: OwnerAnswer): SentDeployment => {
  if (status < 300) return body as SentDeployment;
  const { code, detail, findings = [] } = body as Problem;
  throw notPublished('of the sample', { code, description: detail, findings });
};

interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly findings?: Refused['findings'];
}

const readKnown = async (file: string): Promise<KnownSample | undefined> => {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (parsedJson(text) as KnownSample);
};
