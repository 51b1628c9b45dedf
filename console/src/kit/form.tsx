import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { type Finding, findingsAt, type Problem } from '../api/problem.ts';
import type { Action } from '../state/action.ts';
import { Button } from './button.tsx';
import { placeOf, plain } from './plain-words.ts';

interface FormProps extends Omit<JSX.IntrinsicElements['form'], 'onSubmit'> {
  readonly onSubmit: () => unknown;
  readonly children: ComponentChildren;
}

/** A form that the browser validates and that never leaves the page. */
export const Form = ({ onSubmit, children, ...rest }: FormProps) => (
  <form
    {...rest}
    onSubmit={(event) => {
      event.preventDefault();
      void onSubmit();
    }}
  >
    {children}
  </form>
);

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
  /** What is done with the draft. */
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

/** Props of the fields of a form: value, change, and findings of the problem that sending it had. */
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

interface Around {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  /** Findings of the API about the field. */
  readonly faults?: readonly Finding[];
  /** The console's own message, in place of the findings. */
  readonly fault?: string | undefined;
}

interface Wiring {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

interface FieldProps extends Around {
  readonly children: (wiring: Wiring) => ComponentChildren;
}

const Field = ({ label, hint, faults = [], fault, children }: FieldProps) => {
  const id = useId();
  const isWrong = faults.length > 0 || fault !== undefined;
  const describedBy = [hint !== undefined && `${id}-hint`, isWrong && `${id}-fault`].filter(
    Boolean,
  );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children({
        id,
        'aria-describedby': describedBy.join(' ') || undefined,
        'aria-invalid': isWrong || undefined,
      })}
      {isWrong && (
        <p class="fault" id={`${id}-fault`}>
          {fault ?? faults.map(faultText).join(' ')}
        </p>
      )}
    </div>
  );
};

const faultText = ({ where, what, hint }: Finding): string =>
  `${where.startsWith('line ') ? `${placeOf(where)}: ` : ''}${sentence(what, hint)}`;

/** `is taken` and `Choose another.` as one line. */
export const sentence = (what: string, hint: string): string =>
  plain(hint === '' ? what : `${/[.!?:]$/.test(what) ? what : `${what}.`} ${hint}`);

interface TextFieldProps extends Around {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'number';
  readonly autocomplete?: 'name' | 'username' | 'current-password' | 'new-password' | 'off';
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly maxLength?: number;
  /** A regular expression of the whole value; the hint says it in words. */
  readonly pattern?: string;
  readonly disabled?: boolean;
  readonly inputMode?: 'numeric' | 'url' | 'email';
}

export const TextField = ({
  label,
  hint,
  faults,
  fault,
  onValue,
  type = 'text',
  ...rest
}: TextFieldProps) => (
  <Field {...{ label, hint, faults, fault }}>
    {(wiring) => (
      <input
        type={type as 'text'}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="none"
        {...rest}
        {...wiring}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    )}
  </Field>
);

interface TextAreaProps extends Around {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly rows?: number;
  readonly placeholder?: string;
  readonly required?: boolean;
  /** Prose, not code. */
  readonly class?: 'words';
}

export const TextArea = ({ label, hint, faults, fault, onValue, ...rest }: TextAreaProps) => (
  <Field {...{ label, hint, faults, fault }}>
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
  /** What is shown for each value; as a list where values may be numbers, which an object would sort. */
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
