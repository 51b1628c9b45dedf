import { apiReply } from '../../platform/http/reply.ts';
import { listedTool, outputSchema } from '../../openapi/tool-index.ts';
import { type OwnedTool, withNotes } from '../rules/tool-report.ts';
import { inVersion, ownedDeployment } from '../../deployments/steps/owned-deployment.ts';
import { ownedSearchTools } from '../steps/deployments/search-tools.ts';
import { Fault } from '../../platform/rules/fault.ts';
import type { DeploymentsPorts } from '../../deployments/ports.ts';
import type { ToolTrialResult } from '../../openapi/tool-test.ts';
import { tryOwnedTool } from '../steps/deployments/try-owned-tool.ts';
import { verdictOn } from '../../openapi/model-apis/verdict.ts';
import * as z from 'zod';
import { jsonBody } from '../../api/body.ts';
import { pageBody, pageOf, pageQuery, pageWithin } from '../../api/page.ts';
import { etag, ifMatch } from '../../api/request.ts';
import { revisionTag } from '../../deployments/rules/revision.ts';
import { type ApiRoute, ownerRoute } from '../../api/route.ts';
import type { PortsOf } from '../../platform/ports.ts';
import { shortened } from '../../platform/rules/text.ts';

export const ModelApis = z.enum(['claude', 'openai', 'gemini', 'bedrock']);

export const Tool = z.object({
  name: z.string(),
  method: z.string(),
  path: z.string(),
  server_url: z.string(),
  operation_id: z.string().optional(),
  title: z.string().optional(),
  description: z.string(),
  input_schema: z
    .looseObject({})
    .optional()
    .meta({ description: 'Absent where it is too long for the answer.' }),
  output_schema: z
    .looseObject({})
    .optional()
    .meta({ description: 'Of its structured results; absent where they are text alone.' }),
  annotations: z.looseObject({}),
  tokens: z.int().meta({ description: 'What it takes of the context of a model, roughly.' }),
  accepted_by: z
    .array(ModelApis)
    .meta({ description: 'Model APIs that take its name, description and arguments.' }),
  refused_by: z.array(z.object({ api: ModelApis, complaints: z.array(z.string()) })),
  notes: z
    .array(
      z.object({
        what: z.string(),
        why: z.string(),
        arguments: z.array(z.string()).optional(),
      }),
    )
    .meta({ description: 'What was renamed, rewritten, shortened, left out, hidden or fixed.' }),
});

const AnswerSize = z.object({
  bytes: z.int(),
  tokens: z.int().meta({ description: 'Roughly, as budgets count them.' }),
});

const Trial = z.object({
  result: z
    .looseObject({ content: z.array(z.looseObject({})), isError: z.boolean().optional() })
    .optional()
    .meta({ description: 'As `tools/call` gives it; absent if there was no answer.' }),
  error: z
    .object({ code: z.string(), message: z.string(), data: z.unknown().optional() })
    .optional()
    .meta({ description: 'Why there was no answer, as a client would see it.' }),
  request: z
    .object({
      method: z.string(),
      url: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.string().optional(),
      body_bytes: z.int(),
    })
    .optional()
    .meta({ description: 'What was sent, secrets masked; absent if nothing was.' }),
  answer: z
    .object({ status: z.int(), headers: z.record(z.string(), z.string()), ...AnswerSize.shape })
    .optional()
    .meta({
      description:
        'Status and headers of the answer, secrets masked, and the size of what a client gets of it; absent if none came.',
    }),
  answer_fields: z
    .object({
      missing: z.array(z.string()).meta({ description: 'Pointers for which it has nothing.' }),
      chosen: AnswerSize,
      whole: AnswerSize.extend({
        text: z.string().meta({ description: 'Up to 40,000 characters of it.' }),
      }),
    })
    .optional()
    .meta({ description: 'Where models are shown only some members of the answer.' }),
  duration_ms: z.number(),
});

const SearchTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  input_schema: z.looseObject({}),
  annotations: z.looseObject({}),
});

const LIST = 'tools';

const LOOKED_AT = {
  ETag: 'The revision of the deployment, for the If-Match of a trial of what is shown here.',
};

