import type { ComponentChildren } from 'preact';
import { Link } from '../kit/button.tsx';
import { PageTitle } from '../kit/show.tsx';

interface Topic {
  readonly title: string;
  readonly says: ComponentChildren;
  /** Name of a file in `docs/` of the service's repository. */
  readonly file: string;
}

const inServer = (tab: string) => <strong>{tab}</strong>;

const TOPICS: readonly Topic[] = [
  {
    title: 'Publish an API',
    says: (
      <>
        <Link to="/new">New server</Link> reads an OpenAPI description and shows its tools. Nothing
        is served before you publish.
      </>
    ),
    file: 'descriptions.md',
  },
  {
    title: 'Choose and change tools',
    says: (
      <>
        {inServer('Tools')} shows what models see. Test a tool, rename it, hide it, or edit many at
        once. Choose operations where there are too many.
      </>
    ),
    file: 'tools.md',
  },
  {
    title: 'Set the credential of the API',
    says: (
      <>
        {inServer('Credentials')} keeps keys, passwords and OAuth clients. Nobody can read them
        again. Test one before clients depend on it.
      </>
    ),
    file: 'outgoing-calls.md',
  },
  {
    title: 'Let people in',
    says: (
      <>
        {inServer('Access')} says who may call. Invite a person there: they get one link, sign up
        once and connect their client.
      </>
    ),
    file: 'access.md',
  },
  {
    title: 'Connect a client',
    says: (
      <>
        {inServer('Connect')} has the lines for each client, and a token for curl and scripts. It
        checks the connection where something is in the way.
      </>
    ),
    file: 'protocol.md',
  },
  {
    title: 'See how models use it',
    says: (
      <>
        {inServer('Talk')} lets you chat with a model that uses your tools. {inServer('Cases')} are
        questions with the right answer, which you run before you publish.
      </>
    ),
    file: 'evaluation.md',
  },
  {
    title: 'See what happens',
    says: (
      <>
        {inServer('Activity')} counts calls and errors, and says what mends them.{' '}
        {inServer('Versions')} compares and rolls back.
      </>
    ),
    file: 'recordings.md',
  },
  {
    title: 'Automate it',
    says: (
      <>
        <Link to="/account">Account</Link> makes tokens for programs and adds trust for pipelines.
        Most pages show the command that does the same.
      </>
    ),
    file: 'command-line.md',
  },
];

export const Page = () => (
  <>
    <PageTitle>Help</PageTitle>
    <ul class="plain entries">
      {TOPICS.map(({ title, says, file }) => (
        <li key={title}>
          <section class="grow">
            <h2>{title}</h2>
            <p>{says}</p>
            <p class="small soft">
              More, in the repository of the service: <code>docs/{file}</code>
            </p>
          </section>
        </li>
      ))}
    </ul>
    <p>
      Whoever runs this service has its repository, and can give you these documents. The{' '}
      <a href="/v1/mcp-management/openapi.json">description of the management API</a> is served
      here.
    </p>
  </>
);
