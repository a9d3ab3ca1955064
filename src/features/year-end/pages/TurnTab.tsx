import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { RunDialog } from '#features/run/ui/RunDialog.tsx';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { type SectionWay, type Turn, type TurnGrade, turnApi, turnList } from '#features/student/contract/turn.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button, ServedButton } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Row, Text } from '#kit/browser/ui/Layout.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { Segments } from '#kit/browser/ui/Segments.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { showNumber } from '#kit/contract/text.ts';
import { FootAct } from './FootAct.tsx';
import { TurnResult, UndoTurn } from './TurnResult.tsx';
import styles from './YearEnd.module.css';

interface Props {
  yearId: number;
  /** The tabs, below the title. */
  children: ReactNode;
}

/** What a turn of all grades would do; for an Admin the act. Below it the turns of the year with every child. */
export function TurnTab({ yearId, children }: Props) {
  const { t } = useLingui();
  const [keeps, setKeeps] = useState<SectionWay>('Same letter');
  const [later, setLater] = useState<readonly number[]>([]);
  const found = useReadList(turnApi.read, { id: yearId, keeps });
  return (
    <QueryBoundary query={found}>
      {(answer) => {
        const { next, isClosed, year } = answer;
        const title = next ? t`Promote all grades to ${next}` : t`Promote all grades`;
        return (
          <>
            <PageHead title={title}>
              {next && !isClosed && <Start yearId={yearId} keeps={keeps} later={later} found={answer} title={title} />}
            </PageHead>
            {children}
            {isClosed ? (
              <EmptyState message={<Trans>{year} is closed.</Trans>} />
            ) : next ? (
              <Plan grades={answer.grades} keeps={keeps} onKeeps={setKeeps} later={later} onLater={setLater} />
            ) : (
              <EmptyState message={<Trans>There is no academic year after {year}. Add the next year first.</Trans>} />
            )}
            {answer.turns.length > 0 && <Turns yearId={yearId} turns={answer.turns} isClosed={isClosed} />}
          </>
        );
      }}
    </QueryBoundary>
  );
}

interface StartProps {
  yearId: number;
  keeps: SectionWay;
  /** Grades that a later turn takes. */
  later: readonly number[];
  found: OutputOf<typeof turnApi.read>;
  title: string;
}

function Start({ yearId, keeps, later, found: { grades, turns }, title }: StartProps) {
  const { t } = useLingui();
  const may = useMay(turnApi.start);
  const preview = usePreview(turnApi.start);
  const [run, setRun] = useState<number>();
  const going = grades.filter((grade) => goingOf(grade) > 0);
  const chosen = going.filter(({ id }) => !later.includes(id));
  // All that can, if none is left for later.
  const gradeIds = chosen.length === going.length ? [] : chosen.map(({ id }) => id);
  const running = turns.find(({ isFinished }) => !isFinished);
  const answer = preview.shown?.answer;
  if (!may) return null;
  return (
    <FootAct>
      {running ? (
        <Button onClick={() => setRun(running.runId)}>
          <Trans>
            {showNumber(running.done)} of {showNumber(running.total)}
          </Trans>
        </Button>
      ) : (
        <Button
          kind="main"
          disabled={chosen.length === 0}
          isBusy={preview.isBusy}
          onClick={() => void preview.show({ id: yearId, keeps, gradeIds })}
        >
          <Plural value={chosen.length} one="Promote # grade…" other="Promote # grades…" />
        </Button>
      )}
      {!preview.shown && preview.problem}
      <PreviewDialog
        preview={preview}
        title={title}
        confirm={<Trans>Promote</Trans>}
        details={
          answer && (
            <ul>
              <li>{t`Promoted: ${answer.promoted}`}</li>
              <li>{t`Detained: ${answer.detained}`}</li>
              <li>{t`Re-test: ${answer.reTest}`}</li>
              <li>{t`Leaving: ${answer.leaving}`}</li>
              {answer.unseated > 0 && <li>{t`Without a section: ${answer.unseated}`}</li>}
              {answer.settlements.map((settled) => (
                <li key={settled.id}>{translate(settled)}</li>
              ))}
              {answer.stopped.map(({ name, why }) => (
                <li key={name}>
                  <b>{t`${name} is left out.`}</b> <span className="soft">{translate(why)}</span>
                </li>
              ))}
            </ul>
          )
        }
        onApplied={({ runId }) => setRun(runId ?? undefined)}
      >
        <Plural
          value={answer?.roll ?? 0}
          _0="No student can be promoted now."
          one="# student is promoted, detained or leaves. You can undo it by grade."
          other="# students are promoted, detained or leave. You can undo it by grade."
        />
      </PreviewDialog>
      {run !== undefined && <RunDialog id={run} title={title} onClose={() => setRun(undefined)} />}
    </FootAct>
  );
}

/** How many children of a grade a turn writes. */
const goingOf = ({ promoted, detained, reTest, leaving }: TurnGrade) => promoted + detained + reTest + leaving;

/** A zero is left out, on a phone with its line. */
const figure = (count: number) => (count === 0 ? '' : showNumber(count));

interface PlanProps {
  grades: readonly TurnGrade[];
  keeps: SectionWay;
  onKeeps: (keeps: SectionWay) => void;
  later: readonly number[];
  onLater: (later: readonly number[]) => void;
}

