import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { SearchLink } from '#kit/browser/ui/PageLink.tsx';
import { everyone } from '#kit/contract/record-list.ts';
import { studentList } from '../contract/list.ts';

/** A line that leads to the students of other years, where a search finds nobody in the year that the list shows. */
export function OfOtherYears({ yearId }: { yearId: string }) {
  const { search = '' } = useListAddress().address;
  return search === '' || yearId === '' || yearId === everyone ? null : <Found search={search} yearId={yearId} />;
}

function Found({ search, yearId }: { search: string; yearId: string }) {
  const { t } = useLingui();
  const { data: inYear } = useRead(studentList.api.counts, { search, yearId });
  const { data: ever } = useRead(studentList.api.counts, { search, yearId: everyone });
  const count = ever?.all?.total ?? 0;
  if (!inYear || (inYear.all?.total ?? 0) > 0 || count === 0) return null;
  const isMore = ever?.all?.isMore;
  return (
    <p className="soft">
      <SearchLink search={{ search, yearId: everyone, tab: 'all' }}>
        {isMore
          ? t`More than ${count} students of other years`
          : plural(count, { one: '# student of other years', other: '# students of other years' })}
      </SearchLink>
    </p>
  );
}
