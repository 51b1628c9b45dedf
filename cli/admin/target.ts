import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT, Failure, usageFailure } from '../failure.ts';
import { jsonOf, parsed, textOf } from '../json.ts';
import { codeOf } from '../text/words.ts';
import type { World } from '../world.ts';

export type Target =
  | {
      readonly kind: 'stage';
      readonly stage: string;
      /** Region of the stage's file, if the shell sets none. */
      readonly region?: string | undefined;
    }
  /** One function, by name or ARN, in the caller's account. */
  | { readonly kind: 'function'; readonly functionName: string }
  | { readonly kind: 'local'; readonly access: LocalAccess };

interface LocalAccess {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export const TARGET_OPTIONS = {
  stage: {
    value: 'NAME',
    help: 'of the stack on AWS, as in prod; otherwise npm start on this machine',
  },
  function: { value: 'ARN', help: 'or the one function on AWS that takes this command' },
} as const;

/** @throws Failure usage, or unreachable if nothing runs on this machine */
export const targetOf = async (
  world: Pick<World, 'environment' | 'localData' | 'stages'>,
  {
    stage,
    function: functionName,
  }: { readonly stage?: string | undefined; readonly function?: string | undefined },
): Promise<Target> => {
  if (stage !== undefined && functionName !== undefined) {
    throw usageFailure('Say either --stage or --function.');
  }
  if (functionName !== undefined) return { kind: 'function', functionName };
  if (stage === undefined) return { kind: 'local', access: await localAccess(world) };
  if (!/^[a-z][a-z0-9-]{0,19}$/.test(stage)) {
    throw usageFailure(`--stage is the name of a file in config/, as in prod, not "${stage}".`);
  }
  return { kind: 'stage', stage, region: await regionOf(world, stage) };
};

/** The shell's AWS_REGION comes first: a stage of the same name may exist in another region. */
const regionOf = async (
  { environment, stages }: Pick<World, 'environment' | 'stages'>,
  stage: string,
): Promise<string | undefined> => {
  if (environment['AWS_REGION'] || stages === undefined) return undefined;
  // A stage that is deployed from elsewhere has no file here.
  const text = await readFile(join(stages, `${stage}.json`), 'utf8').catch(() => '');
  return textOf(jsonOf(parsed(text)).region);
};

export const placeOf = (target: Target): string => {
  if (target.kind === 'stage') return `the stage ${target.stage}`;
  return target.kind === 'function' ? target.functionName : 'the service on this machine';
};

/** Reads what `npm start` writes into its data folder while it runs. */
const localAccess = async ({
  environment,
  localData,
}: Pick<World, 'environment' | 'localData'>): Promise<LocalAccess> => {
  const folder = environment['HOSTED_MCP_DATA'] ?? localData;
  if (folder === undefined) {
    throw usageFailure(
      'Which service is meant?',
      '--stage names the stack on AWS, HOSTED_MCP_DATA the data folder of npm start.',
    );
  }
  const text = await readFile(join(folder, 'operator.json'), 'utf8').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
  const { endpoint, region, accessKeyId, secretAccessKey } = jsonOf(parsed(text ?? ''));
  const access = [endpoint, region, accessKeyId, secretAccessKey].map(textOf);
  if (access.every((one) => one !== undefined)) {
    const [endpointUrl = '', name = '', id = '', secret = ''] = access;
    return { endpoint: endpointUrl, region: name, accessKeyId: id, secretAccessKey: secret };
  }
  throw new Failure(EXIT.unreachable, 'unreachable', `No service runs on ${folder}.`, {
    hint: 'Start it with npm start (HOSTED_MCP_DATA names another folder), or name the stage on AWS with --stage.',
  });
};
