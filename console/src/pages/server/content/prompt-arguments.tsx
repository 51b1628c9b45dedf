import type { Finding } from '../../../api/problem.ts';
import { Button } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { sentence, TextField } from '../../../kit/field.tsx';
import type { PromptArgument } from './prompt-draft.ts';

interface PromptArgumentsProps {
  readonly all: readonly PromptArgument[];
  readonly template: string;
  readonly faults: readonly Finding[];
  readonly onAll: (all: readonly PromptArgument[]) => void;
}

/** What people are asked for. Names that the template uses and nobody has declared are offered. */
export const PromptArguments = ({ all, template, faults, onAll }: PromptArgumentsProps) => {
  const missing = namesIn(template).filter((name) => all.every((one) => one.name !== name));
  const set = (index: number, part: Partial<PromptArgument>) =>
    onAll(all.map((one, at) => (at === index ? { ...one, ...part } : one)));
  const add = (name: string) => onAll([...all, { name, description: '', required: true }]);
  return (
    <fieldset>
      <legend>Arguments</legend>
      {faults.length > 0 && (
        <p class="fault">{faults.map(({ what, hint }) => sentence(what, hint)).join(' ')}</p>
      )}
      {all.map((one, index) => (
        <div key={index} class="argument-edit">
          <TextField
            label="Name"
            required
            value={one.name}
            onValue={(name) => set(index, { name })}
          />
          <TextField
            label="What is asked for"
            value={one.description}
            onValue={(description) => set(index, { description })}
          />
          <Checkbox checked={one.required} onChecked={(required) => set(index, { required })}>
            required
          </Checkbox>
          <Button kind="quiet" onClick={() => onAll(all.filter((_, at) => at !== index))}>
            Remove<span class="visually-hidden"> the argument {one.name}</span>
          </Button>
        </div>
      ))}
      <p class="row">
        {missing.map((name) => (
          <Button key={name} onClick={() => add(name)}>
            Add {name}
          </Button>
        ))}
        <Button kind="quiet" onClick={() => add('')}>
          Add another
        </Button>
      </p>
    </fieldset>
  );
};

/** A guess that only offers: what a template means is for the service to say. */
const namesIn = (template: string): readonly string[] => [
  ...new Set(
    [...template.matchAll(/\{\{\s*(?:#if\s+)?([a-z_]\w*)/gi)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'else'),
  ),
];
