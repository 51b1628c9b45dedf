import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/choice.tsx';
import { VirtualList } from '../../kit/virtual-list.tsx';
import { numbered } from '../../kit/words.ts';
import type { Report } from '../refused-calls.tsx';
import {
  byTag,
  type Choosable,
  EVERYTHING,
  operationName,
  NOTHING,
  ONLY_READING,
  selected,
  type Selection,
  UNTAGGED,
  withChoice,
} from './selection.ts';

interface OperationChoiceProps {
  readonly operations: Report['operations'];
  readonly selection: Selection;
  readonly onSelection: (selection: Selection) => void;
}

const ROW = 40;
const WHOLE = [
  ['All', EVERYTHING],
  ['None', NOTHING],
  ['Read-only operations', ONLY_READING],
] as const;

/** Words of `find` occur in name, path, summary or tags; with a leading `/`, they begin the path. */
interface Filter {
  readonly find: string;
  readonly method: string;
}

export const OperationChoice = ({ operations, selection, onSelection }: OperationChoiceProps) => {
  const [filter, setFilter] = useState<Filter>({ find: '', method: '' });
  const chosen = useMemo(() => selected(operations, selection), [operations, selection]);
  const groups = useMemo(() => [...byTag(operations)], [operations]);
  const methods = useMemo(
    () => [...new Set(operations.map(({ method }) => method.toUpperCase()))],
    [operations],
  );
  const found = useMemo(() => shown(operations, filter), [operations, filter]);
  const isFiltered = found.length < operations.length;

  const put = (
    acted: { tag?: string; entry?: string | undefined; operations: readonly Choosable[] },
    isWanted: boolean,
  ) => onSelection(withChoice(operations, selection, acted, isWanted));
  const putShown = (isWanted: boolean) => {
    // A path prefix and a method become a pattern, which also chooses operations that later versions add there.
    const prefix =
      /^\/\S*$/.exec(filter.find.trim())?.[0] ?? (filter.find.trim() === '' ? '/' : undefined);
    const entry = prefix === undefined ? undefined : `${filter.method || '*'} ${prefix}*`;
    put({ entry, operations: found }, isWanted);
  };
  const picked = found.filter((one) => chosen.has(one)).length;

  return (
    <>
      <div class="operation-filter">
        <input
          type="search"
          aria-label="Find an operation"
          placeholder="Find by name, tag, or path as /orders"
          value={filter.find}
          onInput={(event) => setFilter({ ...filter, find: event.currentTarget.value })}
        />
        {methods.length > 1 && (
          <select
            aria-label="Method"
            value={filter.method}
            onChange={(event) => setFilter({ ...filter, method: event.currentTarget.value })}
          >
            <option value="">Any method</option>
            {methods.map((method) => (
              <option key={method} value={method}>
                {method}
              </option>
            ))}
          </select>
        )}
      </div>
      <p class="row">
        <span class="counted" aria-live="polite">
          <strong>
            {numbered(chosen.size)} of {numbered(operations.length)}
          </strong>{' '}
          chosen{isFiltered && `; ${numbered(picked)} of the ${numbered(found.length)} shown`}
        </span>
        {isFiltered ? (
          <>
            <Button kind="quiet" disabled={picked === found.length} onClick={() => putShown(true)}>
              Choose the {numbered(found.length)} shown
            </Button>
            <Button kind="quiet" disabled={picked === 0} onClick={() => putShown(false)}>
              Leave out the {numbered(found.length)} shown
            </Button>
          </>
        ) : (
          WHOLE.map(([label, whole]) => (
            <Button key={label} kind="quiet" onClick={() => onSelection(whole)}>
              {label}
            </Button>
          ))
        )}
      </p>
      {groups.length > 1 && !isFiltered && (
        <fieldset>
          <legend>By tag</legend>
          <div class="tag-choices">
            {groups.map(([tag, group]) => {
              const picked = group.filter((one) => chosen.has(one)).length;
              return (
                <Checkbox
                  key={tag}
                  checked={picked === group.length}
                  mixed={picked > 0 && picked < group.length}
                  onChecked={(wanted) => put({ tag, operations: group }, wanted)}
                >
                  {tag === UNTAGGED ? 'without a tag' : tag}{' '}
                  <span class="soft small">
                    {picked}/{group.length}
                  </span>
                </Checkbox>
              );
            })}
          </div>
        </fieldset>
      )}
      <details open={groups.length <= 1 || isFiltered}>
        <summary>One by one</summary>
        {found.length === 0 && <p class="soft">No operation is like that. Try fewer letters.</p>}
        <VirtualList
          items={found}
          rowHeight={ROW}
          label="Operations"
          keyOf={(one) => `${one.method} ${one.path}`}
        >
          {(one) => (
            <div class="operation-row">
              <Checkbox
                checked={chosen.has(one)}
                onChecked={(wanted) => put({ operations: [one] }, wanted)}
              >
                <span class="mono">{one.method.toUpperCase()}</span>{' '}
                <span class="mono">{one.path}</span>{' '}
                <span class="soft small">
                  {[one.deprecated && 'deprecated', one.summary].filter(Boolean).join(' · ')}
                </span>
              </Checkbox>
            </div>
          )}
        </VirtualList>
      </details>
    </>
  );
};

const shown = <Operation extends Report['operations'][number]>(
  operations: readonly Operation[],
  { find, method }: Filter,
): readonly Operation[] => {
  const words = find.split(/\s+/).filter(Boolean);
  return operations.filter((one) => {
    if (method !== '' && one.method.toUpperCase() !== method) return false;
    const text = `${operationName(one)} ${one.path} ${one.summary ?? ''} ${one.tags.join(' ')}`;
    return words.every((word) =>
      word.startsWith('/')
        ? one.path.startsWith(word)
        : text.toLowerCase().includes(word.toLowerCase()),
    );
  });
};
