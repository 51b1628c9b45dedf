import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import type { AnswerOf } from '../../api/operation.ts';
import { findingsAt } from '../../api/problem.ts';
import { Button } from '../../kit/button.tsx';
import { CodeBlock, Command, quoted } from '../../kit/copy.tsx';
import { Form, TextField } from '../../kit/form.tsx';
import { Message, ProblemNote } from '../../kit/show.tsx';
import { Time } from '../../kit/time.tsx';
import { useAction } from '../../state/action.ts';
import { adminLine, Head } from './head.tsx';

type Blocks = AnswerOf<'GET /operator/blocks'>;

export const Page = () => {
  const [address, setAddress] = useState('');
  const [found, setFound] = useState<Blocks>();
  const finding = useAction(async (subject: string) =>
    setFound((await call('GET /operator/blocks', { query: { subject } })).body),
  );
  const lifting = useAction(async (subject: string, slug?: string) => {
    await call('DELETE /operator/blocks', { query: { subject, slug } });
    await finding.run(subject);
  });
  const faults = findingsAt(finding.problem, '/subject');
  return (
    <>
      <Head title="Blocks" />
      <p class="lead">
        An address that sends far too many requests to public servers is blocked for an hour.
      </p>
      <Form
        class="find"
        onSubmit={() => {
          setFound(undefined);
          lifting.clear();
          void finding.run(address.trim());
        }}
      >
        <TextField
          label="IP address"
          hint="Of an IPv6 address its network counts, the first 64 bits."
          maxLength={100}
          required
          value={address}
          faults={faults}
          onValue={setAddress}
        />
        <Button submit kind="primary" busy={finding.running}>
          Look it up
        </Button>
      </Form>
      <ProblemNote problem={finding.problem} shownAt={['/subject']} />
      <ProblemNote problem={lifting.problem} />
      {found && (
        <Found
          found={found}
          busy={lifting.running}
          onLift={(slug) => void lifting.run(found.subject, slug)}
        />
      )}
      <h2>All blocks</h2>
      <p class="soft">
        Only the command line lists who is blocked: that reads a whole table, which nothing that is
        reached from outside may do.
      </p>
      <CodeBlock text={adminLine('blocks')} label="command line" />
    </>
  );
};

interface FoundProps {
  readonly found: Blocks;
  readonly busy: boolean;
  readonly onLift: (slug?: string) => void;
}

const Found = ({ found: { subject, items }, busy, onLift }: FoundProps) =>
  items.length === 0 ? (
    <Message kind="good">
      <code>{subject}</code> is not blocked. Instances let go of a block within a minute.
    </Message>
  ) : (
    <section class="panel">
      <h2>
        <code>{subject}</code> is blocked
      </h2>
      <ul class="plain entries">
        {items.map(({ slug, until, limit }) => (
          <li key={slug ?? ''}>
            <span class="grow">
              {slug === undefined ? (
                <strong>at every public server</strong>
              ) : (
                <>
                  at <strong>{slug}</strong>
                </>
              )}
              <br />
              <span class="soft small">
                ends <Time at={until} /> · limit <code>{limit}</code>
              </span>
            </span>
            {slug !== undefined && items.length > 1 && (
              <Button busy={busy} onClick={() => onLift(slug)}>
                Let it in at {slug}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div class="buttons">
        <Button kind="primary" busy={busy} onClick={() => onLift()}>
          Let it in everywhere
        </Button>
      </div>
      <Command
        lines={[undefined, ...items.flatMap(({ slug }) => slug ?? [])].map((slug) =>
          adminLine(`unblock ${quoted(subject)}${slug === undefined ? '' : ` --slug ${slug}`}`),
        )}
      />
    </section>
  );
