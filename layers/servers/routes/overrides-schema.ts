import { jsonText } from '../../platform/http/reply.ts';
import { management } from '../../platform/rules/addresses.ts';
import type { Settings } from '../../ports.ts';
import * as z from 'zod';
import { type ApiRoute, publicRoute } from '../../api/route.ts';
import { overridesSchema } from './sent-deployment.ts';

const PATH = '/overrides.schema.json';

/** What editors check a file of overrides by: the same for everybody. Source: docs/tools.md, "Overrides". */
export const overridesSchemaRoute = ({ settings }: { readonly settings: Settings }): ApiRoute => {
  let text: string | undefined;
  return publicRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getOverridesSchema',
    tag: 'description',
    summary: 'A JSON Schema of overrides, for editors.',
    answers: {
      200: {
        description: 'A JSON Schema of dialect 2020-12.',
        schema: z.looseObject({ $schema: z.string() }),
      },
    },
    handle: () =>
      Promise.resolve(
        jsonText(
          200,
          (text ??= JSON.stringify(overridesSchema(management(settings.baseUrl) + PATH))),
        ),
      ),
  });
};