export const toolRoutes = (
  ports: PortsOf<typeof ownedSearchTools | typeof tryOwnedTool> &
    Pick<DeploymentsPorts, 'toolReports'>,
): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/deployments/{slug}/tools',
    operationId: 'listTools',
    effects: [],
    tag: 'tools',
    summary: 'Each tool with its method and path, and what was done to make it of them.',
    query: pageQuery(LIST).extend({
      version: z.coerce
        .number('Give the number of a version.')
        .int('Give the number of a version.')
        .optional()
        .meta({ description: 'One that can be returned to; the served one if omitted.' }),
    }),
    answers: { 200: { description: 'A page of them.', schema: pageOf(Tool), headers: LOOKED_AT } },
    handle: async ({ user, parameters: { slug }, query }) => {
      const deployment = await ownedDeployment(ports, { ownerId: user.id, slug });
      const { id, version } = inVersion(deployment, query.version);
      const [index, report] = await Promise.all([
        ports.toolIndexes.find(id, version),
        ports.toolReports.find(id, version),
      ]);
      if (!index) throw new Fault('dynamodb', 'a served version has no tool index');
      const { items, next } = pageWithin(withNotes(index, report), query, shortTool);
      return apiReply(200, pageBody(LIST, items, next), etag(revisionTag(deployment)));
    },
  }),

  ownerRoute({
    method: 'GET',
    path: '/deployments/{slug}/search-tools',
    operationId: 'listSearchTools',
    effects: [],
    tag: 'tools',
    summary:
      'The tools that clients are shown in search mode; none where each operation is a tool.',
    answers: {
      200: {
        description: 'All of them.',
        schema: z.object({ tools: z.array(SearchTool) }),
        headers: LOOKED_AT,
      },
    },
    handle: async ({ user, parameters: { slug } }) => {
      const { deployment, tools } = await ownedSearchTools(ports, { ownerId: user.id, slug });
      const shown = tools.map(({ inputSchema, ...tool }) => ({
        ...tool,
        input_schema: inputSchema,
      }));
      return apiReply(200, { tools: shown }, etag(revisionTag(deployment)));
    },
  }),

  ownerRoute({
    method: 'POST',
    path: '/deployments/{slug}/tools/{name}/test',
    operationId: 'testTool',
    effects: ['call'],
    whileManaged: () => true,
    isUnrecorded: true,
    conditional: true,
    tag: 'tools',
    summary: 'Calls a tool with the credential, and shows the call beside its result.',
    body: jsonBody(
      z.strictObject({
        arguments: z.record(z.string(), z.unknown()).optional(),
        version: z
          .int()
          .optional()
          .meta({ description: 'One that can be returned to; the served one if omitted.' }),
        search: z.boolean().optional().meta({
          description:
            'Whether the name is that of a tool of search mode, as `GET .../search-tools` lists them, and not that of an operation.',
        }),
      }),
    ),
    answers: { 200: { description: 'How it went, also if it failed.', schema: Trial } },
    handle: async ({ event, user, may, parameters: { slug, name }, body }) => {
      const { http, requestId } = event.requestContext;
      const trial = await tryOwnedTool(ports, user, may, slug, {
        tool: name,
        version: body.version,
        revisions: ifMatch(event),
        isSearch: body.search ?? false,
        arguments: body.arguments,
        sender: { ip: http.sourceIp, userAgent: event.headers['user-agent'], requestId },
      });
      return apiReply(200, trialBody(trial));
    },
  }),
];

export const toolBody = ({ tool, notes }: OwnedTool) => {
  const { name, operation, output } = tool;
  const shown = listedTool(tool);
  const { tokens, acceptedBy, refusedBy } = verdictOn(shown);
  return {
    name,
    method: operation.method,
    path: operation.path,
    server_url: operation.serverUrl,
    ...(operation.operationId !== undefined && { operation_id: operation.operationId }),
    ...(shown.title !== undefined && { title: shown.title }),
    description: shown.description,
    input_schema: shown.inputSchema,
    ...(output && { output_schema: outputSchema(output) }),
    annotations: shown.annotations,
    tokens,
    accepted_by: acceptedBy.map((api) => api.toLowerCase()),
    refused_by: refusedBy.map(({ api, complaints }) => ({ api: api.toLowerCase(), complaints })),
    notes,
  };
};

/** Longer tools are listed without schemas and notes. */
const MOST_TOOL_BYTES = 1_000_000;
const MOST_TEXT = 2000;

const shortTool = (owned: OwnedTool) => {
  const whole = toolBody(owned);
  if (Buffer.byteLength(JSON.stringify(whole)) <= MOST_TOOL_BYTES) return whole;
  const { input_schema: _, output_schema: __, operation_id: id, notes, ...rest } = whole;
  return {
    ...rest,
    path: shortened(rest.path, MOST_TEXT),
    ...(id !== undefined && { operation_id: shortened(id, MOST_TEXT) }),
    refused_by: rest.refused_by.map(({ api, complaints }) => ({
      api,
      complaints: complaints.map((one) => shortened(one, MOST_TEXT)),
    })),
    notes: [
      {
        what: `its schemas and ${notes.length} notes are not shown here`,
        why: `they take more than ${MOST_TOOL_BYTES} bytes`,
      },
    ],
  };
};

const trialBody = ({ request, answerFields, durationMs, ...end }: ToolTrialResult): object => {
  const { bodyBytes, ...shown } = request ?? {};
  return {
    ...end,
    ...(answerFields && { answer_fields: answerFields }),
    ...(request && {
      request: { ...shown, url: shortened(request.url, MOST_TEXT), body_bytes: bodyBytes },
    }),
    duration_ms: durationMs,
  };
};
