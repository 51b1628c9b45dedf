import { eachAtOnce } from '../../platform/rules/at-once.ts';
import type { MaintenancePorts } from '../ports.ts';

type TakeCarePorts = Pick<
  MaintenancePorts,
  'careRequests' | 'clock' | 'credentialMarks' | 'timeLeft' | 'watchedDeployments'
>;

const PAGE = 1000;
const AT_ONCE = 16;
/** Enough for the requests of one page. */
const LEAST_MS = 60_000;

/**
 * Asks the management function, asynchronously, to take care of each deployment that needs it: the API refused its
 * credential and the owner does not know, or its description is to be fetched anew. Daily ones are spread over the
 * hours.
 * @returns number of requests, and whether all deployments were looked at; the next hour starts over
 * Source: docs/decisions/descriptions.md, "Descriptions that are fetched again".
 */
export const takeCare = async ({
  careRequests,
  clock,
  credentialMarks,
  timeLeft,
  watchedDeployments,
}: TakeCarePorts): Promise<{ readonly asked: number; readonly complete: boolean }> => {
  const marks = await credentialMarks.list();
  const marked = new Set(marks.map(({ deploymentId, version }) => `${deploymentId}#${version}`));
  const hour = Math.floor(clock.now() / 3600) % 24;
  let asked = 0;
  let after: string | undefined;
  do {
    const page = await watchedDeployments.page({ limit: PAGE, after });
    const due = page.items.filter(
      ({ id, untoldCredential, refresh }) =>
        marked.has(`${id}#${untoldCredential}`) ||
        refresh === 'hourly' ||
        (refresh === 'daily' && hourOf(id) === hour),
    );
    await eachAtOnce(AT_ONCE, due, ({ slug }) => careRequests.send(slug));
    asked += due.length;
    after = page.next;
  } while (after !== undefined && timeLeft.ms() > LEAST_MS);
  return { asked, complete: after === undefined };
};

/** Hour from 0 to 23, constant for a deployment. */
const hourOf = (id: string): number =>
  [...id].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 24, 0);
