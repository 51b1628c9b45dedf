// Writes the management API's types for the console, from the API's description of itself. `npm test`
// does it before its gates; `npm run console-types` does it for an editor.
import { writeFileSync } from 'node:fs';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { accountRouteDescriptions } from '../layers/management/routes/account-routes.ts';
import { openApiDocument } from '../layers/api/openapi.ts';
import { routesOf } from '../layers/management/routes/server.ts';
import { functions } from '../lambdas/manifest.ts';
import { wireManagement } from '../lambdas/management/wiring.ts';

const FILE = new URL('../console/src/api/openapi.ts', import.meta.url);
const BASE_URL = 'http://127.0.0.1:8787/v1';

/** Placeholders for settings: routes are only read, nothing is connected to. */
const ENVIRONMENT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(functions.management.environment.map((name) => [name, 'unused'])),
  BASE_URL,
  LIMITS: '',
  PROTOCOL_VERSIONS: '',
  SIGN_UP: 'closed',
  NETWORKS: '',
  ORIGIN_SECRETS: '',
  ASSUMABLE_ROLES: '',
  CREDENTIAL_STORE: 'envelope',
  CREDENTIAL_STORE_FORMER: '',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'unused',
  AWS_SECRET_ACCESS_KEY: 'unused',
};

const description = openApiDocument(BASE_URL, [
  ...accountRouteDescriptions,
  ...routesOf(wireManagement(ENVIRONMENT)),
]);
const types = await openapiTypescript(description as unknown as OpenAPI3, { immutable: true });
writeFileSync(FILE, astToString(types));
