import { apiJson, readAs } from '../platform/http/api-body.ts';
import type { HttpEvent } from '../platform/http/event.ts';
import * as z from 'zod';

/** Dialect 2020-12, as in OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Reads a route's body and describes it, so that both agree. */
export interface BodyReader<Body> {
  /** @throws ApiRefusal */
  read(event: HttpEvent): Body;
  /** OpenAPI's `requestBody`. */
  readonly described: JsonSchema;
}

export const jsonBody = <Schema extends z.core.$ZodType>(
  schema: Schema,
  { maxBytes }: { readonly maxBytes?: number } = {},
): BodyReader<z.output<Schema>> => ({
  read: (event) => readAs(schema, apiJson(event, maxBytes)),
  described: {
    required: true,
    content: { 'application/json': { schema: schemaOf(schema, 'input') } },
  },
});

/** @param direction - what is sent, or what is answered */
export const schemaOf = (schema: z.core.$ZodType, direction: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: direction,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  });
  return described;
};
