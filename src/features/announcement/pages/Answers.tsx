import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Alert } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { Announcement } from '../contract/announcement.ts';
import { answerApi, answerFilters, type ChildAnswer } from '../contract/answer.ts';
import { answersOf } from '../contract/family-ask.ts';

interface Props {
  announcement: Announcement;
}

/** What guardians answered for each child, and the answers that came on paper. */
export function Answers({ announcement }: Props) {
  const { id, asks, options, versions } = announcement;
  const { t } = useLingui();
  const { address } = useListAddress();
  const answers = answersOf(asks, options);
  const show = answerFilters.find((word) => word === address.show) ?? 'all';
  const text = versions.some(({ number }) => String(number) === address.text) ? (address.text ?? '') : '';
  const download = useDownload();
  const { attempt, problem, isBusy } = useAttempt();
  const asked = { id: String(id), show, text } as const;
  const shown = JSON.stringify(asked);
  // A page of another tab begins at its first child.
  const [page, setPage] = useState({ shown, place: '' });
  const place = page.shown === shown ? page.place : '';
  const setPlace = (to: string) => setPage({ shown, place: to });
  const query = useRead(answerApi.list, { ...asked, after: place });
  const tabs = [
    { key: 'all', title: t`All` },
    { key: 'unanswered', title: t`Not answered` },
    { key: 'answered', title: t`Answered` },
    { key: 'two', title: t`Two answers` },
  ];
  const texts = [
    { key: '', title: t`All that count` },
    ...versions.map(({ number }) => ({ key: String(number), title: t`Text ${number}` })).toReversed(),
  ];
  return (
    <RecordCard
      isWide
      title={<Trans>Answers</Trans>}
      actions={
        <Button
          kind="quiet"
          isBusy={isBusy}
          onClick={() => attempt(() => download(answerApi.export, { ...asked, as: 'xlsx' }, 'answers.xlsx'))}
        >
          <Trans>Export</Trans>
        </Button>
      }
    >
      {versions.length > 1 && (
        <AddressTabs label={t`Texts`} name="text" tabs={texts} current={text} kept={{ part: 'answers', show }} />
      )}
      <AddressTabs label={t`Children`} name="show" tabs={tabs} current={show} kept={{ part: 'answers', text }} />
      {problem}
      <QueryBoundary query={query}>
        {({ rows, next, figures }) => (
          <>
            <Figures figures={figures} />
            {rows.length === 0 ? (
              <EmptyState message={<Trans>No entries match.</Trans>} />
            ) : (
              <ListRows
                caption={<Trans>Children</Trans>}
                heads={[t`Student`, t`Answer`, t`Answered`, t`On paper`]}
                rows={rows.map((row) => ({
                  key: row.id,
                  cells: [
                    <div key="name">
                      {row.name}
                      <div className="soft">{row.section}</div>
                    </div>,
                    <Given key="answer" row={row} />,
                    row.at && showMoment(row.at),
                    text === '' && (
                      <Enter key="enter" id={id} number={announcement.number} row={row} answers={answers} />
                    ),
                  ],
                }))}
              />
            )}
            <p>
              {place !== '' && (
                <Button onClick={() => setPlace('')}>
                  <Trans>First page</Trans>
                </Button>
              )}{' '}
              {next !== null && (
                <Button onClick={() => setPlace(next)}>
                  <Trans>Next page</Trans>
                </Button>
              )}
            </p>
          </>
        )}
      </QueryBoundary>
    </RecordCard>
  );
}

/** "52 children: Yes 30, No 12 · 10 not answered · 2 with two answers". */
function Figures({
  figures: { children, unanswered, two, answers },
}: Pick<OutputOf<typeof answerApi.list>, 'figures'>) {
  const words = answers.map((one) => `${translateOption(one.answer)} ${one.children}`).join(', ');
  return (
    <p>
      <Plural value={children} one="# child" other="# children" />: {words} · <Trans>{unanswered} not answered</Trans>
      {two > 0 && (
        <>
          {' · '}
          <Trans>{two} with two answers</Trans>
        </>
      )}
    </p>
  );
}

function Given({ row: { answer, differs, isOnPaper, said } }: { row: ChildAnswer }) {
  const details = said.map((one) => [`${one.by}: ${translateOption(one.answer)}`, one.note].filter(Boolean).join(', '));
  return (
    <>
      {answer && translateOption(answer)}{' '}
      {differs && (
        <Alert kind="warn">
          <Trans>Two answers</Trans>
        </Alert>
      )}
      {isOnPaper && (
        <span className="soft">
          <Trans>On paper</Trans>
        </span>
      )}
      {details.map((line) => (
        <div key={line} className="soft">
          {line}
        </div>
      ))}
    </>
  );
}

interface EnterProps {
  id: number;
  /** Of the text that asks. */
  number: number;
  row: ChildAnswer;
  answers: readonly string[];
}

function Enter({ id, number, row, answers }: EnterProps) {
  const { t } = useLingui();
  return (
    <FormOpener title={t`Answer for ${row.name}`} label={<Trans>Enter…</Trans>} kind="quiet">
      {(onClose) => (
        <RecordForm
          title={t`Answer for ${row.name}`}
          about={t`It replaces the answers so far. If a guardian answers differently later, both are shown.`}
          endpoint={answerApi.enter}
          initial={{ answer: row.answer, note: '' }}
          hiddenValues={{ id, number, studentId: row.id }}
          onClose={onClose}
        >
          <SelectField name="answer" width="medium" options={answers} />
          <TextField name="note" long />
        </RecordForm>
      )}
    </FormOpener>
  );
}
