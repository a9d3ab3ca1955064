import { useLingui } from '@lingui/react/macro';
import { endingYearOf, yearApi } from '#features/calendar/contract/year.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Results } from '../ui/Results.tsx';

/** /school-erp/student/result-list: the results of the year that ends, for teachers and the office. */
export function ResultListPage() {
  const { t } = useLingui();
  const { data: years } = useRead(yearApi.list, {});
  const year = years && endingYearOf(years);
  return (
    <>
      <PageHead title={year ? t`Results of ${year.name}` : t`Results of the year`} />
      {years && <Results yearId={year?.id} />}
    </>
  );
}
