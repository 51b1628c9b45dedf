import * as z from 'zod';
import * as mini from 'zod/mini';
import { apiBytes, documentJson, readAs } from '../../platform/http/api-body.ts';
import { type HttpEvent, isGzipType, isJsonType } from '../../platform/http/event.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { sentOf } from '../../platform/rules/shape.ts';
import type { FetchedAddress } from '../../servers/rules/fetch-terms.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import { type BodyReader, schemaOf } from '../../api/body.ts';
import { Prompt, Resource } from '../../contents/rules/contents.ts';
import { SentCredential } from '../../servers/routes/access/credential.ts';
import { SentJwtIssuer } from '../../servers/routes/access/jwt-issuer.ts';
import {
  choicesOf,
  FetchedAddresses,
  fields,
  publicationChangesOf,
} from '../../servers/routes/sent-deployment.ts';
import { ManagerName } from '../../deployments/rules/manager.ts';
import { Address } from '../../deployments/rules/publication.ts';
import { openCredential } from '../../target/rules/credential.ts';
import type { Declaration, DeclaredCredential } from '../rules/declaration.ts';

const digest = z
  .string()
  .regex(/^[\da-f]{64}$/, 'Give a SHA-256 in hexadecimal digits.')
  .meta({ description: 'SHA-256 (hex) of a text that is deployed already, in place of it.' });

const KeptCredential = sentOf(
  openCredential({
    origins: mini.exactOptional(mini.array(mini.string())),
    schemes: mini.exactOptional(mini.array(mini.string())),
    keep: mini
      .boolean()
      .check(mini.refine((keeps) => keeps, 'Leave it out, or say true.'))
      .register(mini.globalRegistry, { description: 'The secret that is set stays.' }),
  }),
);

/** Union of two schemas, told apart by a member of the first, so that errors are about the form that was meant. */
const eitherBy = <First extends z.core.$ZodType, Other extends z.core.$ZodType>(
  member: string,
  first: First,
  other: Other,
) =>
  z
    .unknown()
    .meta({ anyOf: [schemaOf(first, 'input'), schemaOf(other, 'input')] })
    .transform((sent, context): z.output<First> | z.output<Other> => {
      const isFirst = typeof sent === 'object' && sent !== null && Object.hasOwn(sent, member);
      const read = z.safeParse<First | Other>(isFirst ? first : other, sent);
      if (read.success) return read.data;
      context.issues.push(...(read.error.issues as z.core.$ZodRawIssue[]));
      return z.NEVER;
    });

const resource = mini.omit(Resource, { updatedAt: true });
const Resources = z.array(
  eitherBy(
    'sha256',
    sentOf(mini.extend(mini.omit(resource, { content: true }), { sha256: digest })),
    sentOf(resource),
  ),
);
const Prompts = z.array(
  eitherBy(
    'sha256',
    sentOf(mini.extend(mini.omit(Prompt, { template: true }), { sha256: digest })),
    sentOf(Prompt),
  ),
);

/** Not declared: the slug, which stands in the path, and the comment on a version. */
const { slug: _, comment: __, overlays, ...members } = fields;

/** Members of a declaration. Source: docs/declarations.md, "What a declaration says". */
export const declaredMembers = {
  ...members,
  overlays: overlays.refine(
    (sent) => sent?.every((one) => typeof one === 'string') !== false,
    'Give the text of the overlay, or its file: what stands at an address may change under a plan.',
  ),
  jwt_issuer: z.optional(SentJwtIssuer),
  credentials: z
    .record(z.string(), eitherBy('keep', KeptCredential, SentCredential))
    .optional()
    .meta({ description: 'By their names; the one that needs none is `main`.' }),
  resources: Resources.optional(),
  prompts: Prompts.optional(),
  protected: z.boolean().optional().meta({ description: 'No plan removes it.' }),
};

const Sent = z
  .strictObject({
    ...declaredMembers,
    openapi: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .optional()
      .meta({ description: 'The description: an object, or its text in JSON or YAML.' }),
    openapi_url: z
      .optional(Address())
      .meta({ description: 'Where the description is fetched from, each time that this changes.' }),
    openapi_sha256: digest.optional(),
  })
  .refine(
    (sent) =>
      [sent.openapi, sent.openapi_url, sent.openapi_sha256].filter((one) => one !== undefined)
        .length === 1,
    { error: 'Give one of openapi, openapi_url and openapi_sha256.', path: ['openapi'] },
  );

