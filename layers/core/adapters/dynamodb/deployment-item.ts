import * as z from 'zod/mini';
import type { AccessPolicy, Deployment, DeploymentCredential } from '../../domain/deployment.ts';
import { JWT_ALGORITHMS, type JwtIssuer } from '../../domain/jwt-issuer.ts';
import { PublicationText } from './publication-form.ts';
import { stored } from './stored.ts';

const count = z.int().check(z.minimum(0));
const texts = z.array(z.string());

const Access = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('owner') }),
  z.object({ mode: z.literal('allow_list'), emails: texts, domains: texts }),
  z.object({ mode: z.literal('any_user') }),
]) satisfies z.ZodMiniType<AccessPolicy>;

const Issuer = z.object({
  issuer: z.string(),
  jwks_uri: z.string(),
  audience: z.string(),
  algorithms: z.array(z.enum(JWT_ALGORITHMS)).check(z.minLength(1)),
});

const set = { version: z.string(), set_at: count };
const CredentialItem = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['bearer', 'basic']), ...set }),
  z.object({
    type: z.literal('api_key'),
    name: z.string(),
    in: z.enum(['header', 'query', 'cookie']),
    ...set,
  }),
]);

const Item = z.pipe(
  z.object({
    id: z.string().check(z.minLength(1)),
    slug: z.string().check(z.minLength(1)),
    owner_id: z.string(),
    // Items from before there were plans have none.
    owner_plan: z._default(z.enum(['free', 'pro']), 'free'),
    name: z.string(),
    status: z.enum(['active', 'paused', 'removing']),
    auth_method: z.enum(['oauth', 'jwt', 'none']),
    access: Access,
    jwt_issuer: z.exactOptional(Issuer),
    credential: z.exactOptional(CredentialItem),
    allowed_origins: texts,
    api_base_url: z.string(),
    version: count.check(z.minimum(1)),
    // Items from before there was a way back have neither.
    history: z.exactOptional(z.array(count)),
    publication: z.exactOptional(PublicationText),
    tool_count: count,
    source_hash: z.string(),
    created_at: count,
    updated_at: count,
    revision: count,
  }),
  z.transform((item): Deployment => ({
    id: item.id,
    slug: item.slug,
    ownerId: item.owner_id,
    ownerPlan: item.owner_plan,
    name: item.name,
    status: item.status,
    authMethod: item.auth_method,
    access: item.access,
    ...(item.jwt_issuer && { jwtIssuer: issuerFrom(item.jwt_issuer) }),
    ...(item.credential && { credential: credentialFrom(item.credential) }),
    allowedOrigins: item.allowed_origins,
    apiBaseUrl: item.api_base_url,
    version: item.version,
    history: item.history ?? [item.version],
    publication: item.publication ?? {},
    toolCount: item.tool_count,
    sourceHash: item.source_hash,
    createdAt: item.created_at,
    updatedAt: item.updated_at,
    revision: item.revision,
  })),
);

export const deploymentKey = (slug: string) => ({ pk: `SLUG#${slug}` });

/** @throws Fault if the item does not have its form */
export const deploymentFrom = (slug: string, item: unknown): Deployment | undefined =>
  item === undefined ? undefined : stored(Item, item, `deployment ${slug}`);

export const deploymentItem = (deployment: Deployment) => ({
  ...deploymentKey(deployment.slug),
  id: deployment.id,
  slug: deployment.slug,
  owner_id: deployment.ownerId,
  owner_plan: deployment.ownerPlan,
  name: deployment.name,
  status: deployment.status,
  auth_method: deployment.authMethod,
  access: deployment.access,
  ...(deployment.jwtIssuer && { jwt_issuer: issuerItem(deployment.jwtIssuer) }),
  ...(deployment.credential && { credential: credentialItem(deployment.credential) }),
  allowed_origins: deployment.allowedOrigins,
  api_base_url: deployment.apiBaseUrl,
  version: deployment.version,
  history: deployment.history,
  publication: JSON.stringify(deployment.publication),
  tool_count: deployment.toolCount,
  source_hash: deployment.sourceHash,
  created_at: deployment.createdAt,
  updated_at: deployment.updatedAt,
  revision: deployment.revision,
});

const issuerFrom = ({ jwks_uri: jwksUri, ...issuer }: z.output<typeof Issuer>): JwtIssuer => ({
  ...issuer,
  jwksUri,
});

const issuerItem = ({ jwksUri: jwks_uri, ...issuer }: JwtIssuer) => ({ ...issuer, jwks_uri });

const credentialFrom = ({
  set_at: setAt,
  ...credential
}: z.output<typeof CredentialItem>): DeploymentCredential => ({ ...credential, setAt });

const credentialItem = ({ setAt: set_at, ...credential }: DeploymentCredential) => ({
  ...credential,
  set_at,
});
