import { rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedAws } from '../aws/index.ts';

/** Whose access key it is. */
const CALLER = 'operator';

/**
 * Leaves in the data folder what `hosted-mcp admin` needs to invoke functions here, as long as the service
 * runs. Readable by whoever started it and nobody else.
 *
 * @returns removes it
 */
export const offerOperatorAccess = async (
  dataFolder: string,
  aws: Pick<EmbeddedAws, 'environment'>,
): Promise<() => void> => {
  const environment = aws.environment(CALLER);
  const access = {
    endpoint: environment['AWS_ENDPOINT_URL_LAMBDA'],
    region: environment['AWS_REGION'],
    accessKeyId: environment['AWS_ACCESS_KEY_ID'],
    secretAccessKey: environment['AWS_SECRET_ACCESS_KEY'],
  };
  const file = join(dataFolder, 'operator.json');
  // Renamed into place, so that nobody reads half of it, and an older file's permissions are not kept.
  await writeFile(`${file}.new`, `${JSON.stringify(access)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return () => rmSync(file, { force: true });
};
