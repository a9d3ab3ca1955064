import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import type { AcademicYear } from '#features/calendar/contract/year.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { Row } from '#kit/browser/form/choices.tsx';
import { FilterChoice } from '#kit/browser/list/FilterChoice.tsx';
import { Filters } from '#kit/browser/list/Filters.tsx';
import { translate } from '#kit/browser/text.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type PromotionDecision, sectionStudentApi } from '../contract/section-student.ts';
import type { GradeOfYear } from './grade-of-year.ts';

interface Props {
  year: AcademicYear;
  /** The year after it. */
  next: AcademicYear | undefined;
  at: GradeOfYear;
}

/** Promotes a grade to the next year, with a decision for each student. */
export function PromoteStudents({ year, next, at }: Props) {
  if (!next) {
    return (
      <EmptyState
        message={<Trans>There is no academic year after {year.name}. Add the next year in the Academic Master.</Trans>}
      />
    );
  }
  return <Promotion next={next} at={at} />;
}

interface PromotionProps {
  next: AcademicYear;
  at: GradeOfYear;
}

function Promotion({ next, at }: PromotionProps) {
  const query = useReadList(sectionStudentApi.promotion, { ...at, toYearId: next.id });
  return (
    <QueryBoundary query={query}>
      {(promotion) =>
        promotion.students.length === 0 ? (
          <EmptyState message={<Trans>No students yet.</Trans>} />
        ) : (
          <Choices next={next} at={at} promotion={promotion} />
        )
      }
    </QueryBoundary>
  );
}

interface ChoicesProps {
  next: AcademicYear;
  at: GradeOfYear;
  promotion: OutputOf<typeof sectionStudentApi.promotion>;
}

const later = '';

