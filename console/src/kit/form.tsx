import { findingsAt, type Problem } from '../api/problem.ts';
import type { Action } from '../state/action.ts';
import { Button } from './button.tsx';
import { type Around, Field } from './text-form.tsx';

// These fields are in a module of their own, since the first view needs no others.
export { Field, Form, sentence, TextField } from './text-form.tsx';

interface SaveButtonsProps {
  readonly saving: Action<[]>;
  readonly isChanged: boolean;
  readonly onUndo: () => void;
}

export const SaveButtons = ({ saving, isChanged, onUndo }: SaveButtonsProps) => (
  <div class="buttons">
    <Button kind="primary" submit action={saving} disabled={!isChanged}>
      Save
    </Button>
    {isChanged && (
      <Button kind="quiet" onClick={onUndo}>
        Undo
      </Button>
    )}
  </div>
);

interface DraftButtonsProps {
  readonly submit: string;
  readonly busy: boolean;
  readonly disabled: boolean;
  readonly onCancel: () => void;
}

export const DraftButtons = ({ submit, busy, disabled, onCancel }: DraftButtonsProps) => (
  <div class="buttons">
    <Button kind="primary" submit busy={busy} disabled={disabled}>
      {submit}
    </Button>
    <Button kind="quiet" onClick={onCancel}>
      Cancel
    </Button>
  </div>
);

/** Makes the props of a form's fields: value, change, and what the service found wrong with it. */
export const fieldsOf =
  <Draft extends object>(
    draft: Draft,
    change: (part: Partial<Draft>) => void,
    problem: Problem | undefined,
  ) =>
  <Name extends keyof Draft & string>(
    name: Name,
    /** JSON pointer of the field in the request. */
    pointer = `/${name}`,
  ) => ({
    value: draft[name],
    onValue: (value: Draft[Name]) => change({ [name]: value } as unknown as Partial<Draft>),
    faults: findingsAt(problem, pointer),
  });

interface TextAreaProps extends Around {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly rows?: number;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly disabled?: boolean;
  /** `words` if the text is prose, not code. */
  readonly class?: 'words';
  readonly onFocus?: () => void;
  readonly onBlur?: () => void;
}

export const TextArea = ({
  label,
  hint,
  faults,
  fault,
  onReset,
  onValue,
  ...rest
}: TextAreaProps) => (
  <Field {...{ label, hint, faults, fault, onReset }}>
    {(wiring) => (
      <textarea
        spellcheck={false}
        {...rest}
        {...wiring}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    )}
  </Field>
);

interface SelectProps<Value extends string> extends Around {
  readonly value: Value;
  readonly onValue: (value: Value) => void;
  /** Label of each value. In a list, values that look like numbers keep their order. */
  readonly options: Readonly<Record<Value, string>> | readonly (readonly [Value, string])[];
}

export const Select = <Value extends string>({
  value,
  onValue,
  options,
  ...around
}: SelectProps<Value>) => (
  <Field {...around}>
    {(wiring) => (
      <select
        {...wiring}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value as Value)}
      >
        {(Array.isArray(options) ? options : Object.entries(options)).map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);
