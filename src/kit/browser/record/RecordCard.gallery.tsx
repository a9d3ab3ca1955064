import { answered, away, busy, done } from '#kit/browser/gallery/answers.ts';
import { longLabel, longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { historyOf } from '#kit/contract/history.ts';
import { text } from '#kit/contract/text.ts';
import { Facts } from './Facts.tsx';
import { CardButtons, RecordCard } from './RecordCard.tsx';
import { ShortRows } from './ShortRows.tsx';
import { Timeline } from './Timeline.tsx';

const history = (state: string) => historyOf(`/kit/timeline-${state}`, 'public', []);
const entry = {
  id: 1,
  at: '2026-11-21T05:12:00.000Z',
  actor: 'Asha Trivedi',
  action: 'created',
  act: text`Created`,
  details: { Height: '9' },
};
const full = answered(history('full'), done({ rows: [entry], next: null }));
const empty = answered(history('empty'), done({ rows: [], next: null }));
const loading = answered(history('loading'), busy);
const failing = answered(history('failing'), away);

export const timeline: Section = {
  name: 'Timeline',
  states: {
    'One entry': <Timeline endpoint={full} id={1} />,
    'Nothing yet': <Timeline endpoint={empty} id={1} />,
    Loading: <Timeline endpoint={loading} id={1} />,
    'Server away': <Timeline endpoint={failing} id={1} />,
  },
};

const trees = ['Oak', 'Elm', 'Ash', 'Neem', 'Banyan'];

export const shortRows: Section = {
  name: 'ShortRows',
  states: {
    'Five rows': (
      <ShortRows
        caption="Five trees"
        heads={['Name', 'Height']}
        rows={trees.map((name) => ({ key: name, cells: [name, '21 m'] }))}
      />
    ),
    'Two rows of long words': (
      <ShortRows
        caption="Two trees"
        heads={['Name', 'Height']}
        rows={[1, 2].map((key) => ({ key, cells: [longWords, '21 m'] }))}
      />
    ),
  },
};

const oak = <Facts facts={[{ label: 'Height', value: '21 m' }]} />;

export const facts: Section = {
  name: 'Facts',
  states: {
    Usual: oak,
    'With a button, and without a value': (
      <Facts facts={[{ label: 'Planted on', value: '', action: <Button kind="quiet">Add</Button> }]} />
    ),
    'Long words': <Facts facts={[{ label: longLabel, value: longWords }]} />,
  },
};

export const recordCard: Section = {
  name: 'RecordCard',
  states: {
    Usual: <RecordCard title="Measures">{oak}</RecordCard>,
    'With a button': (
      <RecordCard title="Measures to edit" actions={<Button kind="quiet">Edit</Button>}>
        {oak}
      </RecordCard>
    ),
    'With buttons below': (
      <RecordCard title="Wide measures" isWide>
        {oak}
        <CardButtons>
          <Button>Measure…</Button>
          <Button kind="quiet">Cut…</Button>
        </CardButtons>
      </RecordCard>
    ),
    'Long words': (
      <RecordCard title={longWords} actions={<Button kind="quiet">{longLabel}</Button>}>
        {oak}
      </RecordCard>
    ),
  },
};