function Choices({ next, at, promotion }: ChoicesProps) {
  const { nextGrade, students, total, lastDay } = promotion;
  const { t } = useLingui();
  const usual = nextGrade ? 'Promote' : later;
  const [all, setAll] = useState<PromotionDecision | ''>(usual);
  const [chosen, setChosen] = useState(new Map<number, PromotionDecision | ''>());
  const [keepsSection, setKeeps] = useState(true);
  const [isAsking, setAsking] = useState(false);
  // The pressed button disappears once no student is undecided.
  const list = useRef<HTMLTableElement>(null);
  const decisionOf = (id: number) => chosen.get(id) ?? all;
  const open = students.filter(({ why }) => why === null);
  const decided = open.map((student) => ({ ...student, decision: decisionOf(student.id) }));
  const acting = decided.flatMap(({ id, decision }) => (decision === later ? [] : [{ enrollmentId: id, decision }]));
  const words: [PromotionDecision, string][] = [
    ['Promote', t`Promote to ${nextGrade}`],
    ['Detain', t`Detain`],
    ['Leave', t`Leave the school`],
  ];
  const options = (
    <>
      <option value={later}>{t`Decide later`}</option>
      {words
        .filter(([decision]) => decision !== 'Promote' || nextGrade)
        .map(([decision, label]) => (
          <option key={decision} value={decision}>
            {label}
          </option>
        ))}
    </>
  );
  return (
    <>
      {!nextGrade && (
        <Notice>
          <Trans>This grade has no next grade. Set it in the Academic Master.</Trans>
        </Notice>
      )}
      {open.length > 0 && (
        <>
          <Filters className="promotion-all">
            <FilterChoice
              label={t`All students`}
              value={all}
              onChange={(decision) => {
                setAll(decision as PromotionDecision | '');
                setChosen(new Map());
              }}
            >
              {options}
            </FilterChoice>
            <Button
              kind="main"
              aria-disabled={acting.length === 0}
              onClick={() => acting.length > 0 && setAsking(true)}
            >
              <Trans>Promote to {next.name}…</Trans>
            </Button>
          </Filters>
          {nextGrade && (
            <Row
              type="checkbox"
              id="keepsSection"
              label={t`Keep the same section in ${nextGrade} where a seat is free`}
              checked={keepsSection}
              onChange={setKeeps}
            />
          )}
        </>
      )}
      {total > students.length && (
        <Notice>
          <Trans>
            Showing {students.length} of {total}, undecided first. Promote these to see the rest.
          </Trans>
        </Notice>
      )}
      <table ref={list} className="ticks promotion" tabIndex={-1}>
        <VisuallyHidden as="caption">{t`Decision for each student`}</VisuallyHidden>
        <thead>
          <tr>
            <th scope="col">{t`Name`}</th>
            <th scope="col">{t`GR number`}</th>
            <th scope="col">{t`Section`}</th>
            <th scope="col">{t`Decision for ${next.name}`}</th>
          </tr>
        </thead>
        <tbody>
          {students.map(({ id, name, grNo, section, why }) => (
            <tr key={id} className={!why && decisionOf(id) !== usual ? 'tick-on' : undefined}>
              <td>{name}</td>
              <td>{grNo}</td>
              <td>{section || '–'}</td>
              <td>
                {why ? (
                  <span className="soft">{translate(why)}</span>
                ) : (
                  <select
                    className="box"
                    aria-label={t`Decision for ${name}`}
                    value={decisionOf(id)}
                    onChange={(event) =>
                      setChosen(new Map(chosen).set(id, event.currentTarget.value as PromotionDecision | ''))
                    }
                  >
                    {options}
                  </select>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {isAsking && (
        <Ask
          next={next}
          at={at}
          acting={acting}
          decided={decided}
          keepsSection={keepsSection}
          lastDay={lastDay}
          onDone={() => list.current?.focus()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

interface AskProps {
  /** The last day of the current year. */
  lastDay: string;
  next: AcademicYear;
  at: GradeOfYear;
  acting: { enrollmentId: number; decision: PromotionDecision }[];
  /** All undecided students, also those that are decided later. */
  decided: { id: number; name: string; section: string; decision: PromotionDecision | '' }[];
  keepsSection: boolean;
  onDone: () => void;
  onClose: () => void;
}

function Ask({ next, at, acting, decided, keepsSection, lastDay, onDone, onClose }: AskProps) {
  const { t } = useLingui();
  const toast = useToast();
  const promote = useAction(sectionStudentApi.promote);
  const day = showDate(lastDay);
  const countOf = (decision: PromotionDecision) => acting.filter((row) => row.decision === decision).length;
  const [promoted, detained, leaving] = [countOf('Promote'), countOf('Detain'), countOf('Leave')];
  return (
    <AskDialog
      title={t`Promote to ${next.name}`}
      confirm={<Trans>Promote</Trans>}
      problem={promote.problem}
      details={<EachStudent decided={decided} />}
      onClose={onClose}
      onConfirm={async (close) => {
        const answer = await promote.run({ ...at, toYearId: next.id, keepsSection, students: acting });
        if (!answer) return;
        const { unplaced } = answer;
        close();
        const text = unplaced > 0 ? t`Students without a section in ${next.name}: ${unplaced}` : undefined;
        toast({ kind: unplaced > 0 ? 'warning' : 'success', title: t`Saved.`, text });
        onDone();
      }}
    >
      {promoted > 0 && (
        <>
          <Plural value={promoted} one="# student will be promoted." other="# students will be promoted." />{' '}
        </>
      )}
      {detained > 0 && (
        <>
          <Plural value={detained} one="# student will be detained." other="# students will be detained." />{' '}
        </>
      )}
      {leaving > 0 && (
        <>
          <Plural
            value={leaving}
            one={`# student will leave the school after ${day}.`}
            other={`# students will leave the school after ${day}.`}
          />{' '}
        </>
      )}
      <Trans>You can undo this only student by student. Fee plans are set separately.</Trans>
    </AskDialog>
  );
}

/** Every student by decision and section, since a promotion of many is hard to undo. */
function EachStudent({ decided }: Pick<AskProps, 'decided'>) {
  const { t } = useLingui();
  const words: Record<PromotionDecision | '', string> = {
    Detain: t`Detain`,
    Leave: t`Leave the school`,
    [later]: t`Decide later`,
    Promote: t`Promote`,
  };
  return (
    <ul className="plan everyone">
      {(Object.keys(words) as (keyof typeof words)[]).flatMap((decision) =>
        [
          ...Map.groupBy(
            decided.filter((row) => row.decision === decision),
            ({ section }) => section,
          ),
        ].map(([section, rows]) => (
          <li key={`${decision} ${section}`}>
            <b>{t`${words[decision]}, ${section || t`no section`}: ${rows.length}`}</b>
            <br />
            {rows.map(({ name }) => name).join(', ')}
          </li>
        )),
      )}
    </ul>
  );
}
