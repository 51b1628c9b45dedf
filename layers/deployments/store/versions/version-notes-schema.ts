import * as z from 'zod/mini';
import { openCarried } from '../../../target/rules/credential.ts';
import type { VersionNotes } from '../../rules/versions.ts';
import { ApiTextsSchema } from '../../rules/deployment.ts';
import { PublicationSettings } from '../../rules/publication.ts';
import { exactly, storedOf } from '../../../platform/rules/shape.ts';

const Warning = z.object({
  where: z.string(),
  what: z.string(),
  hint: z.string(),
});

const Way = z.union([openCarried(), z.object({ type: z.literal('aws') })]);

const CredentialNeedSchema = z.object({
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
});

export const VersionNotesSchema = exactly<VersionNotes>()(
  z.object({
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
      }),
    ),
    upload: z.object({
      mediaType: z.string(),
      encoding: z.object({
        name: z.enum(['utf-8', 'utf-16le', 'utf-16be']),
        hasMark: z.boolean(),
      }),
    }),
  }),
);
