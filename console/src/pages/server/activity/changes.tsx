import { readAll } from '../../../api/pages-of.ts';
import { Show } from '../../../kit/show.tsx';
import { Time } from '../../../kit/time.tsx';
import { useLoad } from '../../../state/load.ts';
import { useAccount } from '../../../state/session.ts';
import type { Range } from './range.ts';

const SHOWN = 200;

interface Change {
  readonly at: string;
  readonly subject?: unknown;
  readonly operation?: unknown;
  readonly members?: unknown;
}

/** What was done, by the operation of the API that did it. */
const DONE: Readonly<Record<string, string>> = {
  changeDeployment: 'changed settings',
  replaceDescription: 'published a description',
  rollBack: 'rolled back',
  setCredential: 'set the credential',
  removeCredential: 'removed the credential',
  setJwtIssuer: 'set the issuer of tokens',
  removeJwtIssuer: 'removed the issuer of tokens',
  mintToken: 'created an API token',
  revokeToken: 'revoked an API token',
  revokeGrant: 'revoked the access of a client',
  createResource: 'added a resource',
  replaceResource: 'changed a resource',
  removeResource: 'removed a resource',
  createPrompt: 'added a prompt',
  replacePrompt: 'changed a prompt',
  removePrompt: 'removed a prompt',
};

/** Who changed what of a server, the latest first. */
export const Changes = ({ slug, range }: { readonly slug: string; readonly range: Range }) => {
  const account = useAccount();
  const changes = useLoad<readonly Change[]>(
    `changes:${slug}:${range.id}`,
    async () =>
      (await readAll(
        'GET /deployments/{slug}/activity',
        { path: { slug }, query: { type: 'change', since: range.sinceText } },
        { most: SHOWN },
      )) as readonly Change[],
  );
  return (
    <section>
      <h2>Changes</h2>
      <Show loaded={changes}>
        {(all) =>
          all.length === 0 ? (
            <p class="soft">Nothing was changed in that time.</p>
          ) : (
            <ul class="events">
              {all.map((change, index) => (
                <li key={index}>
                  <Time at={change.at} />
                  <span class="grow">
                    {change.subject === account?.id ? account?.email : 'Somebody'} {doneBy(change)}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Show>
    </section>
  );
};

/** `changed settings: name, access` */
const doneBy = ({ operation, members }: Change): string => {
  const done = DONE[String(operation)] ?? 'changed something';
  return operation === 'changeDeployment' && typeof members === 'string'
    ? `${done}: ${members.replaceAll('_', ' ')}`
    : done;
};
