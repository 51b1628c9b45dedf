import { useEffect, useRef, useState } from 'preact/hooks';
import { Message } from '../kit/show.tsx';
import { Table } from '../kit/table.tsx';
import type { PlotContent } from './plot.ts';

/** A chart and its numbers. The chart library is loaded with the first. @param content - a new object is drawn anew */
export const Chart = ({ title, content }: { title: string; content: PlotContent }) => {
  const place = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const theme = useTheme();
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    let end = () => {};
    let isLatest = true;
    import('./plot.ts').then(
      ({ drawPlot }) => {
        if (!isLatest) return;
        const plot = drawPlot(element, content);
        const watched = new ResizeObserver(() => plot.resize(element.clientWidth));
        watched.observe(element);
        end = () => {
          watched.disconnect();
          plot.destroy();
        };
      },
      () => setFailed(true),
    );
    return () => {
      isLatest = false;
      end();
    };
  }, [content, theme]);

  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      {failed && (
        <Message kind="warn">The chart could not be loaded. Its numbers are below.</Message>
      )}
      <div class="plot" ref={place} aria-hidden="true" />
      <details>
        <summary>The numbers of “{title}”</summary>
        <Table label={`The numbers of “${title}”`} {...numbersOf(content)} />
      </details>
    </figure>
  );
};

const numbersOf = ({ times, series, written, timeWritten }: PlotContent) => ({
  rows: times,
  keyOf: (at: number) => at,
  columns: [
    ['When', timeWritten] as const,
    ...series.map(({ name, values }) => {
      const cell = (_: number, index: number) => {
        const value = values[index] ?? null;
        return value === null ? '–' : written(value);
      };
      return [name, cell, 'number'] as const;
    }),
  ],
});

const DARK = '(prefers-color-scheme: dark)';

/** Charts are drawn once, in the colours of the page: another theme draws them again. */
const useTheme = (): boolean => {
  const [isDark, setDark] = useState(() => matchMedia(DARK).matches);
  useEffect(() => {
    const media = matchMedia(DARK);
    const changed = () => setDark(media.matches);
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  }, []);
  return isDark;
};
