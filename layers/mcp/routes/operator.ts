import * as z from 'zod/mini';
import { fetchDescription, type FetchDescriptionPorts } from '../steps/calls/fetch-description.ts';
import { tryTool, type TryToolPorts } from '../steps/calls/try-tool.ts';
import type { ToolTrial } from '../../openapi/tool-test.ts';
import { isOperatorEvent } from '../../platform/http/event.ts';
import { SERVING_SETTINGS } from '../../servers/rules/settings.ts';

/**
 * What the management function asks of the router, which alone is given credentials. Each leaves a line of its
 * own, `tool_trial` or `description_fetch`.
 *
 * @throws Error for an event that is none of management's
 */
export const operatorCommands =
  (ports: TryToolPorts & FetchDescriptionPorts) =>
  async (event: unknown): Promise<object> => {
    const { operator, ...sent } = isOperatorEvent(event) ? event : { operator: undefined };
    switch (operator) {
      case 'try-tool':
        return { ok: true, trial: await tryTool(ports, readToolTrial(sent)) };
      case 'fetch-description':
        return { ok: true, ...(await fetchedBody(ports, sent)) };
      default:
        throw new Error('not a command of this function: operator: unknown');
    }
  };

const fetchedBody = async (ports: FetchDescriptionPorts, sent: unknown): Promise<object> => {
  const answer = await fetchDescription(ports, readDescriptionFetch(sent));
  if (!answer) return {};
  const { gzipSync } = await import('node:zlib');
  const { status, headers, body } = answer;
  const contentType = headers['content-type'];
  return {
    fetched: {
      status,
      ...(contentType !== undefined && { contentType }),
      body: gzipSync(body).toString('base64'),
    },
  };
};

const text = z.string().check(z.minLength(1));

const Trial = z.strictObject({
  deployment: z.strictObject({
    id: text,
    slug: text,
    ownerId: text,
    version: z.int(),
    answerTokenBudget: z.exactOptional(z.nullable(z.int())),
    answerFields: z.exactOptional(z.array(z.string())),
    argumentChecks: z.exactOptional(SERVING_SETTINGS.argumentChecks.value),
    credential: z.exactOptional(z.strictObject({ version: text, setAt: z.int() })),
  }),
  tool: z.string(),
  arguments: z.optional(z.unknown()),
  sender: z.strictObject({
    ip: z.string(),
    userAgent: z.optional(z.string()),
    requestId: z.string(),
  }),
});

/** What the management function asks of the router. @throws Error that names the place, and no value */
const readToolTrial = (sent: unknown): ToolTrial => {
  const read = z.safeParse(Trial, sent);
  if (read.success) return { ...read.data, arguments: read.data.arguments };
  throw new Error(`not a trial of a tool: ${read.error.issues[0]?.path.join('.') ?? ''}`);
};

const DescriptionFetch = z.strictObject({
  deployment: z.strictObject({ id: text, slug: text, ownerId: text, version: text }),
  url: text,
  requestId: text,
});

/** The same of a description that is fetched with a credential. @throws Error that names the place, and no value */
const readDescriptionFetch = (sent: unknown): z.output<typeof DescriptionFetch> => {
  const read = z.safeParse(DescriptionFetch, sent);
  if (read.success) return read.data;
  throw new Error(`not a fetch of a description: ${read.error.issues[0]?.path.join('.') ?? ''}`);
};
