import type { Json, JsonObject } from '../../platform/rules/json/json.ts';
import type { ParameterLocation, Style } from './parameter-style.ts';

/** A parameter that becomes an argument. */
export interface Parameter extends Style {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly required: boolean;
  readonly schema: Json | undefined;
  /** Its own description, example and so on, which win over the schema's. */
  readonly annotations: JsonObject;
  /** Set for `content` parameters. */
  readonly mediaType?: string;
  /** See `OperationParameter`. */
  readonly isQuery?: true;
}
