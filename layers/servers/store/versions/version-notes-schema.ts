import * as z from 'zod/mini';
import { openCredential } from '../../../target/rules/credential.ts';
import type { CredentialNeed } from '../../../openapi/credential-needs.ts';
import type { Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import type { Encoding } from '../../../openapi/intake/encoding.ts';
import type { Upload, VersionNotes, VersionOrigin } from '../../rules/versions.ts';
import type { Fields } from '../../../platform/dynamodb/parse-item.ts';
import { ApiTextsSchema } from '../../rules/deployment.ts';
import { PublicationSettings } from '../../rules/publication.ts';
import { storedOf } from '../../../platform/rules/shape.ts';

const Warning = z.object({
  where: z.string(),
  what: z.string(),
  hint: z.string(),
} satisfies Fields<Finding>);

const CredentialNeedSchema = z.object({
  operations: z.int(),
  example: z.string(),
  ways: z.array(openCredential({})),
  expires: z.exactOptional(z.literal(true)),
  others: z.array(z.string()),
} satisfies Fields<CredentialNeed>);

export const VersionNotesSchema = z.object({
  toolCount: z.int(),
  apiBaseUrl: z.string(),
  apiTexts: z.exactOptional(ApiTextsSchema),
  sourceHash: z.string(),
  publication: storedOf(PublicationSettings),
  warnings: z.array(Warning),
  credentialNeeds: z.exactOptional(z.array(CredentialNeedSchema)),
  createdAt: z.int(),
  origin: z.exactOptional(
    z.object({
      by: z.enum(['owner', 'operator', 'refresh']),
      comment: z.exactOptional(z.string()),
    } satisfies Fields<Required<VersionOrigin>>),
  ),
  upload: z.object({
    mediaType: z.string(),
    encoding: z.object({
      name: z.enum(['utf-8', 'utf-16le', 'utf-16be']),
      hasMark: z.boolean(),
    } satisfies Fields<Encoding>),
  } satisfies Fields<Upload>),
} satisfies Fields<VersionNotes>);
