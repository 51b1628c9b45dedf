import type { ComponentChildren } from 'preact';
import type { Answered } from '../../../api/call.ts';
import { Button, Link } from '../../../kit/button.tsx';
import { Confirm } from '../../../kit/confirm.tsx';
import { Command } from '../../../kit/copy.tsx';
import { Form } from '../../../kit/form.tsx';
import { ProblemNote, Show } from '../../../kit/show.tsx';
import type { Action } from '../../../state/action.ts';
import { type Loaded, useLoad } from '../../../state/load.ts';

export interface EditorProps<Entry> {
  readonly stored: Answered<Entry> | undefined;
  readonly loaded?: Loaded<Answered<Entry>>;
}

interface EntryPageProps<Entry> {
  readonly slug: string;
  /** Key of the loaded entry; undefined for a new one. */
  readonly stored: string | undefined;
  readonly load: () => Promise<Answered<Entry>>;
  readonly editor: (props: EditorProps<Entry>) => ComponentChildren;
}

export const EntryPage = <Entry,>({
  slug,
  stored,
  load,
  editor: Editor,
}: EntryPageProps<Entry>) => {
  const loaded = useLoad(stored, load);
  return (
    <>
      <p class="small">
        <Link to={`/servers/${slug}/content`}>All content</Link>
      </p>
      {stored === undefined ? (
        <Editor stored={undefined} />
      ) : (
        <Show loaded={loaded}>{(value) => <Editor stored={value} loaded={loaded} />}</Show>
      )}
    </>
  );
};

interface EntryFormProps {
  readonly name: string | undefined;
  readonly unnamed: string;
  readonly saving: Action<[]>;
  readonly removing: Action<[]>;
  /** Consequence of the removal. */
  readonly lost: string;
  readonly shownAt: readonly string[];
  readonly onStale: (() => void) | undefined;
  readonly command: string;
  readonly children: ComponentChildren;
}

export const EntryForm = (props: EntryFormProps) => {
  const { name, unnamed, saving, removing, lost, shownAt, onStale, command, children } = props;
  return (
    <Form class="panel" onSubmit={() => saving.run()}>
      <h2>{name ?? unnamed}</h2>
      {children}
      <ProblemNote
        problem={saving.problem ?? removing.problem}
        shownAt={shownAt}
        onStale={onStale}
      />
      <div class="buttons">
        <Button kind="primary" submit action={saving}>
          Save
        </Button>
        {name !== undefined && (
          <Confirm label="Remove it" title={`Remove ${name}?`} action={removing}>
            {lost}
          </Confirm>
        )}
      </div>
      <Command lines={command} />
    </Form>
  );
};
