import { useMemo, useState } from 'preact/hooks';
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

export const OperationChoice = ({ operations, selection, onSelection }: OperationChoiceProps) => {
  const [find, setFind] = useState('');
  const chosen = useMemo(() => selected(operations, selection), [operations, selection]);
  const groups = useMemo(() => [...byTag(operations)], [operations]);
  const found = useMemo(() => {
    const words = find.toLowerCase().split(/\s+/).filter(Boolean);
    return operations.filter((one) => {
      const text = `${operationName(one)} ${one.method} ${one.path} ${one.summary ?? ''} ${one.tags.join(' ')}`;
      return words.every((word) => text.toLowerCase().includes(word));
    });
  }, [operations, find]);

  const put = (acted: { tag?: string; operations: readonly Choosable[] }, isWanted: boolean) =>
    onSelection(withChoice(operations, selection, acted, isWanted));

  return (
    <>
      <p class="row">
        <span class="counted" aria-live="polite">
          <strong>
            {numbered(chosen.size)} of {numbered(operations.length)}
          </strong>{' '}
          chosen
        </span>
        {WHOLE.map(([label, whole]) => (
          <button key={label} type="button" class="button quiet" onClick={() => onSelection(whole)}>
            {label}
          </button>
        ))}
      </p>
      {groups.length > 1 && (
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
      <details open={groups.length <= 1}>
        <summary>One by one</summary>
        <input
          type="search"
          aria-label="Find an operation"
          placeholder="Find by name, path or tag"
          value={find}
          onInput={(event) => setFind(event.currentTarget.value)}
        />
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
