import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import { answered, done } from '#kit/browser/gallery/answers.ts';
import { longWords, Opener, type Section } from '#kit/browser/gallery/section.tsx';
import { trees } from '#kit/browser/gallery/trees.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { defineList } from '#kit/contract/record-list.ts';
import { text } from '#kit/contract/text.ts';
import { ColumnsDialog } from './ColumnsDialog.tsx';
import { FilterChoice } from './FilterChoice.tsx';
import { FilterPanel } from './FilterPanel.tsx';
import { ListFilters } from './ListFilters.tsx';
import { ListFoot } from './ListFoot.tsx';
import { ListTable } from './ListTable.tsx';
import { MayShare } from './may-share.ts';
import { RecordTable } from './RecordTable.tsx';
import { SaveView } from './SaveView.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { SortHead } from './SortHead.tsx';
import type { Way } from './use-dragging.ts';
import { useSelection } from './use-selection.ts';
import { ViewMenu } from './ViewMenu.tsx';

const nothing = () => undefined;
const hedges = defineList({
  name: 'hedge',
  path: '/kit/hedge',
  singular: text`hedge`,
  plural: text`hedges`,
  access: 'public',
  shows: [],
  columns: { name: { kind: 'text', label: text`Name` } },
  filters: {},
  tabs: { all: text`All` },
  extra: { isOld: z.boolean() },
});
const saveView = answered(hedges.api.saveView, done({ id: 1 }));

function Sorted({ children }: { children: (sort: string, onSort: (sort: string) => void) => ReactNode }) {
  const [sort, setSort] = useState('name');
  return (
    <ListTable>
      <thead>
        <tr>{children(sort, setSort)}</tr>
      </thead>
    </ListTable>
  );
}

export const sortHead: Section = {
  name: 'SortHead',
  states: {
    'Two columns': (
      <Sorted>
        {(sort, onSort) => (
          <>
            <SortHead name="name" label="Name" sort={sort} onSort={onSort} />
            <SortHead name="height" label="Height" isNumber sort={sort} onSort={onSort} />
          </>
        )}
      </Sorted>
    ),
  },
};

function Filtered() {
  const [address, setAddress] = useState<Partial<Record<string, string>>>({ side: 'North', treeId: '4' });
  return (
    <ListFilters
      searchWords="Search hedges"
      filters={[
        {
          name: 'side',
          label: 'Side of the hedge',
          words: [
            ['North', 'North'],
            ['South', 'South'],
          ],
        },
        { name: 'treeId', label: 'Nearest tree', options: trees.few },
      ]}
      address={address}
      onNarrow={(rest) => setAddress({ ...address, ...rest })}
    />
  );
}

export const listFilters: Section = { name: 'ListFilters', states: { 'Two are set': <Filtered /> } };

function Panel() {
  const [isOpen, setOpen] = useState(false);
  return (
    <FilterPanel
      isOpen={isOpen}
      onToggle={setOpen}
      button={<Button onClick={() => setOpen(!isOpen)}>Open the panel</Button>}
    >
      <FilterChoice label="Season" value="" all="All" onChange={nothing}>
        <option value="Spring">Spring</option>
      </FilterChoice>
    </FilterPanel>
  );
}

export const filterPanel: Section = { name: 'FilterPanel', states: { Closed: <Panel /> } };

const place = { address: {}, turn: nothing };

export const listFoot: Section = {
  name: 'ListFoot',
  states: {
    'One row': (
      <ListFoot
        page={{ total: 1, isMore: false, previous: null, next: null }}
        singular={text`hedge`}
        plural={text`hedges`}
        place={place}
      />
    ),
    'More than could be counted': (
      <ListFoot
        page={{ total: 1000, isMore: true, previous: 'before', next: 'after' }}
        singular={text`hedge`}
        plural={text`hedges`}
        place={place}
      />
    ),
  },
};

const columns = [
  { name: 'height', label: 'Height' },
  { name: 'plantedBy', label: longWords },
];

