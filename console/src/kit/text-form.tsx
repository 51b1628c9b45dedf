import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Finding } from '../api/problem.ts';
import { Button } from './button.tsx';
import { placeOf, plain } from './plain-words.ts';

interface FormProps extends Omit<JSX.IntrinsicElements['form'], 'onSubmit'> {
  readonly onSubmit: () => unknown;
  readonly children: ComponentChildren;
}

/** A form that the browser validates and the page sends. After a refusal, the first fault gets the focus. */
export const Form = ({ onSubmit, children, ...rest }: FormProps) => (
  <form
    {...rest}
    onSubmit={(event) => {
      event.preventDefault();
      const form = event.currentTarget;
      void Promise.resolve(onSubmit()).then(() => setTimeout(() => showFault(form)));
    }}
  >
    {children}
  </form>
);

/** Moves the focus to the first wrong field, or else to the note that says what is wrong. */
const showFault = (form: HTMLElement): void => {
  const fault =
    form.querySelector<HTMLElement>('[aria-invalid]') ??
    form.querySelector<HTMLElement>('[role=alert]');
  if (fault?.role === 'alert') fault.tabIndex = -1;
  fault?.focus();
  fault?.scrollIntoView({ block: 'center' });
};

export interface Around {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly faults?: readonly Finding[];
  /** The console's own message, shown in place of `faults`. */
  readonly fault?: string | undefined;
  /** Puts the original value back; undefined while the field has it. */
  readonly onReset?: (() => void) | undefined;
}

interface Wiring {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

interface FieldProps extends Around {
  readonly children: (wiring: Wiring) => ComponentChildren;
}

export const Field = ({ label, hint, faults = [], fault, onReset, children }: FieldProps) => {
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
      {onReset && (
        <Button kind="quiet" onClick={onReset}>
          Reset<span class="visually-hidden"> {label}</span>
        </Button>
      )}
    </div>
  );
};

const faultText = ({ where, what, hint }: Finding): string =>
  `${where.startsWith('line ') ? `${placeOf(where)}: ` : ''}${sentence(what, hint)}`;

/** `is taken` and `Choose another.` become `is taken. Choose another.` */
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
  /** A regular expression that the whole value must match; `hint` says it in words. */
  readonly pattern?: string;
  readonly disabled?: boolean;
  readonly inputMode?: 'numeric' | 'url' | 'email';
}

export const TextField = ({
  label,
  hint,
  faults,
  fault,
  onReset,
  onValue,
  type = 'text',
  ...rest
}: TextFieldProps) => (
  <Field {...{ label, hint, faults, fault, onReset }}>
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
