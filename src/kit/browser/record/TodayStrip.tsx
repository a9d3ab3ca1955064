import { useLingui } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { translate } from '#kit/browser/text.ts';
import type { TodayEndpoint } from '#kit/contract/served-card.ts';
import styles from './TodayStrip.module.css';

/** What is so today of a record, above its parts; nothing where there is nothing to say, or it cannot be read. */
export function TodayStrip({ endpoint, id }: { endpoint: TodayEndpoint; id: number }) {
  const { t } = useLingui();
  const { data, isPending } = useRead(endpoint, { id });
  // Its place is kept while it is read, so that nothing below it moves.
  if (isPending) return <div className={styles.strip} data-empty />;
  if (!data?.length) return null;
  return (
    <dl className={styles.strip} aria-label={t`Today`}>
      {data.map(({ label, value, detail, isLate }) => (
        <div key={translate(label)}>
          <dt>{translate(label)}</dt>
          <dd>{translate(value)}</dd>
          <dd data-late={isLate || undefined}>{translate(detail)}</dd>
        </div>
      ))}
    </dl>
  );
}
