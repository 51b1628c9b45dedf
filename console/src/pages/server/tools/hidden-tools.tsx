import { call } from '../../../api/call.ts';
import { Button } from '../../../kit/button.tsx';
import { ProblemNote } from '../../../kit/notice.tsx';
import { count } from '../../../kit/words.ts';
import { useAction } from '../../../state/action.ts';
import { exposuresOf, useOpeningQuestion } from '../../opening.tsx';
import { useServer } from '../frame.tsx';
import type { Overrides } from './overrides.ts';

/** Operations that are offered to nobody, and the way back. */
export const HiddenTools = () => {
  const { server, etag, putVersion, reload } = useServer();
  const hidden = Object.entries(server.overrides ?? {}).filter(([, one]) => one.hidden === true);
  const opening = useOpeningQuestion('Offer it to them');
  const showing = useAction(async (operation: string) => {
    const { hidden: _, ...rest } = server.overrides?.[operation] ?? {};
    const override = Object.keys(rest).length > 0 ? rest : null;
    const overrides = { [operation]: override } as Overrides;
    if (!(await opening.agreed(await exposuresOf(server, { overrides })))) return;
    putVersion(
      await call('changeDeployment', {
        path: { slug: server.slug },
        body: { overrides },
        ifMatch: etag,
      }),
    );
  });
  if (hidden.length === 0) return null;
  return (
    <details class="panel">
      <summary>{count(hidden.length, 'hidden operation')}</summary>
      <ul class="plain">
        {hidden.map(([operation]) => (
          <li key={operation} class="row">
            <code class="grow">{operation}</code>
            <Button kind="quiet" busy={showing.running} onClick={() => void showing.run(operation)}>
              Offer it again
            </Button>
          </li>
        ))}
      </ul>
      {opening.dialog}
      <ProblemNote problem={showing.problem} onStale={reload} />
    </details>
  );
};
