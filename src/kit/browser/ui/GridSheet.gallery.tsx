import { useState } from 'react';
import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { GridSheet } from './GridSheet.tsx';

const columns = [
  { key: 'pears', name: 'Pears', detail: 'a year' },
  { key: 'plums', name: 'Plums' },
  { key: 'figs', name: 'Figs' },
];
const gardens = ['North', 'South', 'West'].map((name) => ({ key: name, name, label: name, after: ['0'] }));

interface Props {
  of: string;
  rows?: typeof gardens;
  first?: Record<string, string>;
}

const Baskets = ({ of, rows = gardens, first = {} }: Props) => {
  const [typed, setTyped] = useState<Record<string, string>>(first);
  const textOf = (row: string, column: string) => typed[`${row} ${column}`] ?? '120';
  return (
    <GridSheet
      label={`Baskets of fruit, ${of}`}
      corner="Garden"
      rows={rows}
      columns={columns}
      after={['Trees']}
      textOf={textOf}
      isChanged={(row, column) => `${row} ${column}` in typed}
      problemOf={(row, column) => (/^[0-9]*$/.test(textOf(row, column)) ? undefined : 'Enter a number.')}
      aboutCell={(row, column) => `${row}, ${column}: 100 in 2025`}
      onChange={(changes) =>
        setTyped((before) => ({
          ...before,
          ...Object.fromEntries(changes.map(({ row, column, text }) => [`${row} ${column}`, text])),
        }))
      }
    />
  );
};

export const gridSheet: Section = {
  name: 'GridSheet',
  states: {
    Usual: <Baskets of="usual" />,
    'With a problem': <Baskets of="wrong" first={{ 'South plums': '33OO', 'West figs': '90' }} />,
    Locked: <Baskets of="locked" rows={gardens.map((row) => ({ ...row, isLocked: true }))} />,
    'Long words': <Baskets of="long" rows={[{ key: 'long', name: longWords, label: longWords, after: ['7'] }]} />,
  },
};
