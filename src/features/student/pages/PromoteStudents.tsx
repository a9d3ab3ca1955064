import { Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import type { AcademicYear } from '#features/calendar/contract/year.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { ChoiceRow } from '#kit/browser/form/choices.tsx';
import { FilterChoice } from '#kit/browser/list/FilterChoice.tsx';
import { Filters } from '#kit/browser/list/Filters.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Table } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type PromotionDecision, sectionStudentApi } from '../contract/section-student.ts';
import { AskPromotion } from './AskPromotion.tsx';
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
  const preview = usePreview(sectionStudentApi.promote);
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
              onClick={() =>
                acting.length > 0 && void preview.show({ ...at, toYearId: next.id, keepsSection, students: acting })
              }
            >
              <Trans>Promote to {next.name}…</Trans>
            </Button>
          </Filters>
          {!preview.shown && preview.problem}
          {nextGrade && (
            <ChoiceRow
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
      <Table ref={list} className="ticks promotion" tabIndex={-1}>
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
      </Table>
      <AskPromotion
        preview={preview}
        next={next}
        decided={decided}
        lastDay={lastDay}
        onDone={() => list.current?.focus()}
      />
    </>
  );
}
