import { ApiRefusal, type Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { ServersPorts } from '../ports.ts';
import {
  type Case,
  type CaseRun,
  type CaseRuns,
  checkCases,
  type KeptCases,
  toolsHash,
} from '../rules/cases.ts';
import { type Owned, ownedDeployment } from '../../deployments/steps/owned-deployment.ts';

type CasePorts = Pick<ServersPorts, 'cases' | 'clock' | 'deploymentEditor' | 'toolIndexes'>;

/** Results of a run, as the caller reports them: the service itself calls no model. */
export interface ReportedRun {
  readonly model: string;
  /** Version whose tools the model saw; otherwise `toolsHash`. */
  readonly version?: number | undefined;
  readonly toolsHash?: string | undefined;
  readonly wrong: readonly string[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** @throws ApiRefusal not_found */
export const findCases = async (ports: CasePorts, owned: Owned): Promise<KeptCases> => {
  const { id } = await ownedDeployment(ports, owned);
  return ports.cases.find(id);
};

/** @param revisions - that may be replaced; any if omitted @throws ApiRefusal not_found, stale, invalid_request */
export const replaceCases = async (
  ports: CasePorts,
  owned: Owned,
  cases: readonly Case[],
  revisions: readonly string[] | undefined,
): Promise<KeptCases> => {
  const { id } = await ownedDeployment(ports, owned);
  checkCases(cases);
  if ((await ports.cases.replace(id, cases, revisions)) === 'stale') throw stale();
  return ports.cases.find(id);
};

/** @throws ApiRefusal not_found */
export const findCaseRuns = async (ports: CasePorts, owned: Owned): Promise<CaseRuns> => {
  const { id } = await ownedDeployment(ports, owned);
  return ports.cases.runs(id);
};

/**
 * Stores the results of a run of all cases.
 *
 * @param revisions - of the cases that were asked; the current ones if omitted
 * @param attempt - id of the request
 * @throws ApiRefusal not_found, stale, invalid_request
 * Source: docs/decisions/management.md, "Cases".
 */
export const createCaseRun = async (
  ports: CasePorts,
  owned: Owned,
  reported: ReportedRun,
  revisions: readonly string[] | undefined,
  attempt: string,
): Promise<CaseRun> => {
  const deployment = await ownedDeployment(ports, owned);
  const { cases, revision } = await ports.cases.find(deployment.id);
  if (revisions?.includes(revision) === false) throw stale();
  if (cases.length === 0) throw invalidRun('/wrong', 'there are no cases', 'Keep some first.');
  const wrong = new Set(reported.wrong);
  const results = cases.map(({ wish }) => ({ wish, right: !wrong.has(wish) }));
  const wishes = new Set(cases.map(({ wish }) => wish));
  const stray = reported.wrong.findIndex((wish) => !wishes.has(wish));
  if (stray >= 0) {
    throw invalidRun(
      `/wrong/${stray}`,
      'no wish of a case',
      'Send wishes of the cases that are kept.',
    );
  }
  const { model, version, inputTokens, outputTokens } = reported;
  const run: CaseRun = {
    at: ports.clock.now(),
    model,
    ...(version !== undefined && { version }),
    toolsHash: reported.toolsHash ?? (await hashOf(ports, deployment, version)),
    casesRevision: revision,
    right: results.filter(({ right }) => right).length,
    cases: results.length,
    inputTokens,
    outputTokens,
  };
  await ports.cases.addRun(deployment.id, run, results, attempt);
  return run;
};

const hashOf = async (
  { toolIndexes }: CasePorts,
  { id, history }: { readonly id: string; readonly history: readonly number[] },
  version: number | undefined,
): Promise<string> => {
  const index =
    version !== undefined && history.includes(version)
      ? await toolIndexes.find(id, version)
      : undefined;
  if (index) return toolsHash(index);
  throw invalidRun('/version', 'no such version', 'Choose one of GET .../versions.');
};

const stale = () =>
  new ApiRefusal('stale', 'The cases were changed in the meantime: read them again.');

const invalidRun = (where: string, what: Finding['what'], hint: string) =>
  new ApiRefusal('invalid_request', 'This is no run of the cases that are kept.', [
    { where, what, hint },
  ]);
