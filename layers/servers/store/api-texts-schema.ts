import * as z from 'zod/mini';
import type { ApiTexts } from '../../openapi/api-texts.ts';
import type { Fields } from '../../platform/dynamodb/parse-item.ts';

export const ApiTextsSchema = z.object({
  instructions: z.string(),
  description: z.exactOptional(z.string()),
} satisfies Fields<ApiTexts>);
