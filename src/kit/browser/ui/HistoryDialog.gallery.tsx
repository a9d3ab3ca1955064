import { answered, away, busy, done } from '#kit/browser/gallery/answers.ts';
import { longLabel, longWords, Opener, type Section } from '#kit/browser/gallery/section.tsx';
import { type History, historyOf } from '#kit/contract/history.ts';
import { text } from '#kit/contract/text.ts';
import { HistoryButton } from './HistoryButton.tsx';
import { HistoryDialog } from './HistoryDialog.tsx';

const history = (state: string) => historyOf(`/kit/${state}`, 'public', []);

const entry = {
  id: 1,
  at: '2026-11-21T05:12:00.000Z',
  actor: 'Asha Trivedi',
  action: 'created',
  act: text`Created`,
  details: {},
};
const changed = { action: 'changed', act: text`Changed` };

const full = answered(
  history('full'),
  done({
    rows: [
      { ...entry, ...changed, id: 3, details: { Height: '9 → 21', Planted: '1988-03-03 → 1988-03-04' } },
      { ...entry, ...changed, id: 2, details: { [longLabel]: longWords }, actor: longWords },
      entry,
    ],
    next: '1',
  }),
);
const empty = answered(history('empty'), done({ rows: [], next: null }));
const loading = answered(history('loading'), busy);
const failing = answered(history('failing'), away);

const open = (words: string, endpoint: History) => (
  <Opener words={words}>
    {(close) => <HistoryDialog endpoint={endpoint} id={1} displayName="Oak" onClose={close} />}
  </Opener>
);

export const historyButton: Section = {
  name: 'HistoryButton',
  states: { 'At the end of a row': <HistoryButton name="Oak" onOpen={() => undefined} /> },
};

export const historyDialog: Section = {
  name: 'HistoryDialog',
  states: {
    'Some entries, and older ones': open('Open the history', full),
    'Nothing yet': open('Open an empty history', empty),
    Loading: open('Open a history that is loading', loading),
    'Server away': open('Open a history that fails', failing),
  },
};
