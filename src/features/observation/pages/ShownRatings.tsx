import { Trans, useLingui } from '@lingui/react/macro';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import type { ShownVersion } from '../contract/rubric.ts';
import type { Rating } from './RatingGrid.tsx';

/** What was rated, in the words of the version that was rated with. */
export function ShownRatings({ rubric, ratings }: { rubric: ShownVersion; ratings: readonly Rating[] }) {
  const { t } = useLingui();
  const rows = rubric.domains.flatMap((domain) =>
    domain.indicators.flatMap((indicator) => {
      const rating = ratings.find(({ indicatorId }) => indicatorId === indicator.id);
      const level = rubric.levels.find(({ id }) => id === rating?.levelId);
      return level
        ? [{ key: indicator.id, cells: [domain.name, indicator.text, level.label, rating?.comment ?? ''] }]
        : [];
    }),
  );
  return (
    <RecordCard isWide title={<Trans>Ratings</Trans>}>
      <CardTable caption={t`Ratings`} heads={[t`Domain`, t`Indicator`, t`Level`, t`Comment`]} rows={rows} />
      <p className="soft">
        <Trans>Version {rubric.number} of the rubric.</Trans>
      </p>
    </RecordCard>
  );
}
