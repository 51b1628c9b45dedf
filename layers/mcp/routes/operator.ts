import { gzipSync } from 'node:zlib';
import * as z from 'zod/mini';
import { fetchDescription } from '../steps/calls/fetch-description.ts';
import { tryTool } from '../steps/calls/try-tool.ts';
import { isOperatorEvent } from '../../platform/http/event.ts';
import {
  CONNECTED_KINDS,
  CREDENTIAL_KINDS,
  type CredentialKind,
} from '../../target/rules/credential.ts';
import { SERVING_SETTINGS } from '../../deployments/rules/settings.ts';
import type { PortsOf } from '../../platform/ports.ts';

/**
 * Commands that the management function invokes on the router, which alone may read credentials.
 * Each logs a line: `tool_trial`, `credential_trial` or `description_fetch`.
 * @throws Error for an event that is none of these commands
 */
export const operatorCommands =
  (ports: PortsOf<typeof tryTool | typeof fetchDescription>) =>
  async (event: unknown): Promise<object> => {
    const { operator, ...sent } = isOperatorEvent(event) ? event : { operator: undefined };
    switch (operator) {
      case 'try-tool': {
        const trial = read(Trial, sent, 'trial of a tool');
        return { ok: true, trial: await tryTool(ports, { ...trial, arguments: trial.arguments }) };
      }
      case 'try-credential': {
        const { tryCredential } = await import('../steps/calls/try-credential.ts');
        const trial = read(CredentialTrialEvent, sent, 'trial of a credential');
        return { ok: true, trial: await tryCredential(ports, trial) };
      }
      case 'fetch-description':
        return { ok: true, ...(await fetchedBody(ports, sent)) };
      default:
        throw new Error('not a command of this function: operator: unknown');
    }
  };

const fetchedBody = async (
  ports: PortsOf<typeof fetchDescription>,
  sent: unknown,
): Promise<object> => {
  const answer = await fetchDescription(
    ports,
    read(DescriptionFetch, sent, 'fetch of a description'),
  );
  if (!answer) return {};
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

const Sender = z.strictObject({
  ip: z.string(),
  userAgent: z.optional(z.string()),
  requestId: z.string(),
});

const Trial = z.strictObject({
  deployment: z.strictObject({
    id: text,
    slug: text,
    ownerId: text,
    sealedFor: z.exactOptional(text),
    version: z.int(),
    name: z.exactOptional(text),
    network: z.exactOptional(text),
    requestHeaders: z.exactOptional(z.record(text, z.string())),
    certificateAuthorities: z.exactOptional(z.array(text)),
    answerTokenBudget: z.exactOptional(z.nullable(z.int())),
    answerFields: z.exactOptional(z.array(z.string())),
    answerHeaders: z.exactOptional(z.array(z.string())),
    argumentChecks: z.exactOptional(SERVING_SETTINGS.argumentChecks.value),
    credential: z.exactOptional(z.strictObject({ version: text, setAt: z.int() })),
    credentials: z.exactOptional(
      z.record(
        text,
        z.strictObject({
          type: z.enum(Object.keys(CREDENTIAL_KINDS) as readonly CredentialKind[]),
          origins: z.array(text),
          schemes: z.exactOptional(z.array(text)),
          in: z.exactOptional(z.enum(['header', 'query', 'cookie'])),
          name: z.exactOptional(text),
          nameUser: z.exactOptional(z.boolean()),
          login: z.exactOptional(text),
          version: text,
          setAt: z.int(),
        }),
      ),
    ),
  }),
  tool: z.string(),
  isSearch: z.exactOptional(z.literal(true)),
  arguments: z.optional(z.unknown()),
  sender: Sender,
});

const CredentialTrialEvent = z.strictObject({
  deployment: z.strictObject({
    id: text,
    slug: text,
    ownerId: text,
    sealedFor: z.exactOptional(text),
    certificateAuthorities: z.exactOptional(z.array(text)),
  }),
  name: text,
  type: z.enum(Object.keys(CREDENTIAL_KINDS) as readonly CredentialKind[]),
  version: text,
  perCaller: z.exactOptional(z.literal(true)),
  sender: Sender,
});

const DescriptionFetch = z.strictObject({
  deployment: z.strictObject({
    id: text,
    slug: text,
    ownerId: text,
    sealedFor: z.exactOptional(text),
    version: z.exactOptional(text),
    type: z.exactOptional(z.enum(CONNECTED_KINDS)),
    perCaller: z.exactOptional(z.literal(true)),
    names: z.exactOptional(z.array(text)),
    network: z.exactOptional(text),
    certificateAuthorities: z.exactOptional(z.array(text)),
  }),
  url: text,
  headers: z.exactOptional(z.record(text, z.string())),
  requestId: text,
});

/** @throws Error that names the faulty place, and no value: values may be credentials */
const read = <Schema extends z.core.$ZodType>(
  schema: Schema,
  sent: unknown,
  what: string,
): z.output<Schema> => {
  const parsed = z.safeParse(schema, sent);
  if (parsed.success) return parsed.data;
  throw new Error(`not a ${what}: ${parsed.error.issues[0]?.path.join('.') ?? ''}`);
};