function Columns({ onClose }: { onClose: () => void }) {
  const [shown, setShown] = useState<readonly string[]>(['height']);
  return (
    <ColumnsDialog
      about="Kept on this device until you sign out."
      columns={columns}
      shown={shown}
      onChoose={setShown}
      onClose={onClose}
    />
  );
}

export const columnsDialog: Section = {
  name: 'ColumnsDialog',
  states: { Open: <Opener words="Choose columns">{(close) => <Columns onClose={close} />}</Opener> },
};

export const selectionBar: Section = {
  name: 'SelectionBar',
  states: {
    'Some are selected': (
      <SelectionBar count={12} elsewhere={3} total="57" onAll={nothing} onClear={nothing}>
        <Button>Trim</Button>
      </SelectionBar>
    ),
    'All are selected': <SelectionBar count={1000} isMore elsewhere={0} total="1,000+" onClear={nothing} />,
  },
};

const views = [
  { id: 1, name: 'Tall hedges', isShared: false, isOwn: true, address: {}, columns: [] },
  { id: 2, name: longWords, isShared: true, isOwn: false, address: {}, columns: [] },
];

export const viewMenu: Section = {
  name: 'ViewMenu',
  states: {
    'None is chosen': (
      <ViewMenu views={views} current={undefined} onChoose={nothing} onSave={nothing} onRemove={nothing} />
    ),
    'Long words': (
      <MayShare value>
        <ViewMenu views={views} current={views[1]} onChoose={nothing} onSave={nothing} onRemove={nothing} />
      </MayShare>
    ),
    'They could not be loaded': (
      <ViewMenu
        views={undefined}
        onRetry={nothing}
        current={undefined}
        onChoose={nothing}
        onSave={nothing}
        onRemove={nothing}
      />
    ),
  },
};

export const saveViewSection: Section = {
  name: 'SaveView',
  states: {
    Open: (
      <Opener words="Save a view">
        {(close) => (
          <SaveView
            endpoint={saveView}
            current={views[0]}
            address={{}}
            columns={[]}
            onSaved={nothing}
            onClose={close}
          />
        )}
      </Opener>
    ),
  },
};

const rows = [
  { id: 1, name: 'Evergreen, Privet', kind: 'Evergreen', height: 2, plantedOn: '1988-03-03' },
  { id: 2, name: longWords, kind: 'Other', height: null, plantedOn: '' },
];

function Table({
  caption = 'Hedges',
  isStale = false,
  isSelecting,
  groupedBy,
  onMove,
}: {
  caption?: string;
  isSelecting?: boolean;
  groupedBy?: string;
  isStale?: boolean;
  onMove?: (row: object, to: Way) => void;
}) {
  const selection = useSelection({});
  return (
    <RecordTable
      caption={caption}
      columns={[
        { name: 'name', label: 'Name', kind: 'text', isSorted: true },
        { name: 'height', label: 'Height in metres', head: 'Height', kind: 'number' },
        { name: 'plantedOn', label: 'Planted on', kind: 'date' },
      ]}
      rows={rows}
      isStale={isStale}
      open={({ id }) => (onMove ? (id === 1 ? nothing : undefined) : { to: '/sign-up' })}
      isSoft={({ id }) => id === 2}
      onMove={onMove}
      page={{ previous: null, next: null }}
      isOrdered={onMove !== undefined}
      cells={{}}
      sort="name"
      onSort={nothing}
      selection={selection}
      isSelecting={isSelecting}
      groupedBy={groupedBy}
    />
  );
}

export const recordTable: Section = {
  name: 'RecordTable',
  states: {
    Filled: <Table />,
    'In groups': <Table caption="Hedges in groups" groupedBy="kind" />,
    'With boxes on a phone': <Table caption="Hedges to select" isSelecting />,
    'Read again': <Table caption="Hedges that are read again" isStale />,
    'In the users’ own order; one opens': <Table caption="Hedges in order" onMove={nothing} />,
  },
};
