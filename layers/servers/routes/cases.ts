import { isoTime } from '../../platform/rules/time.ts';
import * as z from 'zod';
import { jsonBody } from '../../api/body.ts';
import { etag, ifMatch } from '../../api/request.ts';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';
import { apiReply } from '../../platform/http/reply.ts';
import { bodyOf, camelMembers, sentOf, shownOf, toWire } from '../../platform/rules/shape.ts';
import { CaseList, type CaseRun, type KeptCases } from '../rules/cases.ts';
import { findCaseRuns, findCases, createCaseRun, replaceCases } from '../steps/cases.ts';
import type { PortsOf } from '../../platform/ports.ts';

const Shown = shownOf(CaseList);

const tokens = z.int().min(0).max(1_000_000_000_000);
const model = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, 'Give vendor and model, as in anthropic/claude-sonnet-4-5.');
const hash = z.string().regex(/^[0-9a-f]{64}$/, 'Give what POST /descriptions answers.');

const Reported = z
  .strictObject({
    model,
    version: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Whose tools it was shown. Otherwise `tools_hash`.' }),
    tools_hash: hash.optional().meta({
      description: 'Of the tools that it was shown, as `POST /descriptions` names them.',
    }),
    wrong: z
      .array(z.string().min(1).max(2000))
      .max(500)
      .meta({ description: 'Wishes of the cases that were not right. All others were.' }),
    input_tokens: tokens,
    output_tokens: tokens,
  })
  .refine(({ version, tools_hash }) => (version === undefined) !== (tools_hash === undefined), {
    error: 'Give either a version or a hash.',
    path: ['version'],
  });

const Run = z.object({
  at: z.iso.datetime(),
  model: z.string(),
  version: z.int().optional().meta({
    description: 'Whose tools it was shown; absent: those of a description that was not published.',
  }),
  tools_hash: z.string(),
  cases_revision: z
    .string()
    .meta({ description: 'Of the cases that it was asked: the ETag of `GET .../cases` then.' }),
  right: z.int(),
  cases: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
});

const Runs = z.object({
  runs: z.array(Run).meta({ description: 'The latest first, 20 at most.' }),
  results: z
    .array(z.object({ wish: z.string(), right: z.boolean() }))
    .meta({ description: 'Of the latest.' }),
});

const CASES = '/deployments/{slug}/cases';
const RUNS = '/deployments/{slug}/case-runs';
const TAGGED = { ETag: 'Their revision, for If-Match.' };
const MAX_BYTES = 512 * 1024;
const tag = 'cases';

/** Source: docs/evaluation.md. */
export const caseRoutes = (ports: PortsOf<typeof findCases>): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: CASES,
    operationId: 'getCases',
    effects: [],
    tag,
    summary: 'Wishes, each with the tool that a model should choose.',
    answers: { 200: { description: 'All of them.', schema: Shown, headers: TAGGED } },
    handle: async ({ user, parameters: { slug } }) =>
      casesReply(await findCases(ports, { ownerId: user.id, slug })),
  }),
  ownerRoute({
    method: 'PUT',
    path: CASES,
    operationId: 'replaceCases',
    effects: [],
    conditional: true,
    whileManaged: () => true,
    tag,
    summary: 'Replaces all cases.',
    body: jsonBody(sentOf(CaseList), { maxBytes: MAX_BYTES }),
    answers: { 200: { description: 'All of them.', schema: Shown, headers: TAGGED } },
    handle: async ({ event, user, parameters: { slug }, body: { cases } }) => {
      const owned = { ownerId: user.id, slug };
      return casesReply(await replaceCases(ports, owned, cases, ifMatch(event)));
    },
  }),
  ownerRoute({
    method: 'GET',
    path: RUNS,
    operationId: 'listCaseRuns',
    effects: [],
    tag,
    summary: 'What came of asking models the cases.',
    answers: { 200: { description: 'The latest runs.', schema: Runs } },
    handle: async ({ user, parameters: { slug } }) => {
      const { runs, results } = await findCaseRuns(ports, { ownerId: user.id, slug });
      return apiReply(200, { runs: runs.map(runBody), results });
    },
  }),
  ownerRoute({
    method: 'POST',
    path: RUNS,
    operationId: 'createCaseRun',
    effects: [],
    conditional: true,
    whileManaged: () => true,
    tag,
    summary:
      'Keeps what came of asking a model all cases. The service asks no model: whoever did says how it went. ' +
      '`If-Match` names the cases that it was asked.',
    body: jsonBody(Reported, { maxBytes: MAX_BYTES }),
    answers: { 201: { description: 'The run.', schema: Run } },
    handle: async ({ event, user, parameters: { slug }, body, attempt }) => {
      const owned = { ownerId: user.id, slug };
      const run = await createCaseRun(ports, owned, camelMembers(body), ifMatch(event), attempt);
      return apiReply(201, runBody(run));
    },
  }),
];

const casesReply = ({ cases, revision }: KeptCases) =>
  apiReply(200, toWire(CaseList, { cases }), etag(revision));

const runBody = (run: CaseRun): z.input<typeof Run> => bodyOf(Run, { ...run, at: isoTime(run.at) });
