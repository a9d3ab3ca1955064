import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { IdsField } from '#features/academic/ui/IdsField.tsx';
import { RunDialog } from '#features/run/ui/RunDialog.tsx';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { RecordList, type RowOf } from '#kit/browser/list/RecordList.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Figure, FigureLine } from '#kit/browser/ui/FigureLine.tsx';
import { Text } from '#kit/browser/ui/Layout.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { showNumber } from '#kit/contract/text.ts';
import { answerFields, answerList, type listedAnswers, questionApi, questionFields } from '../contract/question.ts';
import { FootAct } from './FootAct.tsx';

type Found = OutputOf<typeof questionApi.read>;
type AnswerRow = RowOf<typeof answerList>;

interface Props {
  yearId: number | null;
  /** The tabs of the page. */
  children: ReactNode;
}

/** What families say of the next year: the question, how far its answers are, and each child. */
export function FamiliesTab({ yearId, children }: Props) {
  const found = useRead(questionApi.read, { yearId });
  return (
    <QueryBoundary query={found}>
      {(answer) => (
        <Families key={answer.year?.id} found={answer}>
          {children}
        </Families>
      )}
    </QueryBoundary>
  );
}

function Families({ found, children }: { found: Found; children: ReactNode }) {
  const { t } = useLingui();
  const [isWriting, setWriting] = useState(false);
  const { year, next, question, state } = found;
  const title = next ? t`Families asked about ${next.name}` : t`Families asked`;
  return (
    <>
      <PageHead title={title}>
        {question && state === 'Open' && year && (
          <FootAct>
            <SendRound round="remind" yearId={year.id} />
            <SendRound round="ask" yearId={year.id} />
          </FootAct>
        )}
        {question && (
          <Button onClick={() => setWriting(true)}>
            <Trans>Edit question…</Trans>
          </Button>
        )}
      </PageHead>
      {children}
      {question ? (
        <Asked found={found} />
      ) : (
        <EmptyState
          message={
            next ? (
              <Trans>Families are not asked about {next.name} yet.</Trans>
            ) : (
              <Trans>Add the next academic year first; then its families can be asked.</Trans>
            )
          }
        >
          {next && (
            <Button kind="main" onClick={() => setWriting(true)}>
              <Trans>Write the question…</Trans>
            </Button>
          )}
        </EmptyState>
      )}
      {isWriting && <QuestionForm found={found} onClose={() => setWriting(false)} />}
    </>
  );
}

function Asked({ found: { question, state, figures, next } }: { found: Found }) {
  const { t } = useLingui();
  const [answering, setAnswering] = useState<AnswerRow>();
  if (!question || !next) return null;
  const { asked, none } = figures;
  const to = (answer: string) => `/school-erp/academic/year-end?tab=families&answer=${encodeURIComponent(answer)}`;
  const [from, until] = [showDate(question.opensOn), showDate(question.closesOn)];
  return (
    <>
      <Text tone="soft" mb={8}>
        {state === 'Later' ? (
          <Trans>
            Opens on {from}; families answer until {until}.
          </Trans>
        ) : state === 'Open' ? (
          <Trans>Families answer until {until}.</Trans>
        ) : (
          <Trans>Families answered until {until}; the office can change each answer.</Trans>
        )}
      </Text>
      <FigureLine label={t`Answers`}>
        <Figure title={t`Answered`} value={showNumber(asked - none)} of={<Trans>of {showNumber(asked)}</Trans>} />
        <Figure title={t`Staying`} value={showNumber(figures.staying)} to={to('Staying')} />
        <Figure title={t`Leaving`} value={showNumber(figures.leaving)} to={to('Leaving')} />
        <Figure title={t`Not sure`} value={showNumber(figures.notSure)} to={to('Not sure')} />
        <Figure title={t`Differ`} value={showNumber(figures.differ)} to={to('Differ')} isLate={figures.differ > 0} />
        <Figure title={t`No answer`} value={showNumber(none)} to={to('No answer')} />
      </FigureLine>
      <RecordList
        list={answerList}
        usual={{ toYearId: String(next.id) }}
        of={next.name}
        open={({ studentId }) => ({
          to: '/school-erp/student/student-list/$studentID',
          params: { studentID: String(studentId) },
        })}
        cells={{
          answer: ({ answer }) => <Status kind={kinds[answer as keyof typeof kinds]}>{translateOption(answer)}</Status>,
        }}
        actions={(row, menu) => (
          <Menu.Item onClick={menu(() => setAnswering(row))}>
            <Trans>Answer for this child…</Trans>
          </Menu.Item>
        )}
        empty={{ message: <Trans>No child is asked about.</Trans> }}
      />
      {answering && <AnswerForm row={answering} onClose={() => setAnswering(undefined)} />}
    </>
  );
}

const kinds: Record<(typeof listedAnswers)[number], ChipKind> = {
  Staying: 'good',
  Leaving: 'info',
  'Not sure': 'plain',
  Differ: 'bad',
  'No answer': 'plain',
};

function AnswerForm({ row, onClose }: { row: AnswerRow; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`${row.name} in ${row.year}`}
      about={t`The office’s answer counts, whatever the guardians answered.`}
      endpoint={questionApi.answer}
      initial={{ answer: '', lastDay: '', reasonId: null, nextSchool: '' }}
      hiddenValues={{ id: row.studentId, toYearId: row.toYearId }}
      of={row.name}
      onClose={onClose}
    >
      <FieldControls fields={answerFields} />
    </RecordForm>
  );
}

function QuestionForm({ found: { year, next, question, grades }, onClose }: { found: Found; onClose: () => void }) {
  const { t } = useLingui();
  const initial = question ?? {
    words: t`Will your child be with us next year? If you are not sure yet, tell us that too.`,
    opensOn: today(),
    closesOn: '',
    remindDays: 3,
    gradeIds: grades.flatMap(({ id, isActive }) => (isActive ? [id] : [])),
  };
  const { words, opensOn, closesOn, remindDays, gradeIds } = initial;
  return (
    <RecordForm
      title={t`Question about ${next?.name ?? ''}`}
      about={t`Families see it on their page from the first day on.`}
      endpoint={questionApi.save}
      initial={{ words, opensOn, closesOn, remindDays, gradeIds }}
      hiddenValues={{ yearId: year?.id ?? 0, version: question?.version ?? null }}
      onClose={onClose}
    >
      <FieldControls fields={questionFields} />
      <IdsField name="gradeIds" legend={t`Grades`} options={grades} />
    </RecordForm>
  );
}

function SendRound({ round, yearId }: { round: 'ask' | 'remind'; yearId: number }) {
  const { t } = useLingui();
  const preview = usePreview(round === 'ask' ? questionApi.ask : questionApi.remind);
  const [run, setRun] = useState<number>();
  const title = round === 'ask' ? t`Ask families` : t`Remind families`;
  return (
    <>
      <Button kind={round === 'ask' ? 'main' : undefined} onClick={() => void preview.show({ yearId })}>
        {round === 'ask' ? <Trans>Ask families…</Trans> : <Trans>Remind…</Trans>}
      </Button>
      {preview.problem}
      <BulkAct
        preview={preview}
        title={title}
        effect={(count) => (
          <Plural value={count} one="# guardian gets the question." other="# guardians get the question." />
        )}
        confirm={<Trans>Send</Trans>}
        onApplied={(answer) => setRun((answer as unknown as { runId: number | null }).runId ?? undefined)}
      />
      {run !== undefined && <RunDialog id={run} title={title} onClose={() => setRun(undefined)} />}
    </>
  );
}
