import * as z from 'zod/mini';
import { openCarried } from '../../target/rules/credential.ts';
import type { CredentialNeed } from '../../openapi/credential-needs.ts';
import type { Encoding } from '../../openapi/intake/parse.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import { ApiTextsSchema } from './deployment.ts';
import { PublicationSettings } from './publication.ts';
import { exactly, storedOf, type ValueOf } from '../../platform/rules/shape.ts';

const Warning = exactly<Finding>()(
  z.object({ where: z.string(), what: z.string(), hint: z.string() }),
);

const Way = z.union([openCarried(), z.object({ type: z.literal('aws') })]);

const Need = exactly<CredentialNeed>()(
  z.object({
    operations: z.int(),
    example: z.string(),
    ways: z.array(Way),
    together: z.exactOptional(z.array(z.array(Way))),
    expires: z.exactOptional(z.literal(true)),
    login: z.exactOptional(z.string()),
    loginFields: z.exactOptional(z.array(z.string())),
    client: z.exactOptional(
      z.object({
        tokenUrl: z.exactOptional(z.string()),
        issuer: z.exactOptional(z.string()),
        scopes: z.exactOptional(z.array(z.string())),
      }),
    ),
    others: z.array(z.string()),
  }),
);

const Upload = z.object({
  mediaType: z.string(),
  encoding: exactly<Encoding>()(
    z.object({ name: z.enum(['utf-8', 'utf-16le', 'utf-16be']), hasMark: z.boolean() }),
  ),
});
export type Upload = ValueOf<typeof Upload>;

const VersionOrigin = z.object({
  /** `refresh`: the service, from a description that it fetched again. */
  by: z.enum(['owner', 'operator', 'refresh']),
  comment: z.exactOptional(z.string()),
});
export type VersionOrigin = ValueOf<typeof VersionOrigin>;

/** Summary of a version, with all that restoring it takes. */
export const VersionNotes = z.object({
  toolCount: z.int(),
  apiBaseUrl: z.string(),
  apiTexts: z.exactOptional(ApiTextsSchema),
  sourceHash: z.string(),
  publication: storedOf(PublicationSettings),
  warnings: z.array(Warning),
  /** What its operations require of credentials. Absent in versions from before this was stored. */
  credentialNeeds: z.exactOptional(z.array(Need)),
  createdAt: z.int(),
  /** Absent in versions from before this was stored. */
  origin: z.exactOptional(VersionOrigin),
  upload: Upload,
});
export type VersionNotes = ValueOf<typeof VersionNotes>;
