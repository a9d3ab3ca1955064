import { Trans, useLingui } from '@lingui/react/macro';
import { IdsField } from '#features/academic/ui/IdsField.tsx';
import type { AcademicYear } from '#features/calendar/contract/year.ts';
import { ClosedYear } from '#features/calendar/ui/ClosedYear.tsx';
import { WorkingYear } from '#features/calendar/ui/WorkingYear.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { twiceApi } from '../contract/twice.ts';

/** The grades that take two registers a day in the working year. */
export const TwiceTab = () => <WorkingYear>{(year) => <OfYear year={year} />}</WorkingYear>;

function OfYear({ year }: { year: AcademicYear }) {
  const { t } = useLingui();
  const query = useRead(twiceApi.read, { academicYearId: year.id });
  return (
    <QueryBoundary query={query}>
      {({ isClosed, grades, gradeIds }) => {
        const names = grades.filter(({ id }) => gradeIds.includes(id)).map(({ name }) => name);
        return (
          <>
            <p>
              {names.length === 0 ? (
                <Trans>In {year.name} every grade takes one register a day.</Trans>
              ) : (
                <Trans>
                  In {year.name} these grades take a register in the morning and in the afternoon: {names.join(', ')}.
                  All others take one a day.
                </Trans>
              )}
            </p>
            {isClosed ? (
              <p>
                <ClosedYear />
              </p>
            ) : (
              <p>
                <FormOpener title={t`Change the registers a day`} label={<Trans>Change…</Trans>} kind="plain">
                  {(onClose) => (
                    <RecordForm
                      title={t`Two registers a day`}
                      about={year.name}
                      endpoint={twiceApi.save}
                      initial={{ gradeIds }}
                      hiddenValues={{ academicYearId: year.id, before: gradeIds }}
                      notice={<Trans>Changes apply from today. Registers already taken don’t change.</Trans>}
                      onClose={onClose}
                    >
                      <IdsField name="gradeIds" legend={t`Grades`} options={grades} />
                    </RecordForm>
                  )}
                </FormOpener>
              </p>
            )}
          </>
        );
      }}
    </QueryBoundary>
  );
}
