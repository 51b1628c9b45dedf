import type { Json, JsonObject } from '../document.ts';
import type { Place, Style } from './parameter-style.ts';

/** A parameter that becomes an argument. */
export interface Parameter extends Style {
  readonly name: string;
  readonly in: Place;
  readonly required: boolean;
  readonly schema: Json | undefined;
  /** Its own description, example and so on, which win over the schema's. */
  readonly annotations: JsonObject;
  /** Set for `content` parameters. */
  readonly mediaType?: string;
  /** See `OperationParameter`. */
  readonly isQuery?: true;
}
