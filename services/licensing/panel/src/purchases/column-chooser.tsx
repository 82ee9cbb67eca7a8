// Assigns the columns of an import file to the fields of a purchase.
import { Surface } from '@counterfoil/ui/parts/page.tsx';
import { Rows } from '@counterfoil/ui/table/rows.tsx';
import { Select } from '@mantine/core';
import { words } from '../strings.ts';
import { findExample, type Heading } from './read-heading.ts';

const text = words.import;
const fields = [
  'code',
  'item_id',
  'item_external_id',
  'license_type',
  'price',
  'currency',
  'state',
  'date',
  'supported_until',
  'downloaded',
  'buyer_name',
  'buyer_email',
];

export function ColumnChooser(props: {
  heading: Heading;
  map: Readonly<Record<string, string>>;
  onChange: (map: Readonly<Record<string, string>>) => void;
}) {
  const { columns } = props.heading;
  const choices = [...new Set(columns)].filter((column) => column !== '');
  const findOwn = (field: string) => columns.find((column) => column.toLowerCase() === field);
  const columnOf = (field: string) => props.map[field] ?? findOwn(field);
  const choose = (field: string, column: string | null) => {
    const { [field]: _before, ...others } = props.map;
    props.onChange(column === null ? others : { ...others, [field]: column });
  };
  return (
    <Surface title={text.fields} text={text.fieldsText} flush>
      <Rows
        label={text.fields}
        rows={fields}
        rowKey={(field) => field}
        columns={[
          { title: text.field, render: (field) => <span className="cf-mono">{field}</span> },
          {
            title: text.column,
            render: (field) => (
              <Select
                size="xs"
                aria-label={`${text.column}: ${field}`}
                placeholder={text.notInFile}
                data={choices}
                value={columnOf(field) ?? null}
                onChange={(column) => choose(field, column)}
                clearable={findOwn(field) === undefined}
                allowDeselect={false}
              />
            ),
          },
          { title: text.example, render: (field) => findExample(props.heading, columnOf(field)) },
        ]}
      />
    </Surface>
  );
}
