import { call } from '../../../api/call.ts';
import type { AnswerOf } from '../../../api/operation.ts';
import { quoted } from '../../../kit/copy.tsx';
import { fieldsOf, TextArea, TextField } from '../../../kit/form.tsx';
import type { PageProps } from '../../../page.ts';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { forgetShown } from '../../../state/load.ts';
import { go } from '../../../state/location.ts';
import { useServer } from '../frame.tsx';
import { type EditorProps, EntryForm, EntryPage } from './entry.tsx';

type Resource = AnswerOf<'GET /deployments/{slug}/resources/{name}'>;

const NOTHING = {
  name: '',
  uri: '',
  title: '',
  description: '',
  mimeType: 'text/markdown',
  content: '',
};

export const Page = ({ params: { slug = '', name } }: PageProps) => (
  <EntryPage
    slug={slug}
    stored={name === undefined ? undefined : `resource:${slug}:${name}`}
    load={() =>
      call('GET /deployments/{slug}/resources/{name}', { path: { slug, name: name ?? '' } })
    }
    editor={Editor}
  />
);

const Editor = ({ stored, loaded }: EditorProps<Resource>) => {
  const { slug } = useServer();
  const name = stored?.body.name;
  const [draft, change, clear] = useDraft(`resource:${slug}:${name ?? ''}`, draftOf(stored?.body));
  const isBytes = stored?.body.encoding === 'base64';
  const back = () => {
    clear();
    forgetShown(`resource`);
    go(`/servers/${slug}/content`);
  };
  const saving = useAction(async () => {
    const body = {
      uri: draft.uri,
      mime_type: draft.mimeType || undefined,
      title: draft.title || undefined,
      description: draft.description || undefined,
      content: draft.content,
      encoding: isBytes ? ('base64' as const) : ('text' as const),
    };
    if (!stored) {
      await call('POST /deployments/{slug}/resources', {
        path: { slug },
        body: { ...body, name: draft.name },
      });
    } else {
      await call('PUT /deployments/{slug}/resources/{name}', {
        path: { slug, name: stored.body.name },
        body,
        ifMatch: stored.etag,
      });
    }
    back();
  });
  const removing = useAction(async () => {
    if (!stored) return;
    await call('DELETE /deployments/{slug}/resources/{name}', {
      path: { slug, name: stored.body.name },
      ifMatch: stored.etag,
    });
    back();
  });
  const field = fieldsOf(draft, change, saving.problem);
  return (
    <EntryForm
      name={name}
      unnamed="A new resource"
      saving={saving}
      removing={removing}
      lost="Clients no longer find it."
      shownAt={['/name', '/uri', '/title', '/mime_type', '/description', '/content']}
      onStale={loaded?.reload}
      command={`npx --no-install hosted-mcp resource add ${slug} ${quoted(name ?? (draft.name || 'NAME'))} --uri ${quoted(draft.uri || 'docs://guide')} --file guide.md${name === undefined ? '' : ' --replace'}`}
    >
      <div class="columns two">
        {name === undefined && (
          <TextField
            label="Name"
            hint="Letters, digits, dots, dashes and underscores. It cannot be changed later."
            required
            maxLength={64}
            {...field('name')}
          />
        )}
        <TextField
          label="URI"
          hint="As docs://guide; with {variables} it is a template."
          required
          {...field('uri')}
        />
        <TextField label="Title" {...field('title')} />
        <TextField label="Media type" {...field('mimeType', '/mime_type')} />
      </div>
      <TextField
        label="Description"
        hint="A model reads it to decide whether it needs the document."
        {...field('description')}
      />
      <TextArea
        label={isBytes ? 'Content, as base64' : 'Content'}
        rows={14}
        {...field('content')}
      />
    </EntryForm>
  );
};

const draftOf = (resource: Resource | undefined): typeof NOTHING =>
  resource
    ? {
        name: resource.name,
        uri: resource.uri,
        title: resource.title ?? '',
        description: resource.description ?? '',
        mimeType: resource.mime_type ?? '',
        content: resource.content,
      }
    : NOTHING;
