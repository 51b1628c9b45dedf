import * as z from 'zod';
import { PLANS } from '../../limits/rules/plan.ts';
import { CONNECTION_OUTCOMES } from '../../platform/rules/metrics/metrics.ts';
import { CALL_OUTCOMES } from './call-outcome.ts';
import { LINE_SCHEMA, type LoggedCall } from './call-record.ts';
import { COMMAND_OUTCOMES, SECURITY_EVENTS, type ServiceEvent } from './service-event.ts';

const text = (description: string) => z.string().describe(description);
const count = (description: string) => z.int().describe(description);

const TIME = z.iso.datetime().describe('In UTC.');
const SCHEMA = z.literal(LINE_SCHEMA).describe('The version of this line.');
const DEPLOYMENT = text('The id of the server, which stays the same for as long as there is one.');
const SLUG = text('The name of the server in addresses, at that time.');
const SUBJECT = text(
  'Who it is counted for: the id of an account, what stands for somebody of another issuer, or an IP address.',
);

const begin = { time: TIME, schema: SCHEMA, id: text('Of this event alone.') };

/** Strict schemas of the log's JSON lines about calls and events. */
export const LINES = {
  tool_call: z
    .strictObject({
      time: TIME.describe(
        'In UTC: when the call was sent, or refused. Both lines of a call have the same.',
      ),
      message: z.literal('tool_call'),
      schema: SCHEMA,
      request_id: text('Of the HTTP request that carried the call.'),
      index: count('The place of the call among the messages of its request.'),
      deployment_id: DEPLOYMENT,
      version: count('The version of the server.'),
      tool: text('In search mode the operation; without a tool the method of MCP.'),
      outcome: z
        .enum(CALL_OUTCOMES)
        .describe(
          'How it ended. `unfinished`: it is sent now, and another line says its end. `refused`: nothing was sent. `no_answer`: none came from the API.',
        ),
      without_tool: z.literal(true).optional().describe('A refused request that calls no tool.'),
      trial: z.literal(true).optional().describe("The server's owner tried the tool."),
      status: count('Of the HTTP answer of the API.').optional(),
      reason: text('Why there is no answer, or a part of one.').optional(),
      faults: z
        .array(
          z.strictObject({
            argument: text('As the description names it.').optional(),
            keyword: text('What of JSON Schema it breaks.'),
            sent: text('The type of the value that was sent.').optional(),
          }),
        )
        .optional()
        .describe('What is wrong with the arguments of a refused call. No value is in it.'),
      words: z.array(z.string()).optional().describe('Of a search that found nothing.'),
      origin: text('The page in a browser that was refused.').optional(),
      duration_ms: count('What the API took. Absent while the call has not ended.').optional(),
      answer_tokens: count("What the result takes of a model's context, roughly.").optional(),
      subject: SUBJECT,
      client_id: text('The OAuth client.').optional(),
      grant_id: text('The OAuth grant behind the access token.').optional(),
      token_id: text('The `jti` of a JWT.').optional(),
      ip: text('The address that the request came from.'),
      network: text('The private network that the call was made in.').optional(),
      credential_version: text('The version of the credential that it carried.').optional(),
      credentials: z
        .array(
          z.strictObject({
            name: text('Of the credential.'),
            type: text('Its kind.'),
            version: text('Its version.'),
          }),
        )
        .optional()
        .describe('Those that it carried, where they are more than the one called `main`.'),
      slug: SLUG.optional(),
      method: text('Of the HTTP request that the tool stands for.').optional(),
      trace: text('The `traceparent` of the client, where it sent one.').optional(),
    })
    .describe(
      'A call of a tool. One that is sent has two lines, with the same deployment, time, request and index: the first says `unfinished`, the second how it ended, with `slug`, `method` and `trace`.',
    ),
  change: z
    .strictObject({
      ...begin,
      type: z.literal('change'),
      deployment_id: DEPLOYMENT,
      slug: SLUG,
      subject: text('The id of the account that changed it.'),
      operation: text('Of the management API, by its operationId.'),
      members: text('Names of the members that were sent, separated by commas.').optional(),
    })
    .describe('An owner changed something of a server.'),
  quota_warning: z
    .strictObject({
      ...begin,
      type: z.literal('quota_warning'),
      deployment_id: DEPLOYMENT,
      slug: SLUG,
      subject: SUBJECT,
      plan: z.enum(PLANS),
      window: z.enum(['hour', 'month']),
      limit: count('Requests in the window.'),
    })
    .describe('Somebody has used four fifths of what the plan allows.'),
  credential_access: z
    .strictObject({
      ...begin,
      type: z.literal('credential_access'),
      deployment_id: DEPLOYMENT,
      name: text('Of the credential; absent: `main`.').optional(),
      version: text('Of the credential.'),
      user: text('Whose call asked for it.'),
      ip: text('The address that the call came from.'),
      user_agent: text('As the client says it.').optional(),
      request_id: text('Of the HTTP request.'),
      instance: text('Of the function that asked.'),
      outcome: z.enum(CONNECTION_OUTCOMES),
      why: text('Why there was none.').optional(),
      kind: text('Of a credential that others give tokens for.').optional(),
      code: text('What these call their error.').optional(),
      duration_ms: count('How long it took.'),
    })
    .describe('A credential was asked for, with success or without.'),
  security: z
    .strictObject({
      ...begin,
      type: z.literal('security'),
      event: z.enum(SECURITY_EVENTS),
      deployment_id: DEPLOYMENT.optional(),
      slug: SLUG.optional(),
      account_id: text('The account that it is about.').optional(),
      subject: SUBJECT,
      operator_id: text("The operator's account that did it at the console.").optional(),
      why: text('In words for operators.'),
    })
    .describe('Something that concerns security.'),
  operator_command: z
    .strictObject({
      ...begin,
      type: z.literal('operator_command'),
      subject: z.literal('operators'),
      command: text('Its name.'),
      target: text('Whom or what it is about.'),
      outcome: z.enum(COMMAND_OUTCOMES),
      code: text('Of a refusal.').optional(),
      claimed_actor: text('As the sender says it: whoever may invoke a function may say any.'),
      request_id: text("AWS's id of the invocation, which CloudTrail has, too.").optional(),
    })
    .describe('An operator sent a command to a function.'),
} as const satisfies Readonly<Record<'tool_call' | ServiceEvent['type'], z.ZodObject>>;

