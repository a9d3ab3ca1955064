import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { AmountTable } from './AmountTable.tsx';
import { Button } from './Button.tsx';
import { CardTable } from './CardTable.tsx';

const change = (name: string) => (
  <Button kind="quiet" aria-label={`Change ${name}`}>
    Change
  </Button>
);

export const cardTable: Section = {
  name: 'CardTable',
  states: {
    'To read': (
      <CardTable
        caption="Trees to read"
        heads={['Name', 'Height', 'Planted']}
        rows={[
          { key: 1, cells: ['Oak', '21 m', '3 Mar 1988'] },
          { key: 2, cells: ['Elm', '', '12 Jul 2001'] },
        ]}
      />
    ),
    'With actions': (
      <CardTable
        caption="Trees to change"
        heads={['Name', 'Height']}
        rows={[
          { key: 1, cells: ['Oak', '21 m'], actions: change('Oak') },
          { key: 2, cells: ['Elm', '9 m'], actions: change('Elm') },
        ]}
      />
    ),
    'Long words': (
      <CardTable
        caption="Trees with long names"
        heads={['Name', 'Height', 'Planted']}
        rows={[{ key: 1, cells: [longWords, '21 m', longWords], actions: change('the tree') }]}
      />
    ),
  },
};

export const amountTable: Section = {
  name: 'AmountTable',
  states: {
    Usual: (
      <AmountTable
        caption="Trees and their prices"
        heads={['Name', 'Price', 'Paid', 'State']}
        amounts={['Price', 'Paid']}
        rows={[
          { key: 1, cells: ['Oak', '₹12,000.00', '₹500.00', 'Planted'] },
          { key: 2, cells: ['Elm', '₹900.00', '', 'Ordered'] },
        ]}
      />
    ),
    'Long words, an amount last': (
      <AmountTable
        caption="Prices of trees with long names"
        heads={['Name', 'Planted', longWords]}
        amounts={[longWords]}
        rows={[{ key: 1, cells: [longWords, '3 Mar 1988', '₹12,34,56,789.00'] }]}
      />
    ),
  },
};
