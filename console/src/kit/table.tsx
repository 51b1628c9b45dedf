import { type ComponentChildren, Fragment } from 'preact';

type Column<Row> = readonly [
  name: string,
  cell: (row: Row, index: number) => ComponentChildren,
  kind?: 'number',
];

interface TableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** The first column is the header of its row. */
  readonly columns: readonly Column<Row>[];
}

/** A table that scrolls in its own box, by keyboard too. */
export const Table = <Row,>({ label, rows, keyOf, columns }: TableProps<Row>) => (
  <div class="table-box short" tabIndex={0} role="region" aria-label={label}>
    <table>
      <thead>
        <tr>
          {columns.map(([name, , kind]) => (
            <th key={name} scope="col" class={kind}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf(row)}>
            {columns.map(([name, cell, kind], at) =>
              at === 0 ? (
                <th key={name} scope="row">
                  {cell(row, index)}
                </th>
              ) : (
                <td key={name} class={kind} data-name={name}>
                  {cell(row, index)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

export const Facts = ({ of }: { of: Readonly<Record<string, ComponentChildren>> }) => (
  <dl class="facts">
    {Object.entries(of)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
  </dl>
);