function Plan({ grades, keeps, onKeeps, later, onLater }: PlanProps) {
  const { t } = useLingui();
  const mayStart = useMay(turnApi.start);
  const ticked = grades.filter(({ id }) => !later.includes(id));
  const sum = (of: (grade: TurnGrade) => number) => ticked.reduce((total, grade) => total + of(grade), 0);
  const cannot = (grade: TurnGrade) => grade.roll - grade.decided - goingOf(grade);
  const unseated = ticked.flatMap((grade) => grade.unseated.map((one) => ({ ...one, grade: grade.name })));
  const total = {
    ...{
      id: 0,
      name: later.length > 0 ? t`Chosen grades` : t`All`,
      goesTo: '',
      seatsLeft: null,
      stops: null,
      to: '',
      unseated: [],
    },
    ...{
      roll: sum(({ roll }) => roll),
      promoted: sum(({ promoted }) => promoted),
      detained: sum((one) => one.detained),
    },
    ...{
      reTest: sum(({ reTest }) => reTest),
      leaving: sum(({ leaving }) => leaving),
      decided: sum((one) => one.decided),
    },
  };
  const nameOf = (grade: TurnGrade) =>
    mayStart && goingOf(grade) > 0 && grade !== total ? (
      <Row as="label" gap={8} align="center" className={styles.grade}>
        <input
          type="checkbox"
          checked={!later.includes(grade.id)}
          onChange={({ currentTarget: { checked } }) =>
            onLater(checked ? later.filter((id) => id !== grade.id) : [...later, grade.id])
          }
        />
        {grade.name}
      </Row>
    ) : (
      grade.name
    );
  return (
    <>
      <Row gap={8} align="center" wrap mb={8}>
        <Text as="span" tone="soft">
          <Trans>Sections</Trans>
        </Text>
        <Segments
          label={t`Sections`}
          value={keeps}
          options={[
            { value: 'Same letter', label: t`Same letter` },
            { value: 'Balanced', label: t`Balanced` },
            { value: 'None', label: t`Later` },
          ]}
          onChange={onKeeps}
        />
        <Text as="span" tone="soft" size={13}>
          <Trans>Nothing is saved yet</Trans>
        </Text>
      </Row>
      <div className={styles.plan}>
        <CardTable
          caption={t`Grades`}
          heads={[
            ...[t`Grade`, t`On the last day`, t`Promoted`, t`Detained`, t`Re-test`, t`Leaving`, t`Decided before`],
            ...[t`Cannot go`, t`Goes to`, t`Seats left`],
          ]}
          rows={[...grades, total].map((grade) => ({
            key: grade.id,
            cells: [
              nameOf(grade),
              figure(grade.roll),
              figure(grade.promoted),
              figure(grade.detained),
              figure(grade.reTest),
              figure(grade.leaving),
              figure(grade.decided),
              figure(grade === total ? sum(cannot) : cannot(grade)),
              grade.stops ? (
                <>
                  <b>{translate(grade.stops)}</b>{' '}
                  <ServedButton to={`/school-erp/${grade.to}`} kind="quiet" aria-label={t`Correct ${grade.name}`}>
                    <Trans>Correct</Trans>
                  </ServedButton>
                </>
              ) : grade === total ? (
                ''
              ) : (
                grade.goesTo || t`Leaves`
              ),
              grade.seatsLeft === null ? '' : showNumber(grade.seatsLeft),
            ],
          }))}
        />
      </div>
      {unseated.length > 0 && keeps !== 'None' && (
        <section aria-label={t`Without a section`}>
          <Text as="h2" size={16} weight={600}>
            <Plural value={unseated.length} one="# student gets no section" other="# students get no section" />
          </Text>
          <ul>
            {[...Map.groupBy(unseated, ({ grade, why }) => `${grade}: ${translate(why)}`)].map(([words, own]) => (
              <li key={words}>
                <b>{words}</b> <span className="soft">{own.map(({ name }) => name).join(', ')}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** The turns of a year with their sums, and every child of them as a list. */
function Turns({ yearId, turns, isClosed }: { yearId: number; turns: readonly Turn[]; isClosed: boolean }) {
  const { t } = useLingui();
  const mayUndo = useMay(turnApi.undo) && !isClosed;
  const undo = usePreview(turnApi.undo);
  return (
    <>
      {turns.map((turn) => (
        <TurnResult key={turn.id} turn={turn} isClosed={isClosed} />
      ))}
      <section aria-label={t`Every student`}>
        <Text as="h2" size={16} weight={600} mt={16}>
          <Trans>Every student</Trans>
        </Text>
        {!undo.shown && undo.problem}
        <RecordList
          list={turnList}
          usual={{ yearId: String(yearId) }}
          open={({ studentId }) => ({
            to: '/school-erp/student/student-list/$studentID',
            params: { studentID: String(studentId) },
          })}
          isSoft={({ turnId }) => turnId === null}
          actions={({ studentId, turnId }, from) => (
            <>
              {mayUndo && turnId !== null && (
                <Menu.Item onClick={from(() => void undo.show({ id: turnId, gradeId: null, studentId, leaves: [] }))}>
                  <Trans>Undo the promotion…</Trans>
                </Menu.Item>
              )}
              <Menu.Item
                renderRoot={(props) => (
                  <PageLink
                    to="/school-erp/student/student-list/$studentID"
                    params={{ studentID: String(studentId) }}
                    {...props}
                  />
                )}
              >
                <Trans>Open the record</Trans>
              </Menu.Item>
            </>
          )}
          cells={{
            decision: ({ decision }) => translateOption(decision ?? ''),
            section: ({ section, turnId }) => (turnId === null ? <Trans>Not written</Trans> : section),
          }}
          empty={{ message: <Trans>No student was promoted yet.</Trans> }}
        />
      </section>
      <UndoTurn key={undo.shown ? 'shown' : ''} preview={undo} />
    </>
  );
}
