import { PUBLICATION_SETTINGS, SERVING_SETTINGS } from '../rules/settings.ts';
import type { PublicationChanges } from '../rules/publication-changes.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import * as z from 'zod';
import { Access } from './access-fields.ts';
import { fields, Overrides, source } from './deployment-fields.ts';
import { jsonText } from './description-body.ts';
import { queriedSettings, settingChanges } from './setting-fields.ts';

/** What a request says of a deployment. */
export type Fields = Partial<z.output<typeof Fields>>;
const Fields = z.strictObject(fields);

/** The same as a query says it, beside a description that is the body. */
const queryFields = {
  slug: fields.slug,
  name: fields.name,
  instructions: fields.instructions.unwrap().unwrap().optional(),
  description: fields.description.unwrap().unwrap().optional(),
  website_url: fields.website_url.unwrap().unwrap().optional(),
  mcp_auth_method: fields.mcp_auth_method,
  api_base_url: fields.api_base_url.unwrap().unwrap().optional(),
  server_variables: jsonText(fields.server_variables.unwrap().unwrap()),
  operations: jsonText(fields.operations.unwrap().unwrap()),
  overrides: jsonText(Overrides),
  overlays: jsonText(fields.overlays.unwrap().unwrap()),
  ...queriedSettings(PUBLICATION_SETTINGS),
  access: jsonText(Access),
  allowed_origins: jsonText(fields.allowed_origins.unwrap()),
  ...queriedSettings(SERVING_SETTINGS),
  comment: fields.comment,
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
  .strictObject({ ...source, comment: fields.comment })
  .refine((sent) => (sent.openapi === undefined) !== (sent.openapi_url === undefined), {
    error: 'Give either openapi or openapi_url.',
    path: ['openapi'],
  });

export const choicesOf = (sent: Fields) => ({
  name: sent.name,
  instructions: sent.instructions,
  description: sent.description,
  websiteUrl: sent.website_url,
  authMethod: sent.mcp_auth_method,
  access: sent.access,
  allowedOrigins: sent.allowed_origins,
  ...settingChanges(SERVING_SETTINGS, sent),
});

export const publicationChangesOf = (sent: Fields): PublicationChanges => ({
  apiBaseUrl: sent.api_base_url,
  serverVariables: sent.server_variables,
  operations: sent.operations,
  overrides: sent.overrides,
  overlays: sent.overlays,
  ...settingChanges(PUBLICATION_SETTINGS, sent),
});

export const checkSlugStays = (slug: string, sent: string | undefined): void => {
  if (sent === undefined || sent === slug) return;
  throw new ApiRefusal('invalid_request', 'A slug stays as it is.', [
    { where: '/slug', what: 'cannot be changed', hint: 'Make a new deployment.' },
  ]);
};

export const noDescription = () =>
  new ApiRefusal('invalid_request', 'Some fields are missing or wrong.', [
    { where: '/openapi', what: 'missing', hint: 'Give either openapi or openapi_url.' },
  ]);
