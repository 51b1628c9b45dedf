import { useState } from 'preact/hooks';
import { call } from '../../../api/call.ts';
import type { AnswerOf } from '../../../api/operation.ts';
import { Button } from '../../../kit/button.tsx';
import { sentence } from '../../../kit/field.tsx';
import { Note, ProblemNote } from '../../../kit/notice.tsx';
import { Badge } from '../../../kit/show.tsx';
import { useAction } from '../../../state/action.ts';

type Examined = AnswerOf<'GET /deployments/{slug}/doctor'>;

const OUTCOMES = {
  ok: ['fine', 'good'],
  warning: ['look at it', 'warn'],
  failed: ['wrong', 'bad'],
} as const satisfies Record<
  Examined['items'][number]['outcome'],
  readonly [string, 'good' | 'warn' | 'bad']
>;

/** What may keep clients from this server, looked at on request. */
export const Doctor = ({ slug }: { readonly slug: string }) => {
  const [examined, setExamined] = useState<Examined>();
  const looking = useAction(async () =>
    setExamined((await call('GET /deployments/{slug}/doctor', { path: { slug } })).body),
  );
  return (
    <section class="panel">
      <h2>It does not connect?</h2>
      <p>Let the service look at what may be in the way. Nothing is changed by it.</p>
      <Button busy={looking.running} onClick={() => void looking.run()}>
        {examined ? 'Look again' : 'Check the connection'}
      </Button>
      <ProblemNote problem={looking.problem} onRetry={() => void looking.run()} />
      <div aria-live="polite">
        {examined?.ok === true && (
          <Note kind="good">
            <p>Nothing here keeps a client from connecting.</p>
          </Note>
        )}
        {examined && (
          <ul class="events">
            {examined.items.map(({ step, outcome, what, hint }) => {
              const [name, kind] = OUTCOMES[outcome];
              return (
                <li key={step}>
                  <Badge kind={kind}>{name}</Badge>
                  <span class="grow">
                    <strong>{step}</strong> {sentence(what, hint ?? '')}
                  </span>
                </li>
              );
            })}
          </ul>
        )}
      </div>
      {examined && (
        <p class="soft small">
          What lies between a client and this service only the client’s machine can see:{' '}
          <code>npx hosted-mcp doctor</code> looks from there.
        </p>
      )}
    </section>
  );
};
