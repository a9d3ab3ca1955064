import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { FilterChoice } from '#kit/browser/list/FilterChoice.tsx';
import { Filter, Filters } from '#kit/browser/list/Filters.tsx';
import { SearchBox } from '#kit/browser/list/SearchBox.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { HistoryDialog } from '#kit/browser/ui/HistoryDialog.tsx';
import { Grid, Row } from '#kit/browser/ui/Layout.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type PlacedStudent, type SectionStrength, sectionStudentApi } from '../contract/section-student.ts';
import { AutoAssign } from './AutoAssign.tsx';
import { ChangeGrade } from './ChangeGrade.tsx';
import { ConfirmMove, useMove } from './ConfirmMove.tsx';
import type { GradeOfYear } from './grade-of-year.ts';
import { SeatsCard } from './SeatsCard.tsx';
import { StudentTicks } from './StudentTicks.tsx';

interface Props {
  at: GradeOfYear;
  overview: OutputOf<typeof sectionStudentApi.overview>;
}

/** Students on the left, sections on the right; moved by button or by dragging. */
export function PlaceStudents({ at, overview }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const move = useMove();
  const { address, go } = useListAddress();
  const { sections, unplaced, on, isClosed } = overview;
  const source = sections.find(({ id }) => String(id) === address.section);
  const sectionId = source ? String(source.id) : '';
  const search = address.search ?? '';
  const query = useReadList(sectionStudentApi.students, { ...at, on, sectionId, search });
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const tick = (students: ReadonlySet<number>) => {
    setTicked(students);
    move.forget(); // The refusal was about the previous selection.
  };
  const [reason, setReason] = useState('');
  // The pressed button disappears, so the list takes the focus.
  const list = useRef<HTMLElement>(null);
  const toList = () => list.current?.focus();
  const seats = useRef<HTMLElement>(null);
  // A new day, section or search clears the selection, so that no hidden student is moved.
  const shown = `${on} ${sectionId} ${search}`;
  const [tickedAmong, setTickedAmong] = useState(shown);
  if (tickedAmong !== shown) {
    setTickedAmong(shown);
    setTicked(new Set());
  }
  const narrow = (options: { section?: string; search?: string }) => go({ ...address, ...options });
  const [isChanging, setChanging] = useState(false);
  const [lookedUp, setLookedUp] = useState<PlacedStudent>();
  const end = ({ moved, to }: { moved: number; to: string }) => {
    setTicked(new Set());
    setReason('');
    toast({
      kind: 'success',
      title: to ? t`Students moved to ${to}: ${moved}.` : t`Students without a section now: ${moved}.`,
    });
    toList();
  };
  const send = async (to: SectionStrength | undefined, enrollmentIds: number[]) => {
    const among = { academicYearId: at.academicYearId, sectionId: to?.id ?? null, enrollmentIds };
    const answer = await move.show({ ...among, from: on, reason: source ? reason : '' });
    if (answer?.isApplied) end(answer);
  };
  const count = ticked.size;
  return (
    <Grid gap={24} align="start" className="placing">
      <section ref={list} aria-label={t`Students`} tabIndex={-1}>
        <Filters className="placing-source">
          <FilterChoice label={t`Section`} value={sectionId} onChange={(section) => narrow({ section, search: '' })}>
            <option value="">{t`Unassigned (${unplaced})`}</option>
            {sections.map(({ id, name, strength }) => (
              <option key={id} value={String(id)}>
                {name} ({strength})
              </option>
            ))}
          </FilterChoice>
          <SearchBox label={t`Search students`} value={search} onSearch={(words) => narrow({ search: words })} />
          {!source && unplaced > 0 && !isClosed && <AutoAssign at={at} from={on} onDone={toList} />}
        </Filters>
        <QueryBoundary query={query}>
          {({ students, total }) =>
            students.length === 0 ? (
              <EmptyState
                message={
                  search ? (
                    <Trans>No entries match. Try removing a filter.</Trans>
                  ) : source ? (
                    <Trans>No students yet.</Trans>
                  ) : (
                    <Trans>All students in this grade have a section.</Trans>
                  )
                }
              />
            ) : (
              <>
                <StudentTicks
                  students={students}
                  ticked={ticked}
                  isClosed={isClosed}
                  onTick={tick}
                  onHistory={setLookedUp}
                  hasRolls={Boolean(source)}
                />
                {total > students.length && (
                  <p className="soft">
                    <Trans>
                      Showing {students.length} of {total}. Search to see the rest.
                    </Trans>
                  </p>
                )}
              </>
            )
          }
        </QueryBoundary>
        {count > 0 && !isClosed && (
          // For narrow screens, where the sections stand below the students.
          <div className="placing-foot">
            <Button kind="main" onClick={() => seats.current?.focus()}>
              <Plural value={count} one="Move # student…" other="Move # students…" />
            </Button>
          </div>
        )}
      </section>
      <section ref={seats} aria-labelledby="placing-to" tabIndex={-1}>
        <h2 id="placing-to">
          {count > 0 ? (
            <Plural value={count} one="Choose a section for # student" other="Choose a section for # students" />
          ) : (
            <Trans>Sections</Trans>
          )}
        </h2>
        <p className="soft">
          <Trans>Changes apply from {showDate(on)}.</Trans>
        </p>
        {source && count > 0 && (
          <Filter id="move-reason" label={t`Reason (optional)`}>
            <input
              id="move-reason"
              className="box"
              maxLength={200}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          </Filter>
        )}
        {!move.shown && move.problem}
        <ul className="seats">
          {sections.map((section) => (
            <SeatsCard
              key={section.id}
              section={section}
              isOpen={!isClosed && section.id !== source?.id}
              hasTicked={count > 0}
              onMove={(dragged = [...ticked]) => send(section, dragged)}
            />
          ))}
        </ul>
        {count > 0 && !isClosed && (
          <Row gap={8} wrap>
            {source && (
              <Button onClick={() => send(undefined, [...ticked])}>
                <Trans>Remove from {source.name}</Trans>
              </Button>
            )}
            <Button onClick={() => setChanging(true)}>
              <Trans>Move to another grade…</Trans>
            </Button>
          </Row>
        )}
      </section>
      <ConfirmMove move={move} onMoved={end} />
      {lookedUp && (
        <HistoryDialog
          endpoint={sectionStudentApi.history}
          id={lookedUp.studentId}
          displayName={lookedUp.name}
          onClose={() => setLookedUp(undefined)}
        />
      )}
      {isChanging && (
        <ChangeGrade at={at} from={on} enrollmentIds={[...ticked]} onDone={end} onClose={() => setChanging(false)} />
      )}
    </Grid>
  );
}
