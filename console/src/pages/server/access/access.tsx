import { useState } from 'preact/hooks';
import type { Problem } from '../../../api/problem.ts';
import { Radios } from '../../../kit/choice.tsx';
import { Command, quoted } from '../../../kit/copy.tsx';
import { fieldsOf, Form, SaveButtons, sentence, TextArea } from '../../../kit/form.tsx';
import { ProblemNote } from '../../../kit/show.tsx';
import { filledLines, linesOf } from '../../../kit/words.ts';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { exposuresOf, useOpeningQuestion } from '../../opening.tsx';
import { type Server, useServer } from '../frame.tsx';
import { Grants } from './grants.tsx';
import { Invite } from './invite.tsx';
import { Issuer } from './issuer.tsx';
import { MintedTokens } from './minted-tokens.tsx';

export const Page = () => {
  const { server } = useServer();
  return (
    <>
      <Policy />
      {server.mcp_auth_method === 'oauth' && (
        <>
          <Invite />
          <Grants />
        </>
      )}
      {server.mcp_auth_method === 'jwt' && (
        <>
          <MintedTokens />
          <Issuer />
        </>
      )}
    </>
  );
};

const draftOf = (server: Server) => ({
  authMethod: server.mcp_auth_method,
  mode: server.access.mode,
  allowed: [...(server.access.emails ?? []), ...(server.access.domains ?? [])].join('\n'),
  docs: server.docs,
  origins: server.allowed_origins.join('\n'),
});

const Policy = () => {
  const { server, patch, put, reload } = useServer();
  const [draft, change, clear] = useDraft(`access:${server.slug}`, draftOf(server));
  const access = accessOf(draft.mode, draft.allowed);
  const [sent, setSent] = useState<typeof access>();
  const opening = useOpeningQuestion('Let them in');
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(server));
  const saving = useAction(async () => {
    setSent(access);
    const callers = { mcp_auth_method: draft.authMethod, access };
    if (!(await opening.agreed(await exposuresOf(server, callers)))) return;
    const rest = { docs: draft.docs, allowed_origins: linesOf(draft.origins) };
    put(await patch({ ...callers, ...rest }));
    clear();
  });
  const field = fieldsOf(draft, change, saving.problem);
  return (
    <Form class="panel" onSubmit={() => saving.run()}>
      <h2>Who may call it</h2>
      <Radios
        legend="Authentication"
        {...field('authMethod')}
        options={{
          oauth: ['Sign-in (OAuth)', 'Clients open a page where their user signs in and agrees.'],
          jwt: [
            'API tokens',
            'Programs call it with tokens that you create here, or of an issuer of your own.',
          ],
          none: ['Public', 'Nobody signs in; calls are limited by address.'],
        }}
      />
      {draft.authMethod === 'oauth' && (
        <>
          <Radios
            legend="Who may sign in"
            {...field('mode')}
            options={{
              owner: 'Only you',
              allow_list: ['These people', 'By address, or everybody of a domain.'],
              any_user: 'Everybody with an account here',
            }}
          />
          {draft.mode === 'allow_list' && (
            <Allowed {...field('allowed')} problem={saving.problem} sent={sent} />
          )}
        </>
      )}
      <details open={draft.docs === 'public' || draft.origins !== ''}>
        <summary>Documentation page and clients in browsers</summary>
        <Radios
          legend="Who sees the tools on the documentation page"
          {...field('docs')}
          options={{ protected: 'Who may use it', public: 'Everybody' }}
        />
        <TextArea
          label="Origins of clients that run in a browser"
          hint="One per line, as https://app.example.com. For public servers."
          rows={2}
          {...field('origins', '/allowed_origins')}
        />
      </details>
      <ProblemNote
        problem={saving.problem}
        shownAt={['/allowed_origins', ...(draft.mode === 'allow_list' ? ['/access'] : [])]}
        onStale={reload}
      />
      {opening.dialog}
      <SaveButtons saving={saving} isChanged={isChanged} onUndo={clear} />
      <Command lines={commandOf(server.slug, draft, access)} />
    </Form>
  );
};

