import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answered, away, busy, done } from '#kit/browser/gallery/answers.ts';
import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { trees } from '#kit/browser/gallery/trees.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Initials } from '#kit/browser/ui/Initials.tsx';
import { searchText } from '#kit/browser/ui/search-text.ts';
import { defineList } from '#kit/contract/record-list.ts';
import { options, text } from '#kit/contract/text.ts';
import { MayShare } from './may-share.ts';
import { RecordList } from './RecordList.tsx';

const sides = options('North', 'South');

const listAt = (name: string, plural: string) =>
  defineList({
    name,
    path: `/kit/list-${name}`,
    singular: text`tree`,
    plural: { id: plural },
    access: 'public',
    shows: [],
    columns: {
      name: { kind: 'text', label: text`Name`, isSorted: true },
      height: { kind: 'number', label: text`Height in metres`, isSorted: true },
      plantedOn: { kind: 'date', label: text`Planted on`, isSorted: true },
      side: { kind: 'oneOf', label: text`Side`, options: sides },
      birds: { kind: 'someText', label: text`Birds`, isAside: true },
    },
    filters: {
      side: { kind: 'oneOf', label: text`Side`, options: sides },
      treeId: { kind: 'ref', label: text`Grown from`, options: trees.few },
    },
    tabs: { standing: text`Standing`, felled: text`Felled`, all: text`All` },
    extra: {},
  });

const names = ['Ash', 'Elm', 'Oak', 'Yew', longWords];
const rows = names.map((name, index) => ({
  id: index + 1,
  name,
  height: 3 + index * 7,
  plantedOn: `19${61 + index}-03-03`,
  side: sides[index % 2],
  birds: ['Mynah', 'Koel'],
}));
const count = (total: number, isMore = false) => ({ total, isMore });
const views = [
  {
    id: 1,
    name: 'The tall ones',
    isShared: false,
    isOwn: true,
    address: { sort: '-height' },
    columns: ['height', 'birds'],
  },
  { id: 2, name: longWords, isShared: true, isOwn: false, address: { side: 'South' }, columns: ['side'] },
];

const full = listAt('full', 'trees');
answered(full.api.list, done({ rows, next: 'next', previous: 'previous', ...count(1000, true) }));
answered(full.api.counts, done({ standing: count(57), felled: count(0), all: count(1000, true) }));
answered(full.api.views, done(views));

const none = listAt('none', 'trees of an empty garden');
answered(none.api.list, done({ rows: [], next: null, previous: null, ...count(0) }));
answered(none.api.counts, done({ standing: count(0), felled: count(0), all: count(0) }));
answered(none.api.views, done([]));

const slow = listAt('slow', 'trees that are loading');
answered(slow.api.list, busy);
answered(slow.api.counts, busy);
answered(slow.api.views, busy);

const gone = listAt('away', 'trees of another garden');
answered(gone.api.list, away);
answered(gone.api.counts, away);
answered(gone.api.views, away);

/** A list has its filters, order and page in the address: each has an address of its own here. */
function At({ address = '', children }: { address?: string; children: ReactNode }) {
  const [router] = useState(() =>
    createRouter({
      routeTree: createRootRoute({ component: () => children }),
      history: createMemoryHistory({ initialEntries: [`/${address}`] }),
      ...searchText,
    }),
  );
  return <RouterProvider router={router} />;
}

const common = { open: () => ({ to: '/sign-up' as const }), empty: { message: 'Plant the first tree.' } };

export const recordList: Section = {
  name: 'RecordList',
  states: {
    Full: (
      <At>
        <MayShare value>
          <RecordList
            {...common}
            list={full}
            lead={({ name }) => <Initials name={name} />}
            actions={() => <p>Fell it</p>}
            bulk={() => <Button>Water</Button>}
            onAdd={() => undefined}
          />
        </MayShare>
      </At>
    ),
    'In a view, with a filter': (
      <At address="?view=1&sort=-height&side=North&treeId=1">
        <RecordList {...common} list={{ ...full, plural: text`trees in a view` }} />
      </At>
    ),
    'Nothing found': (
      <At address="?search=baobab">
        <RecordList {...common} list={{ ...none, plural: text`trees that are not found` }} />
      </At>
    ),
    Empty: (
      <At>
        <RecordList
          {...common}
          list={none}
          empty={{ message: 'Plant the first tree.', children: <Button kind="main">Plant a tree</Button> }}
        />
      </At>
    ),
    Loading: (
      <At>
        <RecordList {...common} list={slow} />
      </At>
    ),
    'Server away': (
      <At>
        <RecordList {...common} list={gone} />
      </At>
    ),
  },
};
