import { newDeployment, withChoices, withoutChoices } from '../../servers/rules/next-deployment.ts';
import { changedPublication, withoutSettings } from '../../deployments/rules/publication.ts';
import { namedCredentials } from '../../credentials/rules/deployment-credential.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import type { ContentsPorts } from '../../contents/ports.ts';
import { snakeMembers } from '../../platform/rules/shape.ts';
import { storedDescription, uploadedBytes } from '../../servers/steps/deployments/versions.ts';
import { type OpenCredential, openPart } from '../../target/rules/credential.ts';
import { type Declaration, digestOf, withDigest } from '../rules/declaration.ts';
import { type ChosenMembers, saidMembers } from '../rules/members.ts';

/** Normal form for comparing what is declared and deployed: without secrets and defaults, texts as hashes. */
export interface DeclaredForm extends Partial<ChosenMembers> {
  readonly openapi: { readonly url: string } | { readonly sha256: string };
  readonly credentials: Readonly<Record<string, object>>;
  readonly resources: Readonly<Record<string, object>>;
  readonly prompts: Readonly<Record<string, object>>;
  readonly protected?: true;
}

export const presentForm = async (
  ports: Pick<ContentsPorts, 'prompts' | 'resources' | 'versions'>,
  deployment: Deployment,
): Promise<DeclaredForm> => {
  const { id, version, publication, managedBy } = deployment;
  const [resources, prompts, stored] = await Promise.all([
    ports.resources.list(id),
    ports.prompts.list(id),
    publication.sourceUrl === undefined ? storedDescription(ports, id, version) : undefined,
  ]);
  const credentials = namedCredentials(deployment).map(([name, credential]) => [
    name,
    credentialForm(credential, credential),
  ]);
  return {
    ...saidMembers(deployment),
    openapi: stored
      ? { sha256: digestOf(uploadedBytes(stored)) }
      : { url: deployment.publication.sourceUrl ?? '' },
    credentials: Object.fromEntries(credentials),
    resources: byName(
      resources.map((resource) => {
        const { updatedAt: _, ...declared } = resource;
        return withDigest(declared, 'content');
      }),
    ),
    prompts: byName(prompts.map((prompt) => withDigest(prompt, 'template'))),
    ...(managedBy?.isProtected && { protected: true }),
  };
};

export const wantedForm = (
  before: Deployment | undefined,
  { choices, publication, description, credentials, ...declared }: Declaration,
): DeclaredForm => {
  const base = before ?? newDeployment({ id: '', slug: '', ownerId: '', title: '' }, {}, 0);
  const deployment = {
    ...withChoices(withoutChoices(base), choices),
    publication: changedPublication(withoutSettings(base.publication), publication),
  };
  const set = new Map(namedCredentials(before ?? {}));
  const wanted = Object.entries(credentials).map(([name, one]) => {
    const { origins = set.get(name)?.origins, schemes } = one;
    const open = 'keeps' in one ? one.keeps : one.credential;
    return [name, credentialForm(open, { origins, schemes })];
  });
  return {
    ...saidMembers(deployment),
    openapi:
      'url' in description
        ? { url: description.url }
        : { sha256: 'text' in description ? digestOf(description.text) : description.sha256 },
    credentials: Object.fromEntries(wanted),
    resources: byName(declared.resources.map((one) => withDigest(one, 'content'))),
    prompts: byName(declared.prompts.map((one) => withDigest(one, 'template'))),
    ...(declared.isProtected && { protected: true }),
  };
};

/** Members that the service derives from the secret, which nobody declares. */
const READ_OFF = ['notAfter'];

const credentialForm = (
  credential: OpenCredential,
  {
    origins,
    schemes,
  }: { origins?: readonly string[] | undefined; schemes?: readonly string[] | undefined },
): object => {
  const open = Object.entries(openPart(credential)).filter(([name]) => !READ_OFF.includes(name));
  return {
    ...snakeMembers(Object.fromEntries(open)),
    ...(origins && { origins }),
    ...(schemes && { schemes }),
  };
};

const byName = (contents: readonly { readonly name: string }[]): Record<string, object> =>
  Object.fromEntries(contents.map(({ name, ...content }) => [name, snakeMembers(content)]));