export type LineName = keyof typeof LINES;

/** Schema for others to copy. It allows further members and enum values, which later releases may add. */
export const publishedSchema = (name: LineName): object => ({
  ...z.toJSONSchema(LINES[name], {
    io: 'input',
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
      // Redundant: `format` says the pattern, and the bounds are those of any integer.
      for (const key of ['pattern', 'minimum', 'maximum'] as const) delete jsonSchema[key];
      if (jsonSchema.enum === undefined) return;
      jsonSchema.examples = jsonSchema.enum;
      delete jsonSchema.enum;
    },
  }),
  title: `${name}-${LINE_SCHEMA}`,
});

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${SnakeCase<Rest>}`
    : `_${Lowercase<First>}${SnakeCase<Rest>}`
  : Name;
type OnTheWire<Of> = { [Key in keyof Of as SnakeCase<Key & string>]: Of[Key] };
type Plain<Of> = Of extends readonly (infer Item)[]
  ? readonly Plain<Item>[]
  : Of extends object
    ? { readonly [Key in keyof Of]: Plain<Exclude<Of[Key], undefined>> }
    : Of;
type OptionalKey<Of> = {
  [Key in keyof Of]-?: object extends Pick<Of, Key> ? Key : never;
}[keyof Of];
type Shape<Of> = readonly [Plain<Required<Of>>, OptionalKey<Of>];
/** Equal members, types and optionality. */
type Same<One, Other> =
  Shape<One> extends Shape<Other> ? (Shape<Other> extends Shape<One> ? true : never) : never;

interface Begin {
  readonly time: string;
  readonly schema: typeof LINE_SCHEMA;
  readonly id: string;
}
interface BeginOfCall {
  readonly time: string;
  readonly schema: typeof LINE_SCHEMA;
  readonly message: 'tool_call';
}
type AtTheEnd = 'durationMs' | 'slug';
type Written = {
  readonly [Type in ServiceEvent['type']]: Begin &
    OnTheWire<Extract<ServiceEvent, { readonly type: Type }>>;
} & {
  readonly tool_call: BeginOfCall &
    OnTheWire<Omit<LoggedCall, AtTheEnd | 'at'> & Partial<Pick<LoggedCall, AtTheEnd>>>;
};

/** Compiles only if the published schemas and the written lines have the same members. */
export const SAME: {
  readonly [Name in LineName]: Same<z.output<(typeof LINES)[Name]>, Written[Name]>;
} = {
  tool_call: true,
  change: true,
  quota_warning: true,
  credential_access: true,
  security: true,
  operator_command: true,
};