const Envelope = z.strictObject({
  declaration: Sent,
  managed_by: ManagerName,
  adopt: z.boolean().default(false).meta({
    description:
      'Takes over a deployment that no declaration manages: what this does not say is lost.',
  }),
  fetched: FetchedAddresses.optional().meta({
    description:
      '`fetched` of the plan that this applies: an address that says something else by now is refused (`plan_stale`). Without a plan, absent.',
  }),
});
const Planned = z.strictObject({ declaration: Sent });

/** `fields` is the body as it was sent, whose names of members are recorded. */
export interface SentDeclaration {
  readonly fields: object;
  readonly declaration: Declaration;
  readonly sendsDescription: boolean;
}

export const plannedBody = (settings: LimitsSettings): BodyReader<SentDeclaration> =>
  packedBody(settings, Planned, ({ declaration }) => sentDeclaration(declaration));

export const appliedBody = (
  settings: LimitsSettings,
): BodyReader<
  SentDeclaration & {
    readonly by: string;
    readonly adopts: boolean;
    readonly planned: readonly FetchedAddress[] | undefined;
  }
> =>
  packedBody(settings, Envelope, ({ declaration, managed_by: by, adopt, fetched }) => ({
    ...sentDeclaration(declaration),
    by,
    adopts: adopt,
    planned: fetched,
  }));

/** Body reader for JSON, plain or gzipped, large enough for a description and all contents. */
const packedBody = <Schema extends z.ZodType, Body>(
  { limits }: LimitsSettings,
  schema: Schema,
  bodyOf: (sent: z.output<Schema>) => Body,
): BodyReader<Body> => {
  const texts = limits.openapi_max_bytes + limits.resources_total_max_bytes;
  const maxBytes = 2 * texts + limits.prompts_per_deployment * limits.prompt_template_max_bytes;
  return {
    read: (event: HttpEvent) => {
      if (!isJsonType(event) && !isGzipType(event)) {
        throw new ApiRefusal(
          'unsupported_media_type',
          'Send application/json; or, if it is large, JSON packed as application/gzip.',
        );
      }
      return bodyOf(readAs(schema, documentJson(apiBytes(event, maxBytes))));
    },
    described: {
      required: true,
      description: 'Send what is large packed: the JSON object as `application/gzip`.',
      content: {
        'application/json': { schema: schemaOf(schema, 'input') },
        'application/gzip': {
          schema: { type: 'string', description: 'The JSON object, packed by gzip.' },
        },
      },
    },
  };
};

/** @throws ApiRefusal invalid_request with every fault */
export const readDeclaration = (sent: unknown): Declaration =>
  sentDeclaration(readAs(Sent, sent)).declaration;

const sentDeclaration = (sent: z.output<typeof Sent>): SentDeclaration => {
  const { openapi, openapi_url: url, openapi_sha256: sha256 = '' } = sent;
  const { overlays: _, ...publication } = publicationChangesOf(sent);
  const texts = sent.overlays?.filter((one) => typeof one === 'string');
  const text = typeof openapi === 'object' ? JSON.stringify(openapi) : openapi;
  return {
    fields: sent,
    sendsDescription: sha256 === '',
    declaration: {
      choices: { ...choicesOf(sent), jwtIssuer: sent.jwt_issuer },
      publication: { ...publication, ...(texts && { overlays: texts }) },
      description: text !== undefined ? { text } : url !== undefined ? { url } : { sha256 },
      credentials: Object.fromEntries(
        Object.entries(sent.credentials ?? {}).map(([name, one]) => [
          name,
          declaredCredential(one),
        ]),
      ),
      resources: sent.resources ?? [],
      prompts: sent.prompts ?? [],
      isProtected: sent.protected === true,
    },
  };
};

type SentCredentials = z.output<typeof KeptCredential> | z.output<typeof SentCredential>;

const declaredCredential = (sent: SentCredentials): DeclaredCredential => {
  const { origins, schemes, ...credential } = sent;
  const places = { origins, schemes };
  if (!('keep' in credential)) return { ...places, credential };
  const { keep: _, ...keeps } = credential;
  return { ...places, keeps };
};
