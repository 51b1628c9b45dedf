import { jsonText } from '../../platform/http/reply.ts';
import { management } from '../../platform/rules/addresses.ts';
import type { PlatformSettings } from '../../platform/ports.ts';
import * as z from 'zod';
import { type ApiRoute, publicRoute } from '../../api/route.ts';
import type { JsonSchema } from '../../api/body.ts';
import { overridesSchema } from './sent-deployment.ts';

interface ServedSchema {
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  /** @param address - of the schema itself */
  readonly schemaAt: (address: string) => JsonSchema;
}

/** Public route of a JSON Schema for editors, built at the first request. */
export const schemaRoute = (
  { settings }: { readonly settings: PlatformSettings },
  { schemaAt, ...facts }: ServedSchema,
): ApiRoute => {
  let text: string | undefined;
  const schemaText = () => JSON.stringify(schemaAt(management(settings.baseUrl) + facts.path));
  return publicRoute({
    ...facts,
    method: 'GET',
    answers: {
      200: {
        description: 'A JSON Schema of dialect 2020-12.',
        schema: z.looseObject({ $schema: z.string() }),
      },
    },
    handle: () => Promise.resolve(jsonText(200, (text ??= schemaText()))),
  });
};

/** Source: docs/tools.md, "Overrides". */
export const overridesSchemaRoute = (ports: { readonly settings: PlatformSettings }): ApiRoute =>
  schemaRoute(ports, {
    path: '/overrides.schema.json',
    operationId: 'getOverridesSchema',
    tag: 'description',
    summary: 'A JSON Schema of overrides, for editors.',
    schemaAt: overridesSchema,
  });
