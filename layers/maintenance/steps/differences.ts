import type { Deployment } from '../../deployments/rules/deployment.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { Counted, Inventory } from '../rules/inventory.ts';
import { type CredentialName, MAIN } from '../../credentials/rules/credential-name.ts';
import type { CredentialVersionState } from '../../credentials/store/stores.ts';

const PARTS = ['INDEX', 'SPEC', 'NOTES', 'REPORT'];

/** Stored data that a deployment's row must agree with. */
export interface StoredBeside {
  readonly holding: Inventory;
  readonly credentials: readonly StoredBesideCredential[];
  readonly activeSlugs: readonly string[];
}

export interface StoredBesideCredential {
  readonly name: CredentialName;
  /** Version in use; undefined where the deployment uses none of this name. */
  readonly version: string | undefined;
  readonly kept: CredentialVersionState | undefined;
  /** Versions in the store that the stage used before. */
  readonly former: CredentialVersionState | undefined;
}

export const differencesOf = (deployment: Deployment, beside: StoredBeside): readonly Finding[] => [
  ...versionDifferences(deployment, beside.holding),
  ...contentDifferences(deployment, beside.holding),
  ...beside.credentials.flatMap((one) => credentialDifferences(deployment, one)),
  ...(deployment.status === 'active' && !beside.activeSlugs.includes(deployment.slug)
    ? [
        {
          where: `OWNER#${deployment.ownerId}`,
          what: `does not count the active deployment ${deployment.slug}`,
          hint: 'Add its slug to activeSlugs, or have its owner pause and resume it.',
        },
      ]
    : []),
];

const versionDifferences = (deployment: Deployment, { parts }: Inventory): readonly Finding[] => {
  const where = placeOf(deployment);
  const known = [...new Set([...deployment.history, deployment.version])];
  const missing = known.flatMap((version) => {
    const searched = version === deployment.version && deployment.publication.toolMode === 'search';
    return [...PARTS, ...(searched ? ['SEARCH'] : [])]
      .filter((part) => !parts.some((one) => one.version === version && one.part === part))
      .map((part) => ({
        where,
        what: `${part} of version ${version} is missing`,
        hint: `Put back the item V#${String(version).padStart(6, '0')}#${part} of DEP#${deployment.id}.`,
      }));
  });
  const lost = parts.flatMap(({ version, part, file }) =>
    file === undefined || file.isThere
      ? []
      : [
          {
            where,
            what: `the file with ${part} of version ${version} is missing`,
            hint: `Remove the delete marker of ${file.key}.`,
          },
        ],
  );
  const unknown = new Set(parts.map(({ version }) => version).filter((v) => !known.includes(v)));
  const unnamed = [...unknown].map((version) => ({
    where,
    what: `version ${version} is stored, and the row does not know it`,
    hint: 'Row and contents are of different seconds: restore both to the same one. No version of this number can be published.',
  }));
  return [...missing, ...lost, ...unnamed];
};

const contentDifferences = (deployment: Deployment, holding: Inventory): readonly Finding[] => {
  const where = placeOf(deployment);
  const miscounted = ({ stored, counted }: Counted, what: string, item: string) =>
    stored === counted
      ? []
      : [
          {
            where,
            what: `${stored} ${what} are stored, and ${counted} are counted`,
            hint: `Put back what is missing, or correct ${item} of DEP#${deployment.id}.`,
          },
        ];
  return [
    ...holding.notFoundByUri.map((name) => ({
      where,
      what: `the resource ${name} is not found by its uri`,
      hint: 'Put back its URI# item, or have its owner remove and make it.',
    })),
    ...holding.uriWithoutResource.map((name) => ({
      where,
      what: `a uri is kept for the resource ${name}, which does not have it`,
      hint: 'Put back the resource, or remove the URI# item: no other resource can use the uri.',
    })),
    ...miscounted(holding.resources, 'resources', 'TOTALS#RES'),
    ...miscounted(holding.prompts, 'prompts', 'TOTALS#PROMPT'),
  ];
};

const credentialDifferences = (
  deployment: Deployment,
  { name, version, kept, former }: StoredBesideCredential,
): readonly Finding[] => {
  const where = placeOf(deployment);
  const its = name === MAIN ? 'its credential' : `its credential ${name}`;
  const left =
    former && !former.isDeleted
      ? [
          {
            where,
            what: `the store before has ${its}, or an earlier one`,
            hint: 'hosted-mcp admin move-credentials takes it out of there.',
          },
        ]
      : [];
  if (version === undefined || isThere(version, kept) || isThere(version, former)) return left;
  const again = 'Restore it, or have its owner set the credential again.';
  if (!kept) return [...left, { where, what: `${its} is missing`, hint: again }];
  if (kept.isDeleted) {
    const what = `${its} is being deleted`;
    return [...left, { where, what, hint: 'Restore the secret.' }];
  }
  return [...left, { where, what: `${its} has no version ${version}`, hint: again }];
};

const isThere = (version: string, kept: CredentialVersionState | undefined): boolean =>
  kept?.isDeleted === false && kept.versions.includes(version);

const placeOf = ({ slug }: Deployment): string => `SLUG#${slug}`;
