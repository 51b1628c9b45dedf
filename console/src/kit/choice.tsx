import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface CheckboxProps {
  readonly checked: boolean;
  readonly mixed?: boolean;
  readonly onChecked: (checked: boolean) => void;
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
}

export const Checkbox = ({
  checked,
  mixed = false,
  onChecked,
  disabled,
  children,
}: CheckboxProps) => (
  <label class="check">
    <input
      type="checkbox"
      checked={checked}
      indeterminate={mixed}
      disabled={disabled ?? false}
      onChange={(event) => onChecked(event.currentTarget.checked)}
    />
    <span>{children}</span>
  </label>
);

interface RadiosProps<Value extends string> {
  readonly legend: ComponentChildren;
  readonly value: Value;
  readonly onValue: (value: Value) => void;
  readonly options: Readonly<Record<Value, string | readonly [name: string, means: string]>>;
}

export const Radios = <Value extends string>({
  legend,
  value,
  onValue,
  options,
}: RadiosProps<Value>) => {
  const name = useId();
  return (
    <fieldset class="radios">
      <legend>{legend}</legend>
      {entriesOf(options).map(([one, [text, means]]) => (
        <label class="choice" key={one}>
          <input
            type="radio"
            name={name}
            value={one}
            checked={one === value}
            onChange={() => onValue(one)}
          />
          <span>
            {text}
            {means !== undefined && <span class="means">{means}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
};

const entriesOf = <Value extends string>(options: RadiosProps<Value>['options']) =>
  (Object.entries(options) as [Value, string | readonly [string, string]][]).map(
    ([value, said]) => [value, typeof said === 'string' ? [said] : said] as const,
  );

interface SwitchProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly onValue: (value: Value) => void;
  readonly options: readonly (readonly [value: Value, name: string])[];
}

export const Switch = <Value extends string>({
  label,
  value,
  onValue,
  options,
}: SwitchProps<Value>) => (
  <div class="switch" role="group" aria-label={label}>
    {options.map(([one, name]) => (
      <button key={one} type="button" aria-pressed={one === value} onClick={() => onValue(one)}>
        {name}
      </button>
    ))}
  </div>
);
