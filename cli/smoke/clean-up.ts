import type { Api } from '../api/api.ts';
import { judged, type Step } from '../doctor/step.ts';
import { Failure } from '../failure.ts';

/** Removes one thing that a run has made. */
export type Removal = () => Promise<unknown>;

/** The last first; one that fails keeps none of the others back. */
export const cleanUp = async (api: Api, removals: readonly Removal[]): Promise<Step> => {
  const all = [() => api.call('DELETE', '/sessions/current'), ...removals].reverse();
  const left: string[] = [];
  for (const remove of all) {
    await remove().catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      if (error.details.status !== 404) left.push(error.message);
    });
  }
  return judged(
    'tidying up',
    left.length === 0
      ? undefined
      : {
          what: `something stays behind: ${left.join(' ')}`,
          cause: 'The service refuses or does not answer any more.',
          hint: 'npx hosted-mcp ls shows what is there, npx hosted-mcp rm removes it.',
        },
    'what was made is gone',
  );
};
