import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Finding } from '../api/problem.ts';
import { placeOf, plain } from './plain-words.ts';

interface Around {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  /** What is wrong with it, in the words of the API. */
  readonly faults?: readonly Finding[];
  /** Said in place of findings, where the console knows by itself. */
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

/** A label, its control, and what is wrong with it, right there. */
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

interface InputProps {
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'number';
  readonly autocomplete?: 'username' | 'current-password' | 'new-password' | 'off';
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly disabled?: boolean;
  readonly inputMode?: 'numeric' | 'url' | 'email';
}

interface TextFieldProps extends Around, InputProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

export const TextField = ({
  label,
  hint,
  faults,
  fault,
  value,
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
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    )}
  </Field>
);

interface AreaProps {
  readonly rows?: number;
  readonly placeholder?: string;
  readonly required?: boolean;
  /** Prose, not code. */
  readonly class?: 'words';
}

interface TextAreaProps extends Around, AreaProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

export const TextArea = ({
  label,
  hint,
  faults,
  fault,
  value,
  onValue,
  ...rest
}: TextAreaProps) => (
  <Field {...{ label, hint, faults, fault }}>
    {(wiring) => (
      <textarea
        spellcheck={false}
        {...rest}
        {...wiring}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    )}
  </Field>
);

interface SelectProps<Value extends string> extends Around {
  readonly value: Value;
  readonly onValue: (value: Value) => void;
  /** Values and what is shown for them. */
  readonly options: readonly (readonly [Value, string])[];
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
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);
