import { useRef, useState } from 'preact/hooks';
import { Button, Outside } from '../../kit/button.tsx';
import { Switch } from '../../kit/choice.tsx';
import { Form, TextArea, TextField } from '../../kit/form.tsx';
import { Badge, Show } from '../../kit/show.tsx';
import type { GivenFile } from '../../several-files/given-file.ts';
import { useAnswer } from '../../state/load.ts';
import { chosenFiles, DESCRIPTION_FILES, droppedFiles } from '../operations/given-description.ts';
import { FRESH, type NewDraft, type Source } from './draft.ts';

interface SourceChoiceProps {
  readonly draft: NewDraft;
  readonly text: string;
  readonly hasReport: boolean;
  readonly change: (part: Partial<NewDraft>) => void;
  readonly onFiles: (files: Promise<readonly GivenFile[]>) => void;
  readonly onText: (text: string) => void;
  readonly onLook: (part: Partial<NewDraft>) => void;
  readonly busy: boolean;
}

const SOURCES: readonly (readonly [Source, string])[] = [
  ['file', 'File'],
  ['text', 'Pasted text'],
  ['url', 'URL'],
  ['gallery', 'Gallery'],
];

export const SourceChoice = (props: SourceChoiceProps) => {
  const { draft, change } = props;
  return (
    <section class="panel">
      <h2>1. The description of the API</h2>
      <Switch
        label="Where it is"
        value={draft.source}
        onValue={(source) => change({ source, ...FRESH })}
        options={SOURCES}
      />
      {draft.source === 'file' && <FromFile {...props} />}
      {draft.source === 'text' && <FromText {...props} />}
      {draft.source === 'url' && <FromUrl {...props} />}
      {draft.source === 'gallery' && <FromGallery {...props} />}
    </section>
  );
};

const FromFile = ({ draft, text, hasReport, onFiles, onLook, busy }: SourceChoiceProps) => {
  const hasText = text !== '' && draft.fileName !== '';
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  return (
    <div
      class={`drop${isOver ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles(droppedFiles(event.dataTransfer));
      }}
    >
      <input
        ref={input}
        class="visually-hidden"
        id="description-file"
        type="file"
        tabIndex={-1}
        aria-label="Description file"
        multiple
        accept={DESCRIPTION_FILES}
        onChange={(event) => {
          onFiles(Promise.resolve(chosenFiles(event.currentTarget.files)));
          event.currentTarget.value = '';
        }}
      />
      {hasText ? (
        <p>
          <strong>{draft.fileName}</strong>
        </p>
      ) : draft.fileName !== '' ? (
        <p>
          <strong>Choose {draft.fileName} once more.</strong> It was too long for the browser to
          keep; all else is still here.
        </p>
      ) : (
        <p>
          Drop a file here: OpenAPI 3.0 to 3.2 or Swagger 2.0, as JSON or YAML, up to 5 MB. Several
          files, a folder, or a zip or tar.gz archive of them become one description.
        </p>
      )}
      {hasText && !hasReport && !busy && (
        <Button kind="primary" onClick={() => onLook(FRESH)}>
          Preview
        </Button>
      )}
      <Button
        kind={hasText ? 'second' : 'primary'}
        busy={busy}
        onClick={() => input.current?.click()}
      >
        {hasText ? 'Choose other files' : 'Choose files'}
      </Button>
    </div>
  );
};

const FromText = ({ text, onText, onLook, busy }: SourceChoiceProps) => (
  <Form onSubmit={() => onLook({ fileName: '', ...FRESH })}>
    <TextArea
      label="Text of the description"
      hint="OpenAPI 3.0 to 3.2 or Swagger 2.0, as JSON or YAML."
      rows={10}
      required
      value={text}
      onValue={onText}
    />
    <Button kind="primary" submit busy={busy}>
      Preview
    </Button>
  </Form>
);

const FromUrl = ({ draft, change, onLook, busy }: SourceChoiceProps) => (
  <Form onSubmit={() => onLook(FRESH)}>
    <TextField
      label="Address of the description"
      hint="The service fetches it from its own network: https, without a login."
      type="url"
      required
      placeholder="https://api.example.com/openapi.json"
      value={draft.url}
      onValue={(url) => change({ url })}
    />
    <Button kind="primary" submit busy={busy}>
      Preview
    </Button>
  </Form>
);

const FromGallery = ({ draft, onLook, busy }: SourceChoiceProps) => {
  const gallery = useAnswer('gallery', 'GET /gallery');
  return (
    <Show loaded={gallery}>
      {({ items }) => (
        <ul class="gallery">
          {items.map((entry) => (
            <li key={entry.id} class={entry.id === draft.galleryId ? 'chosen' : ''}>
              <p>
                <strong>{entry.name}</strong>{' '}
                <Badge kind={entry.credential === 'none' ? 'good' : 'plain'}>
                  {entry.credential === 'none' ? 'no credential' : `credential ${entry.credential}`}
                </Badge>
              </p>
              <p class="soft small">{entry.description}</p>
              <div class="row">
                <Button busy={busy} onClick={() => onLook({ galleryId: entry.id, ...FRESH })}>
                  {entry.id === draft.galleryId ? 'Chosen' : 'Choose'}
                  <span class="visually-hidden"> {entry.name}</span>
                </Button>
                <span class="small">
                  <Outside href={entry.documentation_url}>
                    Its documentation<span class="visually-hidden"> ({entry.name})</span>
                  </Outside>
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Show>
  );
};
