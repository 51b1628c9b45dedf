import type { Case } from '../../../../../layers/openapi/model-apis/cases.ts';
import { call } from '../../../api/call.ts';
import { asProblem } from '../../../api/problem.ts';
import { forgetShown } from '../../../state/load.ts';

const TRIES = 3;

/** Adds a case, or replaces the one with the same wish. @throws Problem */
export const keepCase = async (slug: string, one: Case): Promise<void> => {
  const path = { slug };
  for (let tries = 1; ; tries += 1) {
    const { body, etag } = await call('GET /deployments/{slug}/cases', { path });
    const isThere = body.cases.some(({ wish }) => wish === one.wish);
    const cases = isThere
      ? body.cases.map((kept) => (kept.wish === one.wish ? one : kept))
      : [...body.cases, one];
    try {
      await call('PUT /deployments/{slug}/cases', { path, body: { cases }, ifMatch: etag });
      return forgetShown(`cases:${slug}`);
    } catch (error) {
      // Somebody else has changed the cases meanwhile.
      if (asProblem(error).code !== 'stale' || tries === TRIES) throw error;
    }
  }
};
