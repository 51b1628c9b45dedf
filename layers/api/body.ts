import { apiJson, readAs } from '../platform/http/api-body.ts';
import type { HttpEvent } from '../platform/http/event.ts';
import * as z from 'zod';

/** A JSON Schema of dialect 2020-12, as OpenAPI 3.1 writes them. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** How a route's body is read, and what its description says of it: one place for both. */
export interface BodyReader<Body> {
  /** @throws ApiRefusal */
  read(event: HttpEvent): Body;
  /** OpenAPI's `requestBody`. */
  readonly described: JsonSchema;
}

export interface JsonBodyOptions {
  readonly maxBytes?: number;
}

export const jsonBody = <Schema extends z.core.$ZodType>(
  schema: Schema,
  { maxBytes }: JsonBodyOptions = {},
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
