import { member } from '../../../../../layers/platform/rules/json/json.ts';
import { useMemo, useState } from 'preact/hooks';
import { findingsAt, type Problem } from '../../../api/problem.ts';
import { Button } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { Command } from '../../../kit/copy.tsx';
import { Form, TextArea, TextField } from '../../../kit/form.tsx';
import { ProblemNote, Show } from '../../../kit/show.tsx';
import { count, numbered } from '../../../kit/words.ts';
import { useAction } from '../../../state/action.ts';
import { useDraft } from '../../../state/draft.ts';
import { useQuery } from '../../../state/location.ts';
import { exposuresOf, useOpeningQuestion } from '../../opening.tsx';
import { type Server, useServer } from '../frame.tsx';
import { ORIGINAL, ownText, resetOf } from './own-text.ts';
import { type Override, overrideOf, type Overrides, type Tool } from './tool.ts';
import { useList } from '../../../state/load.ts';

interface Row {
  readonly key: string;
  readonly operation: string;
  /** Undefined for a hidden operation, which has no tool. */
  readonly tool: Tool | undefined;
  readonly override: Override;
}

interface RowChange {
  readonly offered?: boolean;
  readonly name?: string;
  readonly description?: string;
}

const PAGE_ROWS = 50;

export const Page = () => {
  const { slug, server, etag } = useServer();
  const tools = useList(`tools:${slug}:${etag}`, 'GET /deployments/{slug}/tools', {
    path: { slug },
  });
  return (
    <>
      <h2>Edit many tools</h2>
      <p class="soft">
        Empty fields keep the original. All changes become one version when you save them.
      </p>
      <Show loaded={tools}>{(all) => <Rows rows={rowsOf(server, all)} />}</Show>
    </>
  );
};

const Rows = ({ rows }: { readonly rows: readonly Row[] }) => {
  const { server, patch, putVersion, reload } = useServer();
  const [changes, change, clear] = useDraft<Readonly<Record<string, RowChange>>>(
    `edit-tools:${server.slug}`,
    {},
  );
  const [find, setFind] = useQuery('find');
  const [most, setMost] = useState(PAGE_ROWS);
  const found = useMemo(() => matching(rows, find), [rows, find]);
  const changed = rows.filter((row) => isChanged(row, member(changes, row.key)));
  const opening = useOpeningQuestion('Offer them');
  const saving = useAction(async () => {
    const overrides = Object.fromEntries(
      changed.map((row) => [row.key, overrideFrom(row, member(changes, row.key) ?? {})]),
    ) as Overrides;
    if (!(await opening.agreed(await exposuresOf(server, { overrides })))) return;
    putVersion(await patch({ overrides }));
    clear();
  });
  const offerAll = (offered: boolean) =>
    change(Object.fromEntries(found.map(({ key }) => [key, { ...member(changes, key), offered }])));

  return (
    <Form noValidate onSubmit={() => saving.run()}>
      <input
        type="search"
        aria-label="Find a tool"
        placeholder="Find by name, path or words"
        value={find}
        onInput={(event) => setFind(event.currentTarget.value)}
      />
      <div class="filters">
        <p class="small soft counted" aria-live="polite">
          {found.length === rows.length
            ? count(rows.length, 'operation')
            : `${numbered(found.length)} of ${count(rows.length, 'operation')}`}
        </p>
        <Button kind="quiet" onClick={() => offerAll(true)}>
          Offer {find === '' ? 'all' : 'these'}
        </Button>
        <Button kind="quiet" onClick={() => offerAll(false)}>
          Hide {find === '' ? 'all' : 'these'}
        </Button>
      </div>
      <ul class="plain edit-tools" aria-label="Operations">
        {found.slice(0, most).map((row) => (
          <EditRow
            key={row.key}
            row={row}
            change={member(changes, row.key) ?? {}}
            problem={saving.problem}
            onChange={(part) => change({ [row.key]: { ...member(changes, row.key), ...part } })}
          />
        ))}
      </ul>
      {found.length > most && (
        <p>
          <Button onClick={() => setMost(most + PAGE_ROWS)}>
            Show {numbered(Math.min(PAGE_ROWS, found.length - most))} more
          </Button>
        </p>
      )}
      {opening.dialog}
      <ProblemNote
        problem={saving.problem}
        shownAt={found
          .slice(0, most)
          .flatMap(({ key }) => [placeOf(key, 'name'), placeOf(key, 'description')])}
        onStale={reload}
      />
      <div class="buttons sticky">
        <Button kind="primary" submit disabled={changed.length === 0} busy={saving.running}>
          {saving.running
            ? 'Making a new version…'
            : changed.length === 0
              ? 'Save changes'
              : `Save ${count(changed.length, 'change')}`}
        </Button>
        {changed.length > 0 && (
          <Button kind="quiet" onClick={clear}>
            Undo all
          </Button>
        )}
      </div>
      <Command lines={`npx --no-install hosted-mcp tool set ${server.slug} TOOL --hide`} />
    </Form>
  );
};

