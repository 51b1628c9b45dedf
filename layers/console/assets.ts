import type { ConsoleAssets } from '../../console/build.ts';

export type { ConsoleAssets };

/** Builds the console's files on first use; the deployed bundle replaces this module by one that contains them. */
export const readAssets = async (): Promise<ConsoleAssets> =>
  (await import('../../console/build.ts')).buildConsole(false);
