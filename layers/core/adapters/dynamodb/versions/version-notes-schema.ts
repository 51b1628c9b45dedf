import * as z from 'zod/mini';
import type { Finding } from '../../../domain/refusal.ts';
import type { Encoding } from '../../../domain/openapi/index.ts';
import type { Upload, VersionNotes } from '../../../ports.ts';
import type { Fields } from '../table/parse-item.ts';
import { ApiTextsSchema } from '../deployments/api-texts-schema.ts';
import { PublicationSchema } from './publication-schema.ts';

const Warning = z.object({
  where: z.string(),
  what: z.string(),
  hint: z.string(),
} satisfies Fields<Finding>);

export const VersionNotesSchema = z.object({
  toolCount: z.int(),
  apiBaseUrl: z.string(),
  apiTexts: z.exactOptional(ApiTextsSchema),
  sourceHash: z.string(),
  publication: PublicationSchema,
  warnings: z.array(Warning),
  createdAt: z.int(),
  upload: z.object({
    mediaType: z.string(),
    encoding: z.object({
      name: z.enum(['utf-8', 'utf-16le', 'utf-16be']),
      hasMark: z.boolean(),
    } satisfies Fields<Encoding>),
  } satisfies Fields<Upload>),
} satisfies Fields<VersionNotes>);
