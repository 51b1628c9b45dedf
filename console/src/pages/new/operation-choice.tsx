import { useMemo, useState } from 'preact/hooks';
import { Checkbox } from '../../kit/choice.tsx';
import { VirtualList } from '../../kit/virtual-list.tsx';
import { numbered } from '../../kit/words.ts';
import type { Report } from './report.tsx';
import { byTag, nameOf, UNTAGGED } from './selection.ts';

interface OperationChoiceProps {
  readonly operations: Report['operations'];
  readonly chosen: ReadonlySet<string>;
  readonly onChosen: (chosen: readonly string[]) => void;
}

const ROW = 40;

/** Which operations become tools: whole tags, or one by one. */
export const OperationChoice = ({ operations, chosen, onChosen }: OperationChoiceProps) => {
  const [find, setFind] = useState('');
  const groups = useMemo(() => [...byTag(operations)], [operations]);
  const found = useMemo(() => {
    const words = find.toLowerCase().split(/\s+/).filter(Boolean);
    return operations.filter((one) => {
      const text = `${nameOf(one)} ${one.method} ${one.path} ${one.summary ?? ''} ${one.tags.join(' ')}`;
      return words.every((word) => text.toLowerCase().includes(word));
    });
  }, [operations, find]);

  const put = (names: readonly string[], wanted: boolean) => {
    const next = new Set(chosen);
    for (const name of names) {
      if (wanted) next.add(name);
      else next.delete(name);
    }
    onChosen([...next]);
  };

  return (
    <>
      <p class="row">
        <span class="grow" aria-live="polite">
          <strong>
            {numbered(chosen.size)} of {numbered(operations.length)}
          </strong>{' '}
          chosen
        </span>
        <button
          type="button"
          class="button quiet"
          onClick={() => put(operations.map(nameOf), true)}
        >
          All
        </button>
        <button type="button" class="button quiet" onClick={() => onChosen([])}>
          None
        </button>
        <button
          type="button"
          class="button quiet"
          onClick={() =>
            onChosen(operations.filter(({ method }) => /^(get|head)$/i.test(method)).map(nameOf))
          }
        >
          Only those that read
        </button>
      </p>
      {groups.length > 1 && (
        <fieldset>
          <legend>By tag</legend>
          <div class="tag-choices">
            {groups.map(([tag, group]) => {
              const names = group.map(nameOf);
              const picked = names.filter((name) => chosen.has(name)).length;
              return (
                <Checkbox
                  key={tag}
                  checked={picked === names.length}
                  mixed={picked > 0 && picked < names.length}
                  onChecked={(wanted) => put(names, wanted)}
                >
                  {tag === UNTAGGED ? 'without a tag' : tag}{' '}
                  <span class="soft small">
                    {picked}/{names.length}
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
                checked={chosen.has(nameOf(one))}
                onChecked={(wanted) => put([nameOf(one)], wanted)}
              >
                <span class="mono">{one.method.toUpperCase()}</span>{' '}
                <span class="mono">{one.path}</span>{' '}
                <span class="soft small">
                  {one.deprecated && 'deprecated · '}
                  {one.summary}
                </span>
              </Checkbox>
            </div>
          )}
        </VirtualList>
      </details>
    </>
  );
};
