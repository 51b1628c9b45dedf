import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../aws/disk.ts';
import type { EmbeddedAws } from '../aws/index.ts';

const CALLER = 'operator';

/** Writes the access of `hosted-mcp admin` into a file that only the service's starter can read. @returns removes it */
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
  await replaceFile(file, `${JSON.stringify(access)}\n`);
  return () => rmSync(file, { force: true });
};
