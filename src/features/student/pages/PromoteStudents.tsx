import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import type { AcademicYear } from '#features/calendar/contract/year.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { Row } from '#kit/browser/form/choices.tsx';
import { FilterChoice } from '#kit/browser/list/FilterChoice.tsx';
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
  /** The year behind it. */
  next: AcademicYear | undefined;
  at: GradeOfYear;
}

/** Takes a grade into the next year, after choosing for each student what becomes of them. */
export function PromoteStudents({ year, next, at }: Props) {
  if (!next) {
    return (
      <EmptyState
        message={<Trans>There is no academic year behind {year.name} yet. Add it in the Academic Master first.</Trans>}
      />
    );
  }
  return <Promotion year={year} next={next} at={at} />;
}

interface PromotionProps {
  year: AcademicYear;
  next: AcademicYear;
  at: GradeOfYear;
}

function Promotion({ year, next, at }: PromotionProps) {
  const query = useReadList(sectionStudentApi.promotion, { ...at, toYearId: next.id });
  return (
    <QueryBoundary query={query}>
      {(promotion) =>
        promotion.students.length === 0 ? (
          <EmptyState message={<Trans>Nobody is in this grade in {year.name}.</Trans>} />
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

/** Nothing is decided yet. */
const later = '';

function Choices({ next, at, promotion }: ChoicesProps) {
  const { nextGrade, students, total, lastDay } = promotion;
  const { t } = useLingui();
  const usual = nextGrade ? 'Promote' : later;
  const [all, setAll] = useState<PromotionDecision | ''>(usual);
  const [chosen, setChosen] = useState(new Map<number, PromotionDecision | ''>());
  const [keepsSection, setKeeps] = useState(true);
  const [isAsking, setAsking] = useState(false);
  // The button that was pressed is gone once everybody is decided on.
  const list = useRef<HTMLTableElement>(null);
  const decisionOf = (id: number) => chosen.get(id) ?? all;
  const open = students.filter(({ why }) => why === '');
  const acting = open.flatMap(({ id }) => {
    const decision = decisionOf(id);
    return decision === later ? [] : [{ enrollmentId: id, decision }];
  });
  const words: [PromotionDecision, string][] = [
    ['Promote', t`Promote to ${nextGrade}`],
    ['Detain', t`Stay in the grade`],
    ['Leave', t`Leaves the school`],
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
          <Trans>This grade leads to no next one. If it should, say so in the Academic Master.</Trans>
        </Notice>
      )}
      {open.length > 0 && (
        <>
          <div className="filters filters-open promotion-all">
            <FilterChoice
              label={t`For all`}
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
              <Trans>Take them into {next.name}…</Trans>
            </Button>
          </div>
          {nextGrade && (
            <Row
              type="checkbox"
              id="keepsSection"
              label={t`Keep the section’s name, where ${nextGrade} has it and a seat is free`}
              checked={keepsSection}
              onChange={setKeeps}
            />
          )}
        </>
      )}
      {total > students.length && (
        <Notice>
          <Trans>
            Here are the first {students.length} of {total} students, those to decide on before the others. Take these
            over; then the next ones are shown.
          </Trans>
        </Notice>
      )}
      <table ref={list} className="ticks promotion" tabIndex={-1}>
        <VisuallyHidden as="caption">{t`What becomes of each student`}</VisuallyHidden>
        <thead>
          <tr>
            <th scope="col">{t`Name`}</th>
            <th scope="col">{t`GR number`}</th>
            <th scope="col">{t`Section`}</th>
            <th scope="col">{t`In ${next.name}`}</th>
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
                    aria-label={t`What becomes of ${name}`}
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
  /** Of the year they are in. */
  lastDay: string;
  next: AcademicYear;
  at: GradeOfYear;
  acting: { enrollmentId: number; decision: PromotionDecision }[];
  keepsSection: boolean;
  onDone: () => void;
  onClose: () => void;
}

function Ask({ next, at, acting, keepsSection, lastDay, onDone, onClose }: AskProps) {
  const { t } = useLingui();
  const toast = useToast();
  const promote = useAction(sectionStudentApi.promote);
  const day = showDate(lastDay);
  const countOf = (decision: PromotionDecision) => acting.filter((row) => row.decision === decision).length;
  const [promoted, detained, leaving] = [countOf('Promote'), countOf('Detain'), countOf('Leave')];
  return (
    <AskDialog
      title={t`Take them into ${next.name}`}
      confirm={<Trans>Take them</Trans>}
      problem={promote.problem}
      onClose={onClose}
      onConfirm={async (close) => {
        const answer = await promote.run({ ...at, toYearId: next.id, keepsSection, students: acting });
        if (!answer) return;
        const { done, unplaced } = answer;
        close();
        const text = unplaced > 0 ? t`Without a section in ${next.name}: ${unplaced}` : undefined;
        toast({ kind: unplaced > 0 ? 'warning' : 'success', title: t`Taken into ${next.name}: ${done}.`, text });
        onDone();
      }}
    >
      {promoted > 0 && (
        <>
          <Plural value={promoted} one="# is promoted." other="# are promoted." />{' '}
        </>
      )}
      {detained > 0 && (
        <>
          <Plural value={detained} one="# stays in the grade." other="# stay in the grade." />{' '}
        </>
      )}
      {leaving > 0 && (
        <>
          <Plural
            value={leaving}
            one={`# leaves the school after ${day}.`}
            other={`# leave the school after ${day}.`}
          />{' '}
        </>
      )}
      <Trans>This cannot be taken back together. Fee plans are made apart.</Trans>
    </AskDialog>
  );
}
