import type { ComponentChildren } from 'preact';
import { duration, numbered } from '../../../kit/words.ts';
import { meanMs, type Total } from './series.ts';

const SHOWN = 50;

/** A table of totals, the first ones only. */
export const Totals = ({
  title,
  column,
  totals,
  nameOf,
}: {
  readonly title: string;
  readonly column: string;
  readonly totals: readonly Total[];
  readonly nameOf: (name: string) => ComponentChildren;
}) => (
  <section>
    <h2>{title}</h2>
    {totals.length === 0 ? (
      <p class="soft">No call yet.</p>
    ) : (
      <div class="table-box short" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{column}</th>
              <th scope="col" class="number">
                Calls
              </th>
              <th scope="col" class="number">
                Errors
              </th>
              <th scope="col" class="number">
                Mean
              </th>
            </tr>
          </thead>
          <tbody>
            {totals.slice(0, SHOWN).map((total) => {
              const mean = meanMs(total);
              return (
                <tr key={total.name}>
                  <th scope="row">{nameOf(total.name)}</th>
                  <td class="number">{numbered(total.calls)}</td>
                  <td class="number">{numbered(total.errors)}</td>
                  <td class="number">{mean === undefined ? '–' : duration(mean)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    )}
    {totals.length > SHOWN && (
      <p class="small soft">
        The busiest {SHOWN} of {numbered(totals.length)}.
      </p>
    )}
  </section>
);
