import { member } from '../../../../../layers/platform/rules/json/json.ts';
import { Button } from '../../../kit/button.tsx';
import { Note, ProblemNote } from '../../../kit/show.tsx';
import { count } from '../../../kit/words.ts';
import { useAction } from '../../../state/action.ts';
import { exposuresOf, useOpeningQuestion } from '../../opening.tsx';
import { useServer } from '../frame.tsx';
import { overrideOf, type Overrides, type Tool } from './tool.ts';

export const HiddenTools = () => {
  const { server, patch, putVersion, reload } = useServer();
  const hidden = Object.entries(server.overrides ?? {}).filter(([, one]) => one.hidden === true);
  const opening = useOpeningQuestion('Offer it to them');
  const showing = useAction(async (operation: string) => {
    const { hidden: _, ...rest } = member(server.overrides ?? {}, operation) ?? {};
    const override = Object.keys(rest).length > 0 ? rest : null;
    const overrides = { [operation]: override } as Overrides;
    if (!(await opening.agreed(await exposuresOf(server, { overrides })))) return;
    putVersion(await patch({ overrides }));
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

const GIVES_SECRETS = 'gives out secrets';

export const SecretTools = ({ tools }: { readonly tools: readonly Tool[] }) => {
  const { server, patch, putVersion, reload } = useServer();
  const secret = tools.filter(({ notes }) => notes.some(({ what }) => what === GIVES_SECRETS));
  const hiding = useAction(async () => {
    const entries = secret.map((tool) => {
      const [key, override] = overrideOf(server, tool);
      return [key, { ...override, hidden: true }] as const;
    });
    const overrides = Object.fromEntries(entries) as Overrides;
    putVersion(await patch({ overrides }));
  });
  if (secret.length === 0) return null;
  return (
    <Note kind="warn">
      <p>
        <strong>{count(secret.length, 'tool')} may give secrets to the model</strong>, by what the
        description says of their answers:{' '}
        {secret
          .slice(0, 10)
          .map(({ name }) => name)
          .join(', ')}
        {secret.length > 10 ? ', …' : '.'}
      </p>
      <Button action={hiding}>Hide {secret.length === 1 ? 'it' : 'them'}</Button>
      <ProblemNote problem={hiding.problem} onStale={reload} />
    </Note>
  );
};
