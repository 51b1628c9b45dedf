import * as z from 'zod/mini';
import type { AccessPolicy } from '../rules/access/access-policy.ts';
import { MCP_AUTH_METHODS } from '../rules/auth-methods.ts';
import { DeploymentCredential } from '../../credentials/rules/deployment-credential.ts';
import type { Deployment } from '../rules/deployment.ts';
import { SERVING_SETTINGS, storedSettings } from '../rules/settings.ts';
import { JWT_ALGORITHMS, type JwtIssuer } from '../../tokens/rules/jwt/jwt-issuer.ts';
import { PLANS } from '../../limits/rules/plan.ts';
import { ApiTextsSchema } from './api-texts-schema.ts';
import { deploymentKey } from '../../platform/dynamodb/keys.ts';
import { type Fields, parseItem } from '../../platform/dynamodb/parse-item.ts';
import { PublicationJson } from './versions/publication-schema.ts';

const count = z.int().check(z.minimum(0));
const texts = z.array(z.string());

const Access = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('owner') }),
  z.object({ mode: z.literal('allow_list'), emails: texts, domains: texts }),
  z.object({ mode: z.literal('any_user') }),
]) satisfies z.ZodMiniType<AccessPolicy>;

const Issuer = z.object({
  issuer: z.string(),
  jwksUri: z.string(),
  audience: z.string(),
  algorithms: z.array(z.enum(JWT_ALGORITHMS)).check(z.minLength(1)),
} satisfies Fields<JwtIssuer>);

type Attributes = Omit<Deployment, 'authMethod'> & { mcpAuthMethod: Deployment['authMethod'] };

const Item = z.pipe(
  z.object({
    id: z.string().check(z.minLength(1)),
    slug: z.string().check(z.minLength(1)),
    ownerId: z.string(),
    ownerPlan: z.enum(PLANS),
    ownerUsage: z.exactOptional(z.string()),
    name: z.string(),
    instructions: z.exactOptional(z.string()),
    description: z.exactOptional(z.string()),
    websiteUrl: z.exactOptional(z.string()),
    status: z.enum(['active', 'paused', 'stopped', 'removing']),
    // Named as the interface specification names it.
    mcpAuthMethod: z.enum(MCP_AUTH_METHODS),
    access: Access,
    jwtIssuer: z.exactOptional(Issuer),
    credential: z.exactOptional(DeploymentCredential),
    allowedOrigins: texts,
    ...storedSettings(SERVING_SETTINGS),
    apiBaseUrl: z.string(),
    apiTexts: z.exactOptional(ApiTextsSchema),
    version: count.check(z.minimum(1)),
    history: z.array(count),
    publication: PublicationJson,
    toolCount: count,
    completions: z.exactOptional(count),
    sourceHash: z.string(),
    createdAt: count,
    updatedAt: count,
    revision: count,
  } satisfies Fields<Attributes>),
  z.transform(({ mcpAuthMethod: authMethod, ...item }): Deployment => ({ ...item, authMethod })),
);

/** @throws Fault if the item does not have its form */
export const parseDeployment = (slug: string, item: unknown): Deployment | undefined =>
  item === undefined ? undefined : parseItem(Item, item, `deployment ${slug}`);

export const deploymentItem = ({ authMethod, publication, ...deployment }: Deployment) => ({
  ...deploymentKey(deployment.slug),
  ...deployment,
  mcpAuthMethod: authMethod,
  publication: JSON.stringify(publication),
});
