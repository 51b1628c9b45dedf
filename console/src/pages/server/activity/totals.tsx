import { duration, numbered } from '../../../kit/words.ts';
import { meanMs, type Total } from './series.ts';

const SHOWN = 50;

/** The busiest first; each leads to the charts and calls of itself alone. */
export const Totals = ({
  title,
  column,
  totals,
  onChoose,
}: {
  readonly title: string;
  readonly column: string;
  readonly totals: readonly Total[];
  readonly onChoose: (name: string) => void;
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
                  <th scope="row">
                    <button type="button" class="as-link" onClick={() => onChoose(total.name)}>
                      {total.name}
                    </button>
                  </th>
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
