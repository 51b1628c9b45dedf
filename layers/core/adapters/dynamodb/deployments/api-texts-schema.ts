import * as z from 'zod/mini';
import type { ApiTexts } from '../../../domain/deployments/deployment.ts';
import type { Fields } from '../table/parse-item.ts';

export const ApiTextsSchema = z.object({
  instructions: z.string(),
  description: z.exactOptional(z.string()),
} satisfies Fields<ApiTexts>);
