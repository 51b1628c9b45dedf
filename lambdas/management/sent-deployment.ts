import { inToolMode, type PublicationSettings } from '@hosted-mcp/core/management';
import { ApiRefusal } from '@hosted-mcp/core/refusal';
import * as z from 'zod';
import { Access, fields, Overrides, source } from './deployment-fields.ts';
import { jsonText } from './description-body.ts';

/** What a request says of a deployment. */
export type Fields = Partial<z.output<typeof Fields>>;
const Fields = z.strictObject(fields);

/** The same as a query says it, beside a description that is the body. */
const queryFields = {
  slug: fields.slug,
  name: fields.name,
  mcp_auth_method: fields.mcp_auth_method,
  api_base_url: fields.api_base_url.unwrap().unwrap().optional(),
  server_variables: jsonText(fields.server_variables.unwrap().unwrap()),
  operations: jsonText(fields.operations.unwrap().unwrap()),
  overrides: jsonText(Overrides),
  tool_mode: fields.tool_mode,
  tool_token_budget: jsonText(fields.tool_token_budget.unwrap()),
  access: jsonText(Access),
  allowed_origins: jsonText(fields.allowed_origins.unwrap()),
};
export const QueryFields = z.strictObject(queryFields);

export const NewDeployment = z
  .strictObject({ ...source, ...fields })
  .refine((sent) => (sent.openapi === undefined) !== (sent.openapi_url === undefined), {
    error: 'Give either openapi or openapi_url.',
    path: ['openapi'],
  });

export const Patch = z
  .strictObject({ ...source, ...fields, status: z.enum(['active', 'paused']).optional() })
  .refine((sent) => sent.openapi === undefined || sent.openapi_url === undefined, {
    error: 'Give either openapi or openapi_url.',
    path: ['openapi'],
  });

export const NewDescription = z
  .strictObject(source)
  .refine((sent) => (sent.openapi === undefined) !== (sent.openapi_url === undefined), {
    error: 'Give either openapi or openapi_url.',
    path: ['openapi'],
  });

export const choicesOf = (sent: Fields) => ({
  name: sent.name,
  authMethod: sent.mcp_auth_method,
  access: sent.access,
  allowedOrigins: sent.allowed_origins,
});

/** Whether tools are to be made anew. */
export const concernsTools = (sent: Fields): boolean =>
  [
    sent.api_base_url,
    sent.server_variables,
    sent.operations,
    sent.overrides,
    sent.tool_mode,
    sent.tool_token_budget,
  ].some((field) => field !== undefined);

/** What is sent in place of what was; null takes it away. */
export const publicationOf =
  (sent: Fields) =>
  (before: PublicationSettings): PublicationSettings => {
    const { apiBaseUrl, serverVariables, operations, overrides, ...rest } = before;
    const [base, variables, choice] = [
      merged(apiBaseUrl, sent.api_base_url),
      merged(serverVariables, sent.server_variables),
      merged(operations, sent.operations),
    ];
    const kept = Object.entries({ ...overrides, ...sent.overrides }).flatMap(([key, override]) =>
      override === null ? [] : [[key, override] as const],
    );
    const settings = {
      ...rest,
      ...(base !== undefined && { apiBaseUrl: base }),
      ...(variables && { serverVariables: variables }),
      ...(choice && { operations: choice }),
      ...(sent.tool_token_budget !== undefined && { toolTokenBudget: sent.tool_token_budget }),
      ...(kept.length > 0 && { overrides: checkedSize(Object.fromEntries(kept)) }),
    };
    return sent.tool_mode === undefined ? settings : inToolMode(settings, sent.tool_mode);
  };

const merged = <Value>(before: Value | undefined, sent: Value | null | undefined) =>
  sent === undefined ? before : (sent ?? undefined);

/** They stand in the deployment's one item, which every request to the router may read. */
const MAX_OVERRIDES_BYTES = 65_536;

const checkedSize = <Value>(overrides: Value): Value => {
  if (Buffer.byteLength(JSON.stringify(overrides)) <= MAX_OVERRIDES_BYTES) return overrides;
  throw new ApiRefusal('invalid_request', 'The overrides are too large.', [
    {
      where: '/overrides',
      what: `more than ${MAX_OVERRIDES_BYTES} bytes in all`,
      mend: 'Override fewer operations, or in fewer words.',
    },
  ]);
};
