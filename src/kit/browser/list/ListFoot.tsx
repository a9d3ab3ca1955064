import { Trans, useLingui } from '@lingui/react/macro';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { end } from '#kit/contract/paging.ts';
import { showNumber, type Text } from '#kit/contract/text.ts';
import type { useListAddress } from './use-list-address.ts';

interface Props {
  /** What was read of the list. */
  page: { rows?: readonly unknown[]; total: number; isMore: boolean; previous: string | null; next: string | null };
  singular: Text;
  plural: Text;
  place: Pick<ReturnType<typeof useListAddress>, 'address' | 'turn'>;
}

/** How many rows a list has, and the way to its other pages. */
export function ListFoot({ page, singular, plural, place: { address, turn } }: Props) {
  const { t } = useLingui();
  const { rows = [], total, isMore, previous, next } = page;
  const count = showNumber(total);
  return (
    <p className="list-foot">
      <span className="soft" role="status">
        {isMore ? t`${count}+ ${translate(plural)}` : `${count} ${translate(total === 1 ? singular : plural)}`}
      </span>
      {/* Paper has this page alone. */}
      {(previous || next) && (
        <span className="only-print">
          <Trans>This page: {rows.length}</Trans>
        </span>
      )}
      {isMore && (
        <Button kind="quiet" onClick={() => turn({ after: address.after, before: address.before, countsAll: 'yes' })}>
          <Trans>Count all</Trans>
        </Button>
      )}
      {previous && (
        <>
          <Button onClick={() => turn({})}>
            <Trans>First page</Trans>
          </Button>
          <Button onClick={() => turn({ before: previous })}>
            <Trans>Previous page</Trans>
          </Button>
        </>
      )}
      {next && (
        <>
          <Button onClick={() => turn({ after: next })}>
            <Trans>Next page</Trans>
          </Button>
          <Button onClick={() => turn({ before: end })}>
            <Trans>Last page</Trans>
          </Button>
        </>
      )}
    </p>
  );
}