const commandOf = (
  slug: string,
  draft: ReturnType<typeof draftOf>,
  { emails, domains }: ReturnType<typeof accessOf>,
): string =>
  [
    `npx --no-install hosted-mcp set ${slug} --auth ${draft.authMethod}`,
    ...(draft.authMethod !== 'oauth'
      ? []
      : draft.mode === 'allow_list'
        ? [...emails, ...domains].map((one) => `--allow ${quoted(one)}`)
        : [`--access ${draft.mode}`]),
    `--docs ${draft.docs}`,
    ...linesOf(draft.origins).map((one) => `--allowed-origin ${quoted(one)}`),
  ].join(' ');

/** `example.org` and `@example.org` are domains. */
const isDomain = (entry: string): boolean => entry.lastIndexOf('@') < 1;

const accessOf = (mode: Server['access']['mode'], text: string) => {
  const entries = mode === 'allow_list' ? filledLines(text) : [];
  return {
    mode,
    emails: entries.filter((entry) => !isDomain(entry)),
    domains: entries.filter(isDomain).map((entry) => entry.replace(/^@/, '')),
  };
};

interface AllowedProps {
  readonly value: string;
  readonly onValue: (text: string) => void;
  readonly problem: Problem | undefined;
  /** The policy that the service refused: the lines may have changed since. */
  readonly sent: Pick<ReturnType<typeof accessOf>, 'emails' | 'domains'> | undefined;
}

const Allowed = ({ value, onValue, problem, sent }: AllowedProps) => {
  /** A half-typed address is not wrong yet: lines are judged when the field is left. */
  const [isTyping, setTyping] = useState(false);
  const entries = filledLines(value);
  const faults = entries.map((entry) => faultOf(entry, problem, sent));
  const refused = faults.flatMap((fault, index) => (fault === undefined ? [] : [index + 1]));
  const whole = problem?.findings.find(({ where }) => where === '/access');
  return (
    <>
      <TextArea
        label="Addresses and domains"
        hint="One per line: ada@example.com, or example.org for everybody there."
        rows={4}
        value={value}
        onValue={onValue}
        onFocus={() => setTyping(true)}
        onBlur={() => setTyping(false)}
        fault={
          whole
            ? sentence(whole.what, whole.hint)
            : refused.length > 0
              ? `Refused: ${refused.map((line) => `line ${line}`).join(', ')}.`
              : undefined
        }
      />
      {entries.length > 0 && (
        <ol class="allowed" aria-label="What the lines mean">
          {entries.map((entry, index) => (
            <li key={index}>
              <code>{entry}</code> <Means entry={entry} fault={faults[index]} isTyping={isTyping} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
};

/** Leaving the field changes nothing but colours: a line that wraps anew would move the button being pressed. */
const Means = ({
  entry,
  fault,
  isTyping,
}: {
  readonly entry: string;
  readonly fault: string | undefined;
  readonly isTyping: boolean;
}) => {
  const isWrong = fault !== undefined || (!isTyping && !isWellFormed(entry));
  return (
    <span class={isWrong ? 'fault' : 'soft'}>
      {fault ?? (isWellFormed(entry) ? meaningOf(entry) : WRITTEN)}
    </span>
  );
};

const WRITTEN = 'Write an address as ada@example.com, or a domain as example.org.';

/** A first look in the browser; the service decides. */
const isWellFormed = (entry: string): boolean =>
  !entry.startsWith('*') &&
  /^(?:[^\s@<>]*@)?(?:localhost|(?:[^\s@<>*.]+\.)+[^\s@<>*.]+)$/i.test(entry);

const meaningOf = (entry: string): string =>
  isDomain(entry)
    ? 'everybody with an address of this domain, not of its subdomains'
    : 'this address';

const faultOf = (
  entry: string,
  problem: Problem | undefined,
  sent: AllowedProps['sent'],
): string | undefined => {
  const list = isDomain(entry) ? 'domains' : 'emails';
  const text = list === 'domains' ? entry.replace(/^@/, '') : entry;
  const index = sent?.[list].indexOf(text) ?? -1;
  const found = problem?.findings.find(({ where }) => where === `/access/${list}/${index}`);
  return found && sentence(found.what, found.hint);
};
