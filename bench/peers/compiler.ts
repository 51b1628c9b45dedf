/** What a contender needs of this repository: bundled into one file, as it is when deployed. */
import { DEFAULT_LIMITS } from '../../layers/core/domain/access/limits.ts';

export {
  compileTools,
  readDescription,
  selectOperations,
} from '../../layers/core/domain/openapi/index.ts';
export const MAX_BYTES = DEFAULT_LIMITS.openapi_max_bytes;
export const MAX_DEPTH = DEFAULT_LIMITS.openapi_max_depth;