const EditRow = ({
  row: { key, operation, tool, override },
  change: { offered, name, description },
  problem,
  onChange,
}: {
  readonly row: Row;
  readonly change: RowChange;
  readonly problem: Problem | undefined;
  readonly onChange: (part: RowChange) => void;
}) => {
  const isOffered = offered ?? override.hidden !== true;
  return (
    <li class={isOffered ? undefined : 'hidden-tool'}>
      <Checkbox checked={isOffered} onChecked={(checked) => onChange({ offered: checked })}>
        <span class="visually-hidden">Offer </span>
        <code>{operation}</code>
      </Checkbox>
      <div class="edit-fields">
        <TextField
          label={<Of operation={operation}>Name</Of>}
          maxLength={64}
          disabled={!isOffered}
          placeholder={ORIGINAL}
          value={name ?? override.name ?? tool?.name ?? ''}
          onReset={resetOf(tool?.name, override.name, name, (to) => onChange({ name: to }))}
          faults={findingsAt(problem, placeOf(key, 'name'))}
          onValue={(typed) => onChange({ name: typed })}
        />
        <TextArea
          label={<Of operation={operation}>Description</Of>}
          class="words"
          rows={2}
          placeholder={ORIGINAL}
          value={description ?? override.description ?? tool?.description ?? ''}
          onReset={resetOf(tool?.description, override.description, description, (to) =>
            onChange({ description: to }),
          )}
          faults={findingsAt(problem, placeOf(key, 'description'))}
          onValue={(typed) => onChange({ description: typed })}
        />
      </div>
    </li>
  );
};

/** Adds the operation to a field's label for screen readers. */
const Of = ({ operation, children }: { readonly operation: string; readonly children: string }) => (
  <>
    {children}
    <span class="visually-hidden"> of {operation}</span>
  </>
);

/** JSON pointer of a member of an override in the request. Source: RFC 6901. */
const placeOf = (key: string, member: string): string =>
  `/overrides/${key.replaceAll('~', '~0').replaceAll('/', '~1')}/${member}`;

const rowsOf = (server: Server, tools: readonly Tool[]): readonly Row[] => {
  const offered = tools.map((tool): Row => {
    const [key, override] = overrideOf(server, tool);
    return { key, operation: `${tool.method.toUpperCase()} ${tool.path}`, tool, override };
  });
  const keys = new Set(offered.map(({ key }) => key));
  const hidden = Object.entries(server.overrides ?? {})
    .filter(([key, { hidden: isHidden }]) => isHidden === true && !keys.has(key))
    .map(([key, override]): Row => ({ key, operation: key, tool: undefined, override }));
  return [...offered, ...hidden];
};

const matching = (rows: readonly Row[], find: string): readonly Row[] => {
  const words = find.toLowerCase().split(' ').filter(Boolean);
  return rows.filter(({ operation, tool, override }) => {
    const text = [operation, tool?.name, tool?.description, override.name].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
};

const overrideFrom = (
  { override, tool }: Row,
  { offered, name, description }: RowChange,
): Override | null => {
  const { hidden, name: named, description: described, ...rest } = override;
  const next: Override = {
    ...rest,
    ...textAs('name', ownText(name, named, tool?.name)),
    ...textAs('description', ownText(description, described, tool?.description)),
    ...(!(offered ?? hidden !== true) && { hidden: true }),
  };
  return Object.keys(next).length > 0 ? next : null;
};

const textAs = (member: 'name' | 'description', text: string | undefined) =>
  text === undefined || text.trim() === '' ? {} : { [member]: text.trim() };

const isChanged = (row: Row, change: RowChange | undefined): boolean =>
  change !== undefined &&
  JSON.stringify(overrideFrom(row, change)) !== JSON.stringify(overrideFrom(row, {}));
