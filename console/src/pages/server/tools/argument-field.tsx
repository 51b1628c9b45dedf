import { useRef } from 'preact/hooks';
import { Button } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { Field, Select, TextArea, TextField } from '../../../kit/form.tsx';
import { ProblemNote } from '../../../kit/show.tsx';
import { bytes, listed } from '../../../kit/words.ts';
import { useAction } from '../../../state/action.ts';
import { type Argument, type ChosenFile, chosenIn, NOTHING } from './tool-arguments.ts';

interface ArgumentFieldProps {
  readonly argument: Argument;
  readonly value: string;
  readonly fault: string | undefined;
  readonly onValue: (text: string) => void;
}

export const ArgumentField = ({ argument, value, fault, onValue }: ArgumentFieldProps) => {
  const { name, type, kind, required, description, takes, choices, preset, isNullable } = argument;
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
  const nothing: readonly (readonly [string, string])[] = isNullable ? [[NOTHING, 'nothing']] : [];
  if (kind === 'choice') {
    const all = choices.map((one) => [String(one), String(one)] as const);
    return <Select {...around} options={[['', none], ...all, ...nothing]} />;
  }
  if (kind === 'boolean') {
    const all = [
      ['true', 'yes'],
      ['false', 'no'],
    ] as const;
    return <Select {...around} options={[['', none], ...all, ...nothing]} />;
  }
  const isNothing = value === NOTHING;
  const shown = { ...around, value: isNothing ? '' : value, disabled: isNothing };
  return (
    <>
      {kind === 'file' ? (
        <FileField {...shown} argument={argument} />
      ) : kind === 'json' ? (
        <TextArea {...shown} rows={4} placeholder={argument.takesText ? 'Text or JSON' : 'JSON'} />
      ) : (
        <TextField
          {...shown}
          {...(kind === 'number' && { inputMode: 'numeric' })}
          {...(isNullable && { placeholder: 'not sent' })}
          {...(preset !== undefined && { placeholder: String(preset) })}
        />
      )}
      {isNullable && (
        <Checkbox checked={isNothing} onChecked={(checked) => onValue(checked ? NOTHING : '')}>
          Send nothing (<code>null</code>)<span class="visually-hidden"> as {name}</span>
        </Checkbox>
      )}
    </>
  );
};

const MOST = 240;

const shortened = (text: string): string | undefined =>
  text === '' ? undefined : text.length > MOST ? `${text.slice(0, MOST)}…` : text;

interface FileFieldProps extends Omit<Parameters<typeof TextArea>[0], 'onFocus' | 'onBlur'> {
  readonly argument: Argument;
}

const FileField = ({ argument, ...around }: FileFieldProps) => {
  const { name, isList } = argument;
  const { value, onValue, disabled = false } = around;
  const chosen = chosenIn(value);
  const input = useRef<HTMLInputElement>(null);
  const reading = useAction(async (files: readonly File[]) => {
    const all = await Promise.all(files.map(readFile));
    if (all.length > 0) onValue(JSON.stringify(isList ? all : all[0]));
  });
  return (
    <>
      {chosen.length === 0 ? (
        <TextArea {...around} rows={2} placeholder="Base64, unless a file is chosen" />
      ) : (
        <Field label={around.label} hint={around.hint} fault={around.fault}>
          {(wiring) => (
            <output {...wiring} class="chosen-files">
              {listed(chosen.map(({ filename = 'a file', data }) => named(filename, data)))}
            </output>
          )}
        </Field>
      )}
      <div class="buttons">
        <input
          ref={input}
          class="visually-hidden"
          type="file"
          tabIndex={-1}
          aria-label={`File for ${name}`}
          multiple={isList}
          disabled={disabled}
          onChange={(event) => {
            void reading.run([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
        <Button busy={reading.running} disabled={disabled} onClick={() => input.current?.click()}>
          {chosen.length > 0 ? 'Choose another' : isList ? 'Choose files' : 'Choose a file'}
          <span class="visually-hidden"> for {name}</span>
        </Button>
        {chosen.length > 0 && (
          <Button kind="quiet" onClick={() => onValue('')}>
            Remove it<span class="visually-hidden"> from {name}</span>
          </Button>
        )}
      </div>
      <ProblemNote problem={reading.problem} />
    </>
  );
};

const named = (filename: string, data: string): string =>
  `${filename} (${bytes(Math.floor((data.replaceAll('=', '').length * 3) / 4))})`;

const readFile = (file: File): Promise<ChosenFile> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('error', () => reject(new Error('the file cannot be read')));
    reader.addEventListener('load', () => {
      const { result } = reader;
      const [, data = ''] = typeof result === 'string' ? result.split(',') : [];
      const type = file.type === '' ? {} : { contentType: file.type };
      resolve({ data, filename: file.name, ...type });
    });
    reader.readAsDataURL(file);
  });
