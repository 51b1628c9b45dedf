import { Select, TextField } from '../../../kit/field.tsx';
import type { ArgumentChange } from './change-draft.ts';
import { argumentsOf } from './tool-arguments.ts';
import type { Tool } from './tool.ts';

type Changes = Readonly<Record<string, ArgumentChange>>;

interface ArgumentChangesProps {
  readonly tool: Tool;
  readonly changes: Changes;
  readonly faults: Readonly<Record<string, string>>;
  readonly onChanges: (changes: Changes) => void;
}

const OFFERED: ArgumentChange = { as: 'offered', value: '' };

/** Which arguments a model may give, which it does not see, and which are always the same. */
export const ArgumentChanges = ({ tool, changes, faults, onChanges }: ArgumentChangesProps) => {
  const offered = argumentsOf(tool.input_schema).map(({ name }) => name);
  const names = [...new Set([...offered, ...Object.keys(changes)])];
  if (names.length === 0) return null;
  const set = (name: string, change: Partial<ArgumentChange>) =>
    onChanges({ ...changes, [name]: { ...OFFERED, ...changes[name], ...change } });
  return (
    <fieldset>
      <legend>Arguments</legend>
      <p class="hint">
        A fixed value is sent with each call and no model can change it; text stands in double
        quotes.
      </p>
      {names.map((name) => {
        const { as, value } = changes[name] ?? OFFERED;
        return (
          <div key={name} class="columns two">
            <Select
              label={<code>{name}</code>}
              value={as}
              options={[
                ['offered', 'offered to models'],
                ['hidden', 'hidden, never sent'],
                ['fixed', 'fixed to a value'],
              ]}
              onValue={(next) => set(name, { as: next })}
            />
            {as === 'fixed' && (
              <TextField
                label={`Value of ${name}`}
                placeholder={'"text", 12, true, ["a"]'}
                value={value}
                fault={faults[name]}
                onValue={(next) => set(name, { value: next })}
              />
            )}
          </div>
        );
      })}
    </fieldset>
  );
};
