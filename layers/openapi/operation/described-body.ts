import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { PropertyEncoding } from '../tool-index.ts';
import type { Json } from '../../platform/rules/json/json.ts';

/** A body as the description has it, for the media type that was chosen. */
export interface DescribedBody {
  readonly mediaType: string;
  /** Every media type that the API takes it in, that one among them. */
  readonly offered: readonly string[];
  readonly required: boolean;
  readonly schema: Json | undefined;
  readonly description?: Json;
  readonly encoding: Readonly<Record<string, PropertyEncoding>>;
  readonly warnings: readonly Finding[];
}
