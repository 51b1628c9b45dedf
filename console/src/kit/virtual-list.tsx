import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  /** Pixels, the same for all rows. */
  readonly rowHeight: number;
  readonly label: string;
  readonly keyOf: (item: Item, index: number) => string;
  /** Index of a row; the list scrolls to it when this changes. */
  readonly shown?: number;
  /** Called shortly before the end is reached. */
  readonly onEnd?: () => void;
  readonly children: (item: Item, index: number) => ComponentChildren;
}

/** Extra rows drawn above and below the visible ones. */
const MORE = 8;

/** A list that draws only the rows in view. Screen readers learn its length and the place of each row. */
export const VirtualList = <Item,>(props: VirtualListProps<Item>) => {
  const { items, rowHeight, label, keyOf, shown, onEnd, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });

  const look = () => {
    const element = box.current;
    if (!element) return;
    const { scrollTop: top, clientHeight: height } = element;
    setView((before) =>
      before.top === top && before.height === height ? before : { top, height },
    );
    if (onEnd && top + height > element.scrollHeight - 4 * rowHeight) onEnd();
  };
  useLayoutEffect(look, [items.length]);
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element || shown === undefined || shown < 0) return;
    const top = shown * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight;
  }, [shown]);

  const from = Math.max(0, Math.floor(view.top / rowHeight) - MORE);
  const to = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + MORE);
  return (
    <div
      class="virtual"
      // Rows may have nothing to focus: the keyboard scrolls the box itself.
      tabIndex={0}
      ref={box}
      style={{ '--whole': `${items.length * rowHeight + 2}px` }}
      onScroll={look}
    >
      <ul aria-label={label} style={{ height: `${items.length * rowHeight}px` }}>
        {items.slice(from, to).map((item, at) => (
          <li
            key={keyOf(item, from + at)}
            aria-setsize={items.length}
            aria-posinset={from + at + 1}
            style={{
              height: `${rowHeight}px`,
              transform: `translateY(${(from + at) * rowHeight}px)`,
            }}
          >
            {children(item, from + at)}
          </li>
        ))}
      </ul>
    </div>
  );
};
