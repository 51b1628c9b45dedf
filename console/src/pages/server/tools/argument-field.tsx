import { Select, TextArea, TextField } from '../../../kit/field.tsx';
import type { Argument } from './tool-arguments.ts';

interface ArgumentFieldProps {
  readonly argument: Argument;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onValue: (text: string) => void;
}

/** The control that fits an argument's schema. */
export const ArgumentField = ({ argument, value, fault, onValue }: ArgumentFieldProps) => {
  const { name, type, kind, required, description, takes, choices, preset } = argument;
  const label = (
    <>
      <code>{name}</code> <span class="type">{type}</span>
      {required && <span class="needed"> required</span>}
    </>
  );
  const around = {
    label,
    hint: [shortened(description), takes].filter(Boolean).join(' ') || undefined,
    fault,
    value,
    onValue,
  };
  const none =
    preset === undefined ? 'not sent' : `not sent (the API takes ${JSON.stringify(preset)})`;
  switch (kind) {
    case 'choice':
      return (
        <Select {...around} options={[['', none], ...choices.map((one) => [one, one] as const)]} />
      );
    case 'boolean':
      return (
        <Select
          {...around}
          options={[
            ['', none],
            ['true', 'yes'],
            ['false', 'no'],
          ]}
        />
      );
    case 'json':
      return <TextArea {...around} rows={4} placeholder="JSON" />;
    default:
      return (
        <TextField
          {...around}
          {...(kind === 'number' && { inputMode: 'numeric' })}
          {...(preset !== undefined && { placeholder: String(preset) })}
        />
      );
  }
};

const MOST = 240;

const shortened = (text: string): string | undefined =>
  text === '' ? undefined : text.length > MOST ? `${text.slice(0, MOST)}…` : text;
