import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { ListRows, ListTable } from './ListTable.tsx';

const change = (name: string) => (
  <Button kind="quiet" aria-label={`Edit ${name}`}>
    Edit
  </Button>
);

export const listTable: Section = {
  name: 'ListTable',
  states: {
    'To read': (
      <ListTable>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Height</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>Oak</td>
            <td>21 m</td>
          </tr>
        </tbody>
      </ListTable>
    ),
  },
};

export const listRows: Section = {
  name: 'ListRows',
  states: {
    'With actions': (
      <ListRows
        caption="Trees in a list"
        heads={['Name', 'Height']}
        rows={[
          { key: 1, cells: ['Oak', '21 m'], actions: change('Oak') },
          { key: 2, cells: ['Elm', '9 m'], actions: change('Elm') },
        ]}
      />
    ),
    'Long words': (
      <ListRows
        caption="Trees with long names in a list"
        heads={['Name', 'Height']}
        rows={[{ key: 1, cells: [longWords, '21 m'], actions: change('the tree') }]}
      />
    ),
  },
};
