import { wireManagement } from '../../layers/core/wiring/management.ts';
import { accountRouteDescriptions } from '../../lambdas/management/account-routes.ts';
import { openApiDocument } from '../../lambdas/management/frame/openapi.ts';
import { routesOf } from '../../lambdas/management/server.ts';
import { functions } from '../../lambdas/manifest.ts';
import type { OpenApi } from './operations-module.ts';

/** The management API's description of itself. Nothing is connected to: routes are only read. */
export const managementDocument = (): OpenApi => {
  const routes = routesOf(wireManagement(ENVIRONMENT));
  return openApiDocument(BASE_URL, [...accountRouteDescriptions, ...routes]) as unknown as OpenApi;
};

const BASE_URL = 'http://127.0.0.1:8787/v1';

const ENVIRONMENT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(functions.management.environment.map((name) => [name, 'unused'])),
  BASE_URL,
  LIMITS: '',
  ORIGIN_SECRETS: '',
  CREDENTIAL_STORE: 'envelope',
  CREDENTIAL_STORE_FORMER: '',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'unused',
  AWS_SECRET_ACCESS_KEY: 'unused',
};
