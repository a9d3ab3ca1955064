import { Trans } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { SearchLink } from '#kit/browser/ui/PageLink.tsx';
import { everyone } from '#kit/contract/record-list.ts';
import { seatApi } from '../contract/seat.ts';

interface Props {
  what: 'toReview' | 'toDecide';
  usual: Partial<Record<string, string>>;
}

/** A line that leads to each year with waiting forms that the list leaves out. */
export function WaitingInOtherYears({ what, usual }: Props) {
  const { address } = useListAddress();
  const { data } = useRead(seatApi.year, {});
  const shown = address.academicYearId ?? usual.academicYearId ?? everyone;
  if (!data || shown === everyone) return null;
  const others = data.waiting.filter((year) => year[what] > 0 && String(year.id) !== shown);
  if (others.length === 0) return null;
  return (
    <p className="soft">
      {others.map(({ id, name, [what]: count }, index) => (
        <span key={id}>
          {index > 0 && ' · '}
          <SearchLink search={{ academicYearId: String(id) }}>
            {what === 'toReview' ? (
              <Trans>
                {count} to review in {name}
              </Trans>
            ) : (
              <Trans>
                {count} to decide in {name}
              </Trans>
            )}
          </SearchLink>
        </span>
      ))}
    </p>
  );
}
