import type { ConsoleAssets } from '../../console/build.ts';

export type { ConsoleAssets };

/**
 * The files of the console. From the sources they are made at the first start; the bundle that is deployed
 * has them in place of this module.
 */
export const readAssets = async (): Promise<ConsoleAssets> =>
  (await import('../../console/build.ts')).buildConsole(false);
